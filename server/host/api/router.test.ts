import { Readable } from "node:stream";
import fc from "fast-check";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { type Actor, actorHeader, encodeActor, hostKeyHeader } from "#lib/protocol/actor.ts";
import { type Problem, problemSchema, TermError } from "#lib/protocol/errors.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { Operation } from "#lib/protocol/operations/operation.ts";
import { operations } from "#lib/protocol/operations/table.ts";
import { MemoryCore } from "#server/testing/memory-core.ts";
import { CallerCheck } from "./caller.ts";
import { createRouter } from "./router.ts";

const key = "k".repeat(64);
const owner: Actor = { kind: "human", id: "o1", name: "Ölga ✓", role: "owner" };
const credentials = { [hostKeyHeader]: key, [actorHeader]: encodeActor(owner) };

describe("router", () => {
  let core: MemoryCore;
  let router: ReturnType<typeof createRouter>;
  let logged: { fields: object; message: string }[];
  let id: string;

  beforeEach(async () => {
    core = new MemoryCore();
    logged = [];
    const error = (fields: object, message: string) => void logged.push({ fields, message });
    const log = { info: () => {}, warn: () => {}, error };
    router = createRouter({ core, caller: new CallerCheck(key), log });
    id = (await core.create(owner, { tags: ["a"] })).id;
    core.acts.length = 0;
  });

  const call = async (method: string, path: string, init: RequestInit = {}) =>
    router.request(path, {
      method,
      ...init,
      headers: { ...credentials, ...(init.headers as Record<string, string>) },
    });

  const json = (method: string, path: string, body: unknown) =>
    call(method, path, {
      body: typeof body === "string" ? body : JSON.stringify(body),
      headers: { "content-type": "application/json" },
    });

  async function problem(response: Response): Promise<Problem> {
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    const body = problemSchema.parse(await response.json());
    expect(body.status).toBe(response.status);
    expect(body.error).toBe(body.detail);
    expect(body.instance).toBe(response.headers.get("x-cotty-request-id"));
    return body;
  }

  it("[AU1] [I7] [T123] what acts is answered once the audit has it, refusals too; looks wait for nothing", async () => {
    let keep = () => {};
    core.settling = new Promise<void>((resolve) => {
      keep = resolve;
    });
    let answered = 0;
    const count = <T>(reply: Promise<T>) => reply.finally(() => answered++);
    const path = `/api/v1/sessions/${id}`;
    const acts = [
      count(json("POST", `${path}/input`, { input: [{ text: "a" }] })),
      count(json("POST", "/api/v1/sessions", {})),
      count(json("POST", `${path}/input`, { input: 1 })),
      count(call("GET", "/api/v1/sessions/nobody")),
    ];
    expect((await call("GET", path)).status).toBe(200);
    expect((await call("GET", "/api/v1/sessions")).status).toBe(200);
    await vi.waitFor(() => expect(core.acts.map(({ act }) => act)).toContain("write"));
    // Every reply had its turns meanwhile.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(answered).toBe(0);
    keep();
    expect((await Promise.all(acts)).map(({ status }) => status)).toEqual([200, 201, 400, 404]);
  });

  it("[OP1] answers each operation of the table that is the host's", async () => {
    const base = "/api/v1/sessions";
    expect((await json("POST", base, { name: "n", cols: 100 })).status).toBe(201);
    expect((await (await call("GET", `${base}?tag=a`)).json()).sessions).toHaveLength(1);
    expect((await call("GET", `${base}/${id}`)).status).toBe(200);
    expect((await (await json("PATCH", `${base}/${id}`, { name: "x" })).json()).name).toBe("x");
    expect(
      (await (await json("POST", `${base}/${id}/resize`, { cols: 90, rows: 9 })).json()).cols,
    ).toBe(90);
    expect((await json("POST", `${base}/${id}/signal`, { signal: "INT" })).status).toBe(200);
    const written = await json("POST", `${base}/${id}/input`, {
      input: [{ text: "a" }, { key: "Enter" }],
    });
    expect(await written.json()).toEqual({ written: 2 });
    expect((await (await call("GET", "/api/v1/me")).json()).actor).toEqual(owner);
    const closed = await call("DELETE", `${base}/${id}?signal=KILL`);
    expect([closed.status, await closed.text()]).toEqual([204, ""]);
    expect(core.acts.at(-1)).toEqual({ act: "close", value: "KILL" });
  });

  it("[OP1] an empty body creates a session; everything in it is optional", async () => {
    expect((await call("POST", "/api/v1/sessions")).status).toBe(201);
    expect((await json("POST", "/api/v1/sessions", {})).status).toBe(201);
  });

  it("[HO4] [T103] without the key or the actor nothing is answered but 401", async () => {
    const path = "/api/v1/sessions";
    const attempts: Record<string, string>[] = [
      {},
      { [hostKeyHeader]: key },
      { [actorHeader]: credentials[actorHeader] ?? "" },
      { ...credentials, [hostKeyHeader]: `${key}x` },
      { ...credentials, [hostKeyHeader]: "" },
      { ...credentials, [actorHeader]: "garbage!" },
      { ...credentials, [actorHeader]: encodeActor({ ...owner, role: "root" as "owner" }) },
    ];
    for (const headers of attempts) {
      for (const target of [path, "/api/v1/nothing", "/"]) {
        const response = await router.request(target, { headers });
        expect((await problem(response)).code).toBe("UNAUTHENTICATED");
      }
    }
    expect(core.acts).toEqual([]);
  });

  it.each([
    [{ colz: 80 }, "body.colz", "is not a known field"],
    [{ cols: "80" }, "body.cols", 'must be a number, not "80"'],
    [{ cols: 1.5 }, "body.cols", "must be a whole number, not 1.5"],
    [{ rows: 501 }, "body.rows", "must be at most 500, not 501"],
    [{ cols: 0 }, "body.cols", "must be at least 2, not 0"],
    [{ command: [] }, "body.command", "must be at least 1 element"],
    [{ command: "sh" }, "body.command", 'must be an array, not "sh"'],
    [{ command: ["a\0b"] }, "body.command.0", "contains NUL"],
    [{ name: "" }, "body.name", 'must be at least 1 character, not ""'],
    [{ env: { "A B": "1" } }, "body.env.A B", "has a key that is not allowed"],
    [[], "body", "must be an object"],
    ["null", "body", "must be an object, not null"],
    ['"x"', "body", 'must be an object, not "x"'],
    ['{"cols":1e309}', "body.cols", "must be a number, not Infinity"],
    ['{"cols":80,"cols":81}', "body.cols", "is given twice"],
    ['{"__proto__":{"polluted":1}}', "body.__proto__", "is not a known field"],
    ['{"constructor":{"prototype":{"polluted":1}}}', "body.constructor", "is not a known field"],
    [`{"name":${"[".repeat(100_000)}`, "body.name.0.0.0.0.0.0.0", "is nested deeper than 8"],
    ['{"name":"\\ud800"}', "body.name", "holds half of a surrogate pair"],
    ["{", "body", "is not JSON"],
  ])("[HT2] create with %.60j is refused and names the field", async (body, path, message) => {
    const response = await json("POST", "/api/v1/sessions", body);
    const { code, errors, status } = await problem(response);
    expect(status).toBe(400);
    expect(["BAD_REQUEST", "BAD_SIZE"]).toContain(code);
    expect(errors).toEqual([{ path, message }]);
    expect(core.acts).toEqual([]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it("[PT7] [B055] [T6B] a size outside the range is BAD_SIZE, at create and at resize", async () => {
    for (const cols of [0, 1, -1, 1.5, null, "80", true, 1001, 70_000, 2_147_483_647]) {
      for (const path of ["/api/v1/sessions", `/api/v1/sessions/${id}/resize`]) {
        const { code, detail } = await problem(await json("POST", path, { cols, rows: 24 }));
        expect(code).toBe("BAD_SIZE");
        expect(detail).toContain(String(cols));
      }
    }
    expect(core.acts).toEqual([]);
  });

  it("[IN1] [B131] a bad element of an input batch is named by its index and nothing is written", async () => {
    const path = `/api/v1/sessions/${id}/input`;
    const rows: [unknown, string][] = [
      [[{ text: "ok" }, { txt: "tail" }], "body.input.1"],
      [[{ text: "a", key: "Enter" }], "body.input.0"],
      [[{ text: "ok" }, 7], "body.input.1"],
      [[{ key: "" }], "body.input.0.key"],
      [[{ text: "ok" }, { text: 1 }], "body.input.1.text"],
      [[], "body.input"],
      [Array.from({ length: 1_001 }, () => ({ text: "" })), "body.input"],
      [undefined, "body.input"],
    ];
    for (const [input, expected] of rows) {
      const { errors } = await problem(await json("POST", path, { input }));
      expect(
        errors?.[0]?.path.startsWith(expected),
        `${expected} in ${JSON.stringify(errors)}`,
      ).toBe(true);
    }
    expect(core.acts).toEqual([]);
  });

  it("[HT1] an error never repeats what was to be typed or what is in the environment", async () => {
    const secret = "hunter2hunter2";
    const input = await json("POST", `/api/v1/sessions/${id}/input`, {
      input: [{ text: [secret] }, { [secret]: secret }, secret],
    });
    const body = await input.text();
    expect(body.replaceAll(`input.1.${secret}`, "")).not.toContain(secret);
    const env = await json("POST", "/api/v1/sessions", { env: { A: `${secret}\0` } });
    expect(await env.text()).not.toContain(secret);
  });

  it("[HT2] a wrong method is 405 and names the right ones", async () => {
    const rows: [string, string, string][] = [
      ["PUT", "/api/v1/sessions", "POST, GET, HEAD"],
      ["POST", `/api/v1/sessions/${id}`, "GET, HEAD, PATCH, DELETE"],
      ["GET", `/api/v1/sessions/${id}/input`, "POST"],
      ["OPTIONS", "/api/v1/me", "GET, HEAD"],
      ["DELETE", `/api/v1/sessions/${id}/attach`, "GET, HEAD"],
    ];
    for (const [method, path, allow] of rows) {
      const response = await call(method, path);
      expect((await problem(response)).code).toBe("METHOD_NOT_ALLOWED");
      expect(response.headers.get("allow")).toBe(allow);
    }
    expect((await call("HEAD", "/api/v1/sessions")).status).toBe(200);
    expect((await problem(await call("GET", `/api/v1/sessions/${id}/attach`))).code).toBe(
      "BAD_REQUEST",
    );
  });

  it.each(["/api/v1/nope", "/api/v2/sessions", "/api", "/", "/api/v1/sessions/", "/api/v1/login"])(
    "[HT2] the unknown path %s is 404 in JSON",
    async (path) => {
      expect((await problem(await call("GET", path))).code).toBe("NOT_FOUND");
    },
  );

  it("[B131] [T58] an id that cannot be one is answered as one that is not there", async () => {
    const ids = [
      "nope",
      "a".repeat(26),
      "..%2f..%2fetc",
      "%00",
      "A".repeat(26),
      "%ff",
      "x".repeat(3_000),
    ];
    for (const bad of ids) {
      for (const suffix of ["", "/screen"]) {
        const response = await call("GET", `/api/v1/sessions/${bad}${suffix}`);
        expect((await problem(response)).code, bad).toBe("SESSION_NOT_FOUND");
      }
    }
  });

  it("[HT2] unknown, repeated and wrong query fields are named", async () => {
    const rows: [string, string][] = [
      ["/api/v1/sessions?tag=a&x=1", "query.x"],
      ["/api/v1/sessions?tag=a&tag=b", "query.tag"],
      ["/api/v1/sessions?__proto__=1", "query.__proto__"],
      ["/api/v1/sessions?constructor=1", "query.constructor"],
      [`/api/v1/sessions/${id}/screen?format=pdf`, "query.format"],
      ["/api/v1/me?a", "query.a"],
    ];
    for (const [path, field] of rows) {
      expect((await problem(await call("GET", path))).errors?.[0]?.path).toBe(field);
    }
    const closing = await call("DELETE", `/api/v1/sessions/${id}?signal=STOP`);
    expect((await problem(closing)).errors?.[0]?.path).toBe("query.signal");
    expect((await problem(await call("GET", `/api/v1/me?${"a".repeat(5_000)}`))).code).toBe(
      "URI_TOO_LONG",
    );
  });

  it("[HT2] another content type, an encoding or a body where none belongs is refused", async () => {
    const types = [
      "text/plain",
      "application/x-www-form-urlencoded",
      "application/json; charset=utf-16",
      "application/jsonp",
      "",
    ];
    for (const type of types) {
      const response = await call("POST", "/api/v1/sessions", {
        body: "{}",
        headers: { "content-type": type },
      });
      expect((await problem(response)).code, type).toBe("UNSUPPORTED_MEDIA_TYPE");
    }
    const zipped = await call("POST", "/api/v1/sessions", {
      body: "{}",
      headers: { "content-type": "application/json", "content-encoding": "gzip" },
    });
    expect((await problem(zipped)).code).toBe("UNSUPPORTED_MEDIA_TYPE");
    expect(
      (await problem(await json("DELETE", `/api/v1/sessions/${id}`, {}))).errors?.[0]?.path,
    ).toBe("body");
    const utf8 = await call("POST", "/api/v1/sessions", {
      body: new Uint8Array([0x22, 0xff, 0x22]),
      headers: { "content-type": "application/json" },
    });
    expect((await problem(utf8)).errors).toEqual([{ path: "body", message: "is not UTF-8" }]);
    expect(core.acts).toEqual([]);
    for (const type of [
      "application/json",
      "Application/JSON;charset=UTF-8",
      'application/json; charset="utf-8"',
    ]) {
      const response = await call("POST", "/api/v1/sessions", {
        body: "{}",
        headers: { "content-type": type },
      });
      expect(response.status, type).toBe(201);
    }
  });

  it("[HT2] a body over 1 MiB is 413, declared or chunked, and not read to its end", async () => {
    const declared = await json("POST", "/api/v1/sessions", `"${"x".repeat(limits.bodyBytes)}"`);
    expect((await problem(declared)).code).toBe("TOO_LARGE");
    let sent = 0;
    const endless = Readable.toWeb(
      new Readable({
        highWaterMark: 0,
        read() {
          sent += 65_536;
          this.push(Buffer.alloc(65_536, 0x20));
        },
      }),
    );
    const chunked = await call("POST", "/api/v1/sessions", {
      body: endless as unknown as ReadableStream,
      duplex: "half",
      headers: { "content-type": "application/json" },
    } as RequestInit);
    expect((await problem(chunked)).code).toBe("TOO_LARGE");
    expect(sent).toBeLessThan(2 * limits.bodyBytes);
    const whole = `"${"x".repeat(limits.bodyBytes - 2)}"`;
    expect((await problem(await json("POST", "/api/v1/sessions", whole))).code).toBe("BAD_REQUEST");
  });

  it("[T136] a fault in any operation is 500 without a word of its cause, and the log has it", async () => {
    core.fault = new Error("secret detail at /some/path");
    const at = `/api/v1/sessions/${id}`;
    const calls = [
      () => call("POST", "/api/v1/sessions"),
      () => call("GET", "/api/v1/sessions"),
      () => call("GET", at),
      () => json("PATCH", at, { name: "x" }),
      () => call("DELETE", at),
      () => json("POST", `${at}/resize`, { cols: 80, rows: 24 }),
      () => json("POST", `${at}/signal`, { signal: "INT" }),
      () => call("GET", `${at}/screen`),
      () => call("GET", `${at}/output`),
      () => call("GET", `${at}/commands`),
      () => call("GET", `${at}/commands/latest`),
      () => call("GET", `${at}/commands/0/output`),
      () => json("POST", `${at}/input`, { input: [{ text: "x" }] }),
      () => json("POST", `${at}/mouse`, { type: "click", x: 0, y: 0 }),
      () => json("POST", `${at}/wait`, {}),
      () => json("POST", "/api/v1/wait", {}),
      () => json("POST", `${at}/act`, { input: [{ text: "x" }] }),
      () => call("GET", `${at}/explain`),
      () => call("GET", `${at}/audit`),
      () => call("GET", `${at}/writes`),
      () => call("GET", `${at}/agent_view`),
      () => call("GET", "/api/v1/audit"),
      () => call("GET", `${at}/lease`),
      () => json("POST", `${at}/lease`, { action: "hold" }),
      () => json("PUT", `${at}/access`, { level: "observe" }),
      () => json("POST", `${at}/request_human`, { reason: "x" }),
      () => call("GET", "/api/v1/events"),
      () => call("GET", "/api/v1/capsule"),
      () => call("GET", "/api/v1/profiles"),
      () => call("GET", "/api/v1/me"),
    ];
    const hosts = Object.values<Operation>(operations).filter(({ by }) => by === "host");
    expect(calls).toHaveLength(hosts.length);
    for (const run of calls) {
      const response = await run();
      const text = await response.clone().text();
      expect((await problem(response)).code).toBe("INTERNAL");
      expect(text).not.toMatch(/secret|path|stack|\.ts/i);
    }
    expect(logged).toHaveLength(calls.length);
  });

  it("[HT1] a refusal keeps its code, its hint and when to come back", async () => {
    core.fault = new TermError("INPUT_BACKLOG", "3 bytes too many", { retryAfterMs: 1_500.2 });
    const response = await call("GET", `/api/v1/sessions/${id}`, {
      headers: { "x-cotty-request-id": "req-7" },
    });
    expect(await problem(response)).toMatchObject({
      code: "INPUT_BACKLOG",
      status: 429,
      instance: "req-7",
      retry_after_ms: 1_501,
      hint: expect.stringMatching(/\.$/),
    });
    expect(response.headers.get("retry-after")).toBe("2");
    expect(logged).toEqual([]);
  });

  it("[HT2] [T57] 1,000 malformed requests: always an answer, never 5xx, and the memory comes back", async () => {
    const paths = Object.values<Operation>(operations)
      .filter(({ by }) => by === "host")
      .map(({ method, path }) => ({ method, path: `/api/v1${path.replace("{id}", id)}` }));
    const valid = JSON.stringify({
      input: [{ text: "a" }, { key: "Enter" }],
      cols: 80,
      rows: 24,
      signal: "INT",
      name: "n",
    });
    const damaged = fc
      .array(
        fc.record({
          at: fc.nat(valid.length),
          cut: fc.nat(5),
          put: fc.string({ unit: fc.constantFrom(...'{}[]",:\\ud8\u0000é€1e-9nul') }),
        }),
        { minLength: 1, maxLength: 4 },
      )
      .map((edits) =>
        edits.reduce(
          (text, { at, cut, put }) => text.slice(0, at) + put + text.slice(at + cut),
          valid,
        ),
      );
    const body = fc.oneof(damaged, fc.json(), fc.string({ unit: "binary" }), fc.constant(valid));
    const query = fc.oneof(
      fc.constant(""),
      fc.webQueryParameters().map((text) => `?${text}`),
    );
    const before = await heapAfterCollection();
    const statuses = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...paths),
        body,
        query,
        fc.boolean(),
        async (target, text, search, typed) => {
          const takesBody = target.method !== "GET";
          const response = await call(target.method, target.path + search, {
            ...(takesBody ? { body: text } : {}),
            headers: typed ? { "content-type": "application/json" } : {},
          });
          statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
          if (response.status >= 400) {
            // The memory core has no screen: its one honest fault.
            if (target.path.endsWith("/screen") && response.status === 500) return;
            expect((await problem(response)).status).toBeLessThan(500);
          }
        },
      ),
      { numRuns: 1_000, seed: 131 },
    );
    core.sessions.clear();
    core.acts.length = 0;
    logged.length = 0;
    expect((await heapAfterCollection()) - before).toBeLessThan(16 * 1024 * 1024);
    expect(statuses.get(400)).toBeGreaterThan(100);
  });
});

async function heapAfterCollection(): Promise<number> {
  const { setFlagsFromString } = await import("node:v8");
  const { runInNewContext } = await import("node:vm");
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}
