// The event stream and the capsule as clients have them: web's gate and pipe in front of a real host, over real sockets.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "#lib/base/clock.ts";
import { EventStream } from "#lib/client/event-stream.ts";
import { noPage } from "#lib/client/page-signals.ts";
import { capsuleSchema } from "#lib/protocol/capsule.ts";
import { problemSchema } from "#lib/protocol/errors.ts";
import type { StreamEvent } from "#lib/protocol/events.ts";
import { revokeCredential, verifyToken } from "#server/state/credential-store.ts";
import { startTestHost, type TestHost, testOwner } from "#server/testing/test-host.ts";
import { startTestWeb, type TestWeb } from "#server/testing/test-web.ts";

let host: TestHost;
let test: TestWeb;
const owned: { dispose(): void }[] = [];
beforeAll(async () => {
  host = await startTestHost();
  test = await startTestWeb({ host: host.host });
});
afterEach(() => {
  for (const item of owned.splice(0)) item.dispose();
});
afterAll(async () => {
  await test.dispose();
  await host.dispose();
});

const cat = async (name?: string) =>
  host.request("createSession", { body: { command: ["cat"], ...(name ? { name } : {}) } });
const close = (id: string) =>
  host.request("closeSession", { params: { id }, query: { signal: "KILL" } });
const rename = (id: string, name: string) =>
  host.request("changeSession", { params: { id }, body: { name } });

/** Resolves when `test` holds; asked whenever the stream tells anything. */
function follow(token: string, more: Partial<ConstructorParameters<typeof EventStream>[0]> = {}) {
  const events: StreamEvent[] = [];
  const states: string[] = [];
  const waiting = new Set<() => void>();
  const stream = new EventStream({
    server: { baseUrl: test.origin, headers: () => ({ authorization: `Bearer ${token}` }) },
    clock: systemClock,
    page: noPage(),
    ...more,
  });
  const wake = () => {
    for (const check of [...waiting]) check();
  };
  stream.onEvent((event) => {
    events.push(event);
    wake();
  });
  stream.onState(({ kind }) => {
    states.push(kind);
    wake();
  });
  owned.push(stream);
  stream.start();
  const until = (holds: () => boolean) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (!holds()) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });
  const isOpen = () => stream.state.kind === "open";
  return { stream, events, states, until, open: () => until(isOpen) };
}

