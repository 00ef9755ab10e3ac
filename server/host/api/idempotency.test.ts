import { beforeEach, describe, expect, it } from "vitest";
import { type Actor, actorHeader, encodeActor, hostKeyHeader } from "#lib/protocol/actor.ts";
import { TermError } from "#lib/protocol/errors.ts";
import { limits } from "#lib/protocol/limits.ts";
import { FakeClock } from "#server/testing/fake-clock.ts";
import { MemoryCore } from "#server/testing/memory-core.ts";
import { CallerCheck } from "./caller.ts";
import { IdempotencyKeys, readIdempotencyKey, requestPrint } from "./idempotency.ts";
import { createRouter } from "./router.ts";

const reply =
  (value: unknown, status = 200) =>
  async () =>
    Response.json(value, { status });

async function codeOf(act: Promise<unknown>): Promise<string> {
  try {
    await act;
  } catch (error) {
    if (error instanceof TermError) return error.code;
    return "fault";
  }
  return "answered";
}

describe("IdempotencyKeys", () => {
  let clock: FakeClock;
  let keys: IdempotencyKeys;
  beforeEach(() => {
    clock = new FakeClock();
    keys = new IdempotencyKeys(clock);
  });

  it("[IN6] the first reply comes again, marked, and nothing is done twice", async () => {
    let count = 0;
    const act = async () => Response.json({ count: ++count }, { status: 201 });
    const first = await keys.answer("bot", "k", "p", act);
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    expect(await first.json()).toEqual({ count: 1 });
    for (let i = 0; i < 3; i++) {
      const again = await keys.answer("bot", "k", "p", act);
      expect(again.status).toBe(201);
      expect(again.headers.get("idempotent-replayed")).toBe("true");
      expect(again.headers.get("content-type")).toContain("application/json");
      expect(await again.json()).toEqual({ count: 1 });
    }
    expect(count).toBe(1);
  });

  it("[IN6] another request with the same key is 422, while the first runs and after", async () => {
    let finish: (response: Response) => void = () => {};
    const running = keys.answer("bot", "k", "p", () => new Promise((done) => (finish = done)));
    expect(await codeOf(keys.answer("bot", "k", "other", reply({})))).toBe("IDEMPOTENCY_MISMATCH");
    finish(Response.json({}));
    await running;
    expect(await codeOf(keys.answer("bot", "k", "other", reply({})))).toBe("IDEMPOTENCY_MISMATCH");
  });

  it("[IN6] while the first one runs the same request is 409 with the time to wait", async () => {
    let finish: (response: Response) => void = () => {};
    const running = keys.answer("bot", "k", "p", () => new Promise((done) => (finish = done)));
    const second = keys.answer("bot", "k", "p", reply("never"));
    await expect(second).rejects.toMatchObject({
      code: "IDEMPOTENCY_BUSY",
      extra: { retryAfterMs: expect.any(Number) },
    });
    finish(Response.json("first"));
    expect(await (await running).json()).toBe("first");
    expect(await (await keys.answer("bot", "k", "p", reply("never"))).json()).toBe("first");
  });

  it("[IN6] a refusal changed nothing and is not kept: the key may be tried again", async () => {
    const refuse = async () => {
      throw new TermError("INPUT_BACKLOG", "full");
    };
    expect(await codeOf(keys.answer("bot", "k", "p", refuse))).toBe("INPUT_BACKLOG");
    expect(await (await keys.answer("bot", "k", "p", reply("typed"))).json()).toBe("typed");
  });

  it("[IN6] a fault in the middle is not tried again by the same key", async () => {
    const fault = async () => {
      throw new Error("broken");
    };
    expect(await codeOf(keys.answer("bot", "k", "p", fault))).toBe("fault");
    expect(await codeOf(keys.answer("bot", "k", "p", reply("twice?")))).toBe("INTERNAL");
  });

  it("[IN6] keys are each actor's own", async () => {
    await keys.answer("bot", "k", "p", reply("bot"));
    expect(await (await keys.answer("other", "k", "q", reply("other"))).json()).toBe("other");
  });

  it("[IN6] [LM] a key answers for 24 h and then is new", async () => {
    await keys.answer("bot", "k", "p", reply("first"));
    clock.advance(limits.idempotencyMs - 1);
    expect(await (await keys.answer("bot", "k", "p", reply("second"))).json()).toBe("first");
    clock.advance(1);
    expect(await (await keys.answer("bot", "k", "p", reply("second"))).json()).toBe("second");
  });

  it("[LM] an actor keeps its newest keys, and takes none from others", async () => {
    await keys.answer("other", "k", "p", reply("other's"));
    for (let i = 0; i <= limits.idempotencyKeysPerActor; i++)
      await keys.answer("bot", `k${i}`, "p", reply(i));
    const answers = async (actor: string, key: string) =>
      (await keys.answer(actor, key, "p", reply("new"))).json();
    expect(await answers("bot", `k${limits.idempotencyKeysPerActor}`)).toBe(
      limits.idempotencyKeysPerActor,
    );
    expect(await answers("bot", "k1")).toBe(1);
    expect(await answers("bot", "k0")).toBe("new");
    expect(await answers("other", "k")).toBe("other's");
  });

  it("[LM] of all actors' keys the oldest of who has the most go first", async () => {
    const most = limits.idempotencyKeysPerActor;
    const actors = ["a", "b", "c", "d"];
    expect(actors.length * most).toBe(limits.idempotencyKeys);
    for (const actor of actors)
      for (let i = 0; i < most; i++) await keys.answer(actor, `k${i}`, "p", reply("first"));
    const isKept = async (actor: string, key: string) =>
      (await (await keys.answer(actor, key, "p", reply("new"))).json()) === "first";
    expect(await isKept("a", "k0")).toBe(true);
    await keys.answer("one more", "k", "p", reply("first"));
    expect(await isKept("one more", "k")).toBe(true);
    for (const actor of actors) expect(await isKept(actor, "k1")).toBe(true);
    expect(await isKept("a", "k0")).toBe(false);
  });

  it("[LM] large replies push out the oldest of who has the most", async () => {
    const large = "x".repeat(1024 * 1024);
    await keys.answer("other", "k", "p", reply("small"));
    const count = limits.idempotencyReplyBytes / large.length + 2;
    for (let i = 0; i < count; i++) await keys.answer("bot", `k${i}`, "p", reply(large));
    expect(await (await keys.answer("other", "k", "p", reply("new"))).json()).toBe("small");
    expect(await (await keys.answer("bot", "k0", "p", reply("new"))).json()).toBe("new");
    expect(await (await keys.answer("bot", `k${count - 1}`, "p", reply("new"))).json()).toBe(large);
  });

  it("[LM] requests that run are never forgotten; too many at once are refused", async () => {
    const never = () => new Promise<Response>(() => {});
    for (let i = 0; i < limits.idempotencyKeysPerActor; i++)
      void keys.answer("bot", `k${i}`, "p", never);
    expect(await codeOf(keys.answer("bot", "one more", "p", reply({})))).toBe("TOO_FAST");
    expect(await codeOf(keys.answer("bot", "k0", "p", reply({})))).toBe("IDEMPOTENCY_BUSY");
    expect(await codeOf(keys.answer("other", "k", "p", reply({})))).toBe("answered");
  });

  it("[IN6] a key is 1 to 255 visible ASCII characters", () => {
    expect(readIdempotencyKey(undefined)).toBeUndefined();
    const long = "x".repeat(limits.idempotencyKeyChars);
    for (const key of ["a", '"9f…"'.replace("…", "0"), "a/b:c=", long])
      expect(readIdempotencyKey(key)).toBe(key);
    for (const key of ["", " ", "a b", "a, b", "é", "a\tb", `${long}x`])
      expect(() => readIdempotencyKey(key)).toThrow(TermError);
  });

  it("[IN6] what makes a request another: operation, session, body", () => {
    const prints = [
      requestPrint("write_input", { id: "a" }, { input: [{ text: "x" }] }),
      requestPrint("send_mouse", { id: "a" }, { input: [{ text: "x" }] }),
      requestPrint("write_input", { id: "b" }, { input: [{ text: "x" }] }),
      requestPrint("write_input", { id: "a" }, { input: [{ text: "y" }] }),
      requestPrint("write_input", { id: "a" }, undefined),
    ];
    expect(new Set(prints).size).toBe(prints.length);
  });
});