describe("events through web", () => {
  it("[EV1] tells what happens, with the headers of every answer and nothing held back", async () => {
    const reply = await test.call("GET", "/events", { token: test.agentToken });
    expect(reply.status).toBe(200);
    expect(reply.headers.get("content-type")).toBe("text/event-stream");
    expect(reply.headers.get("cache-control")).toBe("no-store");
    expect(reply.headers.get("x-content-type-options")).toBe("nosniff");
    expect(reply.headers.get("content-security-policy")).toContain("default-src");
    await reply.body?.cancel();
    const head = await test.raw("HEAD", "/api/v1/events", [
      `Authorization: Bearer ${test.agentToken}`,
    ]);
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "text/event-stream"]);

    const client = follow(test.agentToken);
    await client.open();
    const { id } = await cat("one");
    await client.until(() => client.events.length > 0);
    expect(client.events[0]).toMatchObject({ type: "session_created", session: id });
    await host.request("signalSession", { params: { id }, body: { signal: "KILL" } });
    await client.until(() => client.events.at(-1)?.type === "exited");
    await close(id);
    await client.until(() => client.events.at(-1)?.type === "closed");
    expect(client.events.filter(({ type }) => type === "exited")).toMatchObject([
      { session: id, signal: "SIGKILL" },
    ]);
  });

  it("[EV1] over a hundred cut connections nothing is lost and nothing comes twice", async () => {
    const witness = follow(test.ownerToken);
    await witness.open();
    // Changes of one session in quick succession are told together, so there are several.
    const ids: string[] = [];
    for (let i = 0; i < 4; i++) ids.push((await cat()).id);
    const id = ids[0] ?? "";
    const got: string[] = [];
    const start = witness.stream.lastEventId;
    let after = start;
    let cuts = 0;
    for (let round = 0; round < 110; round++) {
      await rename(ids[round % ids.length] ?? "", `round ${round}`);
      // Some are cut before they hear anything, some amid the events.
      const wanted = round % 3;
      const heard: string[] = [];
      const client = follow(test.agentToken, { after });
      client.stream.onEvent((event) => heard.push(event.id));
      await client.open();
      if (wanted > 0) await client.until(() => client.events.length >= wanted - 1);
      after = client.stream.lastEventId;
      got.push(...heard);
      client.stream.dispose();
      cuts += 1;
    }
    const last = follow(test.agentToken, { after });
    last.stream.onEvent((event) => got.push(event.id));
    await rename(id, "the end");
    const idOfEnd = (events: readonly StreamEvent[]) =>
      events.find((event) => event.type === "renamed" && event.name === "the end")?.id;
    await last.until(() => idOfEnd(last.events) !== undefined);
    await witness.until(() => idOfEnd(witness.events) !== undefined);
    expect(cuts).toBeGreaterThanOrEqual(100);
    const end = idOfEnd(witness.events) ?? "";
    const upToEnd = (ids: readonly string[]) => ids.slice(0, ids.indexOf(end) + 1);
    const all = witness.events.map((event) => event.id);
    expect(upToEnd(got)).toEqual(upToEnd(all.filter((event) => event > start)));
    // How many are told together depends on the machine.
    expect(got.length).toBeGreaterThan(25);
    for (const each of ids) await close(each);
  });

  it("[EV1] [HO1] a client goes on by itself when web is started anew, and misses nothing", async () => {
    const { id } = await cat();
    const client = follow(test.ownerToken, { types: ["renamed"] });
    await client.open();
    await rename(id, "before");
    await client.until(() => client.events.length === 1);
    const { tcpPort } = test;
    const left = performance.now();
    await test.dispose();
    // A stream must not hold the goodbye up: it has no end to wait for.
    expect(performance.now() - left).toBeLessThan(2_500);
    await rename(id, "meanwhile");
    const { ownerToken } = test;
    test = await startTestWeb({ host: host.host, tcpPort });
    await client.until(() => client.events.length === 2);
    await rename(id, "after");
    await client.until(() => client.events.length === 3);
    expect(client.events.map((event) => "name" in event && event.name)).toEqual([
      "before",
      "meanwhile",
      "after",
    ]);
    expect(verifyToken(test.store, ownerToken)).not.toBeNull();
    await close(id);
  });

  it("[EV1] a host that is started anew is recognised: one gap, then what it knows", async () => {
    const one = await startTestHost({ noTerminal: true });
    const foreign = (await one.request("listSessions")).last_event_id ?? "";
    await one.dispose();
    const client = follow(test.ownerToken, { after: foreign });
    await client.until(() => client.events.length > 0);
    expect(client.events[0]).toMatchObject({ type: "gap", from: foreign });
    expect(client.events.filter(({ type }) => type === "gap")).toHaveLength(1);
  });

  it("[T43] [SE4] a revoked token's streams end within a second, others stay", async () => {
    const token = test.token({ role: "agent" });
    const clients = Array.from({ length: 5 }, () => follow(token));
    const bystander = follow(test.agentToken);
    await Promise.all([...clients, bystander].map(({ open }) => open()));
    // As a page reads it: an end, not an error that the browser would report.
    const plain = (await test.call("GET", "/events", { token })).text();
    const started = performance.now();
    revokeCredential(test.store, verifyToken(test.store, token)?.id ?? "");
    const isOver = ({ stream }: (typeof clients)[number]) => stream.state.kind !== "open";
    await Promise.all(clients.map((client) => client.until(() => isOver(client))));
    expect(performance.now() - started).toBeLessThan(2_000);
    await Promise.all(
      clients.map((client) => client.until(() => client.stream.state.kind === "final")),
    );
    expect(await plain).toMatch(/^retry:/);
    expect(bystander.stream.state.kind).toBe("open");
    expect((await test.call("GET", "/events", { token })).status).toBe(401);
  });

  it("[EV1] [T58] a token for one session hears of that one and of no other", async () => {
    const mine = await cat("mine");
    const other = await cat("other");
    const token = test.token({ role: "agent", sessions: [mine.id] });
    const client = follow(token);
    await client.open();
    await rename(other.id, "secret");
    await rename(mine.id, "told");
    await client.until(() => client.events.some(({ type }) => type === "renamed"));
    expect(JSON.stringify(client.events)).not.toContain("secret");
    expect(JSON.stringify(client.events)).not.toContain(other.id);
    const hidden = await test.call("GET", `/events?session=${other.id}`, { token });
    const absent = await test.call("GET", `/events?session=${"a".repeat(26)}`, { token });
    expect([hidden.status, absent.status]).toEqual([404, 404]);
    const text = await (
      await test.call("GET", "/capsule", { token, headers: { accept: "text/plain" } })
    ).text();
    expect(text).toContain(mine.id);
    expect(text).not.toContain("other");
    for (const { id } of [mine, other]) await close(id);
  });

  it("[EV1] [HT2] names what is wrong with a question", async () => {
    for (const [query, named] of [
      ["types=bell,explosion", "query.types"],
      ["session=x", "query.session"],
      ["since=4", "query.since"],
    ]) {
      const reply = await test.call("GET", `/events?${query}`, { token: test.agentToken });
      const problem = problemSchema.parse(await reply.json());
      expect([reply.status, problem.errors?.[0]?.path]).toEqual([400, named]);
    }
  });
});

describe("capsule through web", () => {
  const capsule = (headers: Record<string, string> = {}) =>
    test.call("GET", "/capsule", { token: test.agentToken, headers });

  it("[CP1] answers 304 until a session's line changes, in either form", async () => {
    const { id } = await cat("build");
    // It is started, and its program found to wait: from then on nothing of its line moves by itself.
    await expect
      .poll(async () => (await host.request("getSession", { params: { id } })).phase, {
        timeout: 20_000,
      })
      .toBe("waiting_input");
    const first = await capsule();
    const body = capsuleSchema.parse(await first.json());
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toBe(`"${body.version}"`);
    expect(body.text).toContain(`${id} "build" `);
    expect(first.headers.get("x-content-type-options")).toBe("nosniff");
    const plain = await capsule({ accept: "text/plain" });
    expect(plain.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(plain.headers.get("etag")).not.toBe(etag);
    expect(await plain.text()).toContain(`${id} "build" `);

    const viewer = host.attach(id, { actor: testOwner });
    await viewer.attached();
    const same = await capsule({ "if-none-match": `W/${etag}, "x"` });
    expect([same.status, await same.text(), same.headers.get("etag")]).toEqual([304, "", etag]);
    await rename(id, "test");
    const moved = await capsule({ "if-none-match": etag });
    expect(moved.status).toBe(200);
    expect(capsuleSchema.parse(await moved.json()).text).toContain(`${id} "test" `);
    await close(id);
  });
});