describe("input that was cut", () => {
  it("[IN6] [B112] is not typed again under its key, and answered as before; one of which nothing was typed is tried again", async () => {
    const keys = new IdempotencyKeys(new FakeClock());
    let acts = 0;
    const lost = (bytes: number) => async (): Promise<Response> => {
      acts += 1;
      const members = { delivered: { items: 0, bytes } };
      throw new TermError("LEASE_LOST", "a person took the keyboard", { members });
    };
    for (let n = 0; n < 2; n++)
      expect(await codeOf(keys.answer("a", "cut", "p", lost(3)))).toBe("LEASE_LOST");
    expect(acts).toBe(1);
    for (let n = 0; n < 2; n++)
      expect(await codeOf(keys.answer("a", "none", "p", lost(0)))).toBe("LEASE_LOST");
    expect(acts).toBe(3);
  });
});

describe("the Idempotency-Key of the API", () => {
  const bot: Actor = { kind: "agent", id: "bot", name: "Bot", role: "agent" };
  let core: MemoryCore;
  let id: string;
  let post: (path: string, body: unknown, key?: string, actor?: Actor) => Promise<Response>;

  beforeEach(async () => {
    core = new MemoryCore();
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const router = createRouter({
      core,
      caller: new CallerCheck("key"),
      log,
      clock: new FakeClock(),
    });
    id = (await core.create(bot, {})).id;
    core.acts.length = 0;
    post = async (path, body, key, actor = bot) =>
      router.request(`/api/v1${path}`, {
        method: "POST",
        body: JSON.stringify(body),
        headers: {
          "content-type": "application/json",
          [hostKeyHeader]: "key",
          [actorHeader]: encodeActor(actor),
          ...(key === undefined ? {} : { "idempotency-key": key }),
        },
      });
  });
  const code = async (response: Response) => (await response.json()).code;

  it("[IN6] input, mouse and create are carried out once per key", async () => {
    const body = { input: [{ text: "a" }] };
    const event = { type: "click", x: 0, y: 0 };
    for (let i = 0; i < 3; i++) {
      const typed = await post(`/sessions/${id}/input`, body, "k1");
      expect([typed.status, await typed.json()]).toEqual([200, { written: 1 }]);
      expect(typed.headers.get("idempotent-replayed")).toBe(i === 0 ? null : "true");
      expect(typed.headers.get("x-cotty-request-id")).toBeTruthy();
      const clicked = await post(`/sessions/${id}/mouse`, event, "k2");
      expect([clicked.status, await clicked.json()]).toEqual([200, { reports: 2 }]);
    }
    expect(core.acts.map(({ act }) => act)).toEqual(["write", "mouse"]);
    const first = await (await post("/sessions", { name: "n" }, "k3")).json();
    const second = await post("/sessions", { name: "n" }, "k3");
    expect([second.status, await second.json()]).toEqual([201, first]);
  });

  it("[IN6] without a key everything is carried out every time", async () => {
    const body = { input: [{ text: "a" }] };
    for (let i = 0; i < 2; i++) await post(`/sessions/${id}/input`, body);
    expect(core.acts).toHaveLength(2);
  });

  it("[IN6] another body, session or operation under the same key is 422", async () => {
    await post(`/sessions/${id}/input`, { input: [{ text: "a" }] }, "k");
    const other = await post(`/sessions/${id}/input`, { input: [{ text: "b" }] }, "k");
    expect([other.status, await code(other)]).toEqual([422, "IDEMPOTENCY_MISMATCH"]);
    const mouse = await post(`/sessions/${id}/mouse`, { type: "click", x: 0, y: 0 }, "k");
    expect(mouse.status).toBe(422);
    expect(core.acts).toHaveLength(1);
  });

  it("[IN6] a bad key or body is 400 and uses no key up", async () => {
    const bad = await post(`/sessions/${id}/input`, { input: [{ text: "a" }] }, "two words");
    expect([bad.status, await code(bad)]).toEqual([400, "BAD_REQUEST"]);
    expect((await post(`/sessions/${id}/input`, { input: [] }, "k")).status).toBe(400);
    expect((await post(`/sessions/${id}/input`, { input: [{ text: "a" }] }, "k")).status).toBe(200);
    expect(core.acts).toHaveLength(1);
  });

  it("operations that take no key ignore the header", async () => {
    const size = { cols: 90, rows: 30 };
    for (let i = 0; i < 2; i++) await post(`/sessions/${id}/resize`, size, "k");
    expect(core.acts.filter(({ act }) => act === "resize")).toHaveLength(2);
  });

  it("[LM] requests beyond the budget of a credential are 429 with Retry-After, others' pass", async () => {
    for (let i = 0; i < limits.requestBurst; i++) {
      const response = await post(`/sessions/${id}/signal`, { signal: "USR1" });
      expect(response.status).toBe(200);
    }
    const refused = await post(`/sessions/${id}/signal`, { signal: "USR1" });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({
      code: "TOO_FAST",
      retry_after_ms: expect.any(Number),
    });
    const other = { ...bot, id: "other" };
    const passed = await post(`/sessions/${id}/signal`, { signal: "USR1" }, undefined, other);
    expect(passed.status).toBe(200);
  });
});
