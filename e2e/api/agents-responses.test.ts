// Issue 3, shown by 4: every response that /openapi.json documents is one that this test received, code by code, and none came that it does
// not document. Web and host are the real ones, with terminals, in this process: so that their clocks can be stopped and the host ended.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Clock, systemClock } from "#lib/base/clock.ts";
import { problemSchema } from "#lib/protocol/errors.ts";
import { newSessionId } from "#lib/protocol/ids.ts";
import { limits } from "#lib/protocol/limits.ts";
import { apiBase, type Operation } from "#lib/protocol/operations/operation.ts";
import { type OperationName, operations } from "#lib/protocol/operations/table.ts";
import { createLoginCode, createToken } from "#server/state/credential-store.ts";
import { startTestHost, type TestHost } from "#server/testing/test-host.ts";
import { startTestWeb, type TestLogin, type TestWeb } from "#server/testing/test-web.ts";
import { until } from "./caller.ts";

interface Documented {
  paths: Record<string, Record<string, DocumentedOperation>>;
}
interface DocumentedOperation {
  operationId: string;
  responses: Record<string, { description: string; content?: Record<string, unknown> }>;
}
interface Answer {
  status: number;
  type: string;
  text: string;
}

/** A clock that can be stopped and set forward. */
class TestClock {
  private stoppedAt: number | null = null;
  private aheadMs = 0;
  readonly clock: Clock = {
    ...systemClock,
    now: () => systemClock.now() + this.aheadMs,
    monotonic: () => this.now(),
  };
  private now(): number {
    return this.stoppedAt ?? systemClock.monotonic() + this.aheadMs;
  }
  stop(): void {
    this.stoppedAt = this.now();
  }
  goOn(aheadMs = 0): void {
    this.stoppedAt = null;
    this.aheadMs += aheadMs;
  }
}

const folder = mkdtempSync(join(tmpdir(), "cotty-responses-"));
const hostClock = new TestClock();
const webClock = new TestClock();
const maxSessions = 12;
let host: TestHost;
let web: TestWeb;
let login: TestLogin;
let viewerToken: string;
/** Runs, reads lines, tracks no mouse. */
let cat: string;
/** Has ended. */
let ended: string;
/** Has announced a command, as a shell does. */
let shell: string;
/** Tracks the mouse, in raw mode, and reads everything. */
let raw: string;
let documented: Map<string, DocumentedOperation>;

/** What came, as `operation status code`; the code is empty for what is no refusal. */
const received = new Set<string>();

beforeAll(async () => {
  // The machine's terminals, until it has none left.
  const real = createRequire(import.meta.url).resolve("@lydell/node-pty");
  const module = join(folder, "terminals.cjs");
  writeFileSync(
    module,
    `const real = require(${JSON.stringify(real)});
    exports.spawn = (...given) => {
      if (globalThis.cottyTestHasNoTerminals) throw new Error("openpty(3) failed: out of devices");
      return real.spawn(...given);
    };`,
  );
  const configFile = join(folder, "config.json");
  const kept = { name: "Sealed", command: ["/bin/cat"], access: "sealed" };
  writeFileSync(configFile, JSON.stringify({ profiles: [kept] }));
  host = await startTestHost({
    maxSessions,
    ptyModules: [module],
    clock: hostClock.clock,
    configFile,
  });
  web = await startTestWeb({ host: host.host, clock: webClock.clock });
  login = await web.login();
  viewerToken = web.token({ role: "viewer" });
  cat = await session("exec cat");
  raw = await session(
    "trap '' USR1; stty raw -echo; printf '\\033[?1000h'; printf READY; exec cat >/dev/null",
  );
  shell = await session(
    "printf '\\033]133;C;cmdline=ls\\007out \\342\\200\\256put\\n\\033]133;D;0\\007DONE'; exec cat",
  );
  ended = await session("exit 0");
  await until("the end", async () => (await screenOf(ended)).includes('"exited":true'));
  await until("the command", async () => (await screenOf(shell)).includes("DONE"));
  await until("the modes", async () => (await screenOf(raw)).includes("READY"));
  const reply = await fetch(`${web.origin}/openapi.json`);
  const document = (await reply.json()) as Documented;
  documented = new Map(
    Object.values(document.paths).flatMap((path) =>
      Object.values(path).map((one) => [one.operationId, one] as const),
    ),
  );
});
afterAll(async () => {
  await web?.dispose();
  await host?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const json = async <T>(reply: Response) => (await reply.json()) as T;

async function session(script: string): Promise<string> {
  const body = { command: ["/bin/sh", "-c", script] };
  const reply = await web.call("POST", "/sessions", { token: web.agentToken, body });
  return (await json<{ id: string }>(reply)).id;
}
async function screenOf(id: string): Promise<string> {
  return (await web.call("GET", `/sessions/${id}/screen`, { token: web.agentToken })).text();
}

/** A request of each operation that succeeds, of the least role that may make it. A new operation needs its row. */
const requests: Record<OperationName, () => Ask> = {
  createSession: () => ({ body: { command: ["/bin/true"] } }),
  listSessions: () => ({}),
  getSession: () => ({ id: cat }),
  changeSession: () => ({ id: cat, body: { name: "a cat" } }),
  closeSession: () => ({ id: cat, query: "signal=KILL" }),
  resizeSession: () => ({ id: cat, body: { cols: 90, rows: 30 } }),
  signalSession: () => ({ id: raw, body: { signal: "USR1" } }),
  readScreen: () => ({ id: cat }),
  readOutput: () => ({ id: cat }),
  listCommands: () => ({ id: shell }),
  getCommand: () => ({ id: shell, index: "latest" }),
  readCommandOutput: () => ({ id: shell, index: "latest" }),
  writeInput: () => ({ id: cat, body: { input: [{ text: "x" }] } }),
  sendMouse: () => ({ id: raw, body: { type: "click", button: "left", x: 1, y: 1 } }),
  readLease: () => ({ id: cat }),
  changeLease: () => ({ id: cat, asPage: true, body: { action: "hand_back" } }),
  setAccess: () => ({ id: cat, asPage: true, body: { level: "collaborate" } }),
  requestHuman: () => ({ id: cat, body: { reason: "what now?" } }),
  readSessionAudit: () => ({ id: cat, asPage: true }),
  listWrites: () => ({ id: cat, asPage: true }),
  readAgentView: () => ({ id: cat, asPage: true }),
  readAudit: () => ({ asPage: true }),
  waitSession: () => ({ id: cat, body: { timeout_ms: 0 } }),
  waitMany: () => ({ body: { sessions: [cat], timeout_ms: 0 } }),
  act: () => ({ id: cat, body: { input: [{ text: "x" }], wait: { timeout_ms: 0 } } }),
  explainSession: () => ({ id: cat }),
  streamEvents: () => ({}),
  readCapsule: () => ({}),
  listProfiles: () => ({}),
  createToken: () => ({ asPage: true, body: { name: "made", role: "agent" } }),
  listTokens: () => ({ asPage: true }),
  revokeToken: () => ({ asPage: true, id: newToken() }),
  health: () => ({}),
  login: () => ({ body: { code: createLoginCode(web.store, { name: "Olga" }).code } }),
  logout: () => ({ asPage: true }),
  createTicket: () => ({ body: { session: cat } }),
  me: () => ({}),
};

const never = [{ text: "never" }];

interface Ask {
  id?: string;
  index?: string;
  query?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** With a browser's login instead of a token. */
  asPage?: boolean;
  /** Instead of the agent's; null: none. */
  token?: string | null;
}

function newToken(): string {
  return createToken(web.store, { name: "to be revoked", role: "agent" }).record.id;
}

const named = (name: OperationName): Operation => operations[name];
const names = Object.keys(operations) as OperationName[];
const byHost = names.filter((name) => named(name).by === "host");

/** The operation's own request, changed by `change`. Whatever comes is judged against the document. */
async function ask(name: OperationName, change: Ask = {}): Promise<string> {
  const {
    id,
    index,
    query,
    body,
    headers = {},
    asPage,
    token,
  } = { ...requests[name](), ...change };
  const operation = named(name);
  const isPublic = operation.action === "public";
  const bearer = token === undefined ? (asPage || isPublic ? null : web.agentToken) : token;
  const filled = operation.path.replace("{id}", id ?? "").replace("{index}", index ?? "");
  const path = filled + (query ? `?${query}` : "");
  const reply = await web.call(operation.method, path, {
    ...(bearer === null ? {} : { token: bearer }),
    headers: { ...(asPage && token === undefined ? login.headers : {}), ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const type = reply.headers.get("content-type") ?? "";
  const text = type === "text/event-stream" ? await firstEvent(reply) : await reply.text();
  return judge(name, { status: reply.status, type, text });
}

/** By hand, with header lines that no client sends. */
async function askRaw(name: OperationName, lines: readonly string[], query = ""): Promise<string> {
  const operation = named(name);
  const filled = operation.path.replace("{id}", newSessionId()).replace("{index}", "latest");
  const path = apiBase + filled + query;
  const answer = await web.raw(operation.method, path, lines);
  const type = answer.headers.get("content-type") ?? "";
  return judge(name, { status: answer.status, type, text: answer.body });
}

/** The data of the first event, which a session's renaming makes happen. */
async function firstEvent(reply: Response): Promise<string> {
  const reader = reply.body?.getReader();
  if (!reader) throw new Error("a stream without a body");
  let text = "";
  for (let n = 0; !text.includes("\n\n") || !/^data: /m.test(text); n += 1) {
    const body = { name: `renamed ${n}` };
    await host.request("changeSession", { params: { id: cat }, body });
    const { value, done } = await reader.read();
    if (done) throw new Error(`the stream ended: ${text}`);
    text += Buffer.from(value).toString();
  }
  await reader.cancel();
  return /^data: (.*)$/m.exec(text)?.[1] ?? "";
}

/** The code of a refusal, else an empty one; what is not in the document, or not as it says, fails. */
function judge(name: OperationName, { status, type, text }: Answer): string {
  const operation = named(name);
  const responses: DocumentedOperation["responses"] =
    documented.get(operation.name)?.responses ?? {};
  const entry = responses[status] ?? responses.default;
  const where = `${operation.name} ${status} ${text.slice(0, 200)}`;
  if (!entry) throw new Error(`not documented: ${where}`);
  const media = Object.keys(entry.content ?? {});
  if (status < 400) {
    expect(responses[status], where).toBeDefined();
    expect(type === "" ? [] : [type], where).toEqual(media);
    // Equal to what the schema makes of it: nothing is missing, and nothing is there that it does not know.
    if (media.length > 0) expect(operation.reply.parse(JSON.parse(text))).toEqual(JSON.parse(text));
    else expect(text, where).toBe("");
    received.add(`${operation.name} ${status}`);
    return "";
  }
  expect([type], where).toEqual(media);
  const problem = problemSchema.parse(JSON.parse(text));
  expect(problem.status, where).toBe(status);
  expect(problem.error, where).toBe(problem.detail);
  if (entry !== responses.default && codesOf(entry.description).includes(problem.code))
    received.add(`${operation.name} ${status} ${problem.code}`);
  else if (isForAll(problem.code)) received.add(`${operation.name} default`);
  else throw new Error(`the code is not documented: ${where}`);
  return problem.code;
}

/** What `default` stands for: said before anybody looks at the operation. */
function isForAll(code: string): boolean {
  return ["BAD_HEADERS", "URI_TOO_LONG", "HEADERS_TOO_LARGE"].includes(code);
}

function codesOf(description: string): string[] {
  return [...description.matchAll(/^`([A-Z_]+)`: /gm)].map(([, code]) => code ?? "");
}

describe.sequential("what /openapi.json documents", () => {
  it("[OP6] has a request here for every operation, and the other way round", () => {
    expect(names.map((name) => named(name).name).sort()).toEqual([...documented.keys()].sort());
  });

  it("[OP6] successes fit their schemas", async () => {
    for (const name of names) {
      if (name === "closeSession" || name === "logout") continue;
      expect([name, await ask(name)]).toEqual([name, ""]);
    }
    const closing = await session("exec cat");
    expect(await ask("closeSession", { id: closing })).toBe("");
    const { headers } = await web.login();
    expect(await ask("logout", { asPage: true, token: null, headers })).toBe("");
    const etag = (await web.call("GET", "/capsule", { token: web.agentToken })).headers.get("etag");
    expect(await ask("readCapsule", { headers: { "if-none-match": etag ?? "" } })).toBe("");
    // The three forms of a screen.
    const { version } = JSON.parse(await screenOf(cat));
    for (const query of ["format=html&join_wrapped=1", "view=compact", `since=${version}`])
      expect(await ask("readScreen", { query })).toBe("");
    expect(await ask("readScreen", { id: ended, query: "format=raw" })).toBe("");
    // One command, and output with something odd in it.
    expect(await ask("getCommand", { index: "1" })).toBe("");
    expect(await ask("readOutput", { id: shell, query: "since=0:0&max_bytes=4096" })).toBe("");
  });

  it("[SE2] [HT2] refusals before the operation", async () => {
    for (const name of names) {
      const operation = named(name);
      const host_ = `Host: ${web.host}`;
      expect(await askRaw(name, ["Host: evil.example"])).toBe("HOST_NOT_ALLOWED");
      expect(await askRaw(name, ["Origin: http://evil.example"])).toBe("ORIGIN_NOT_ALLOWED");
      expect(await askRaw(name, [host_, host_])).toBe("BAD_HEADERS");
      expect(await askRaw(name, [host_], `?${"x".repeat(limits.urlBytes)}`)).toBe("URI_TOO_LONG");
      expect(await askRaw(name, [host_, `X-Long: ${"x".repeat(20_000)}`])).toBe(
        "HEADERS_TOO_LARGE",
      );
      if (operation.action !== "public")
        expect(await askRaw(name, [host_])).toBe("UNAUTHENTICATED");
      if (responsesHave(name, "FORBIDDEN"))
        expect(await ask(name, { asPage: false, token: viewerToken })).toBe("FORBIDDEN");
      if (operation.by === "host")
        expect(await ask(name, { query: "nonsense=1" })).toBe("BAD_REQUEST");
      else if (responsesHave(name, "BAD_REQUEST"))
        expect(await ask(name, { body: { nonsense: 1 } })).toBe("BAD_REQUEST");
      if (responsesHave(name, "UNSUPPORTED_MEDIA_TYPE"))
        expect(
          await ask(name, { headers: { ...pageOf(name), "content-type": "text/plain" } }),
        ).toBe("UNSUPPORTED_MEDIA_TYPE");
      if (responsesHave(name, "TOO_LARGE"))
        expect(await ask(name, { body: { x: "x".repeat(limits.bodyBytes) } })).toBe("TOO_LARGE");
    }
  });

  /** `headers` of a change take the place of the login's. */
  const pageOf = (name: OperationName) => (requests[name]().asPage ? login.headers : {});

  it("[HT1] refusals of one session, and of none", async () => {
    for (const name of names) {
      if (!responsesHave(name, "SESSION_NOT_FOUND")) continue;
      const nowhere = newSessionId();
      const change =
        name === "streamEvents"
          ? { query: `session=${nowhere}` }
          : name === "waitMany"
            ? { body: { sessions: [nowhere] } }
            : { id: nowhere };
      expect(await ask(name, change)).toBe("SESSION_NOT_FOUND");
    }
    for (const name of names)
      if (responsesHave(name, "SESSION_EXITED"))
        expect(await ask(name, { id: ended })).toBe("SESSION_EXITED");
    for (const name of ["createSession", "resizeSession"] as const)
      expect(await ask(name, { body: { cols: 0, rows: 24 } })).toBe("BAD_SIZE");
    for (const [body, code] of [
      [{ cwd: "/no/such/folder" }, "BAD_CWD"],
      [{ command: ["/no/such/program"] }, "BAD_COMMAND"],
      [{ profile: "no-such-profile" }, "BAD_PROFILE"],
    ] as const)
      expect(await ask("createSession", { body })).toBe(code);
    for (const name of ["writeInput", "act"] as const) {
      expect(await ask(name, { body: { input: [{ key: "C-1" }] } })).toBe("UNKNOWN_KEY");
      const line = { input: [{ text: "x".repeat(limits.canonicalLineBytes + 1) }] };
      expect(await ask(name, { body: line })).toBe("LINE_TOO_LONG");
    }
    const pattern = { for: [{ regex: "(" }] };
    expect(await ask("waitSession", { body: pattern })).toBe("BAD_PATTERN");
    expect(await ask("waitMany", { body: pattern })).toBe("BAD_PATTERN");
    expect(await ask("act", { body: { input: [{ text: "x" }], wait: pattern } })).toBe(
      "BAD_PATTERN",
    );
    expect(await ask("sendMouse", { id: cat })).toBe("MOUSE_NOT_REPORTED");
    expect(await ask("revokeToken", { id: "no-such-token" })).toBe("TOKEN_NOT_FOUND");
    for (const name of ["getCommand", "readCommandOutput"] as const)
      expect(await ask(name, { index: "99" })).toBe("COMMAND_NOT_FOUND");
    expect(await ask("login", { body: { code: "no-such-code" } })).toBe("LOGIN_CODE_INVALID");
  });

  it("[IN6] the same key with something else, and while the first is running", async () => {
    for (const name of names) {
      if (!responsesHave(name, "IDEMPOTENCY_MISMATCH")) continue;
      const headers = { "idempotency-key": `mismatch-${name}` };
      const { body } = requests[name]() as { body: Record<string, unknown> };
      expect(await ask(name, { headers })).toBe("");
      const other =
        name === "writeInput" || name === "act"
          ? { gap_ms: 1 }
          : name === "sendMouse"
            ? { x: 2 }
            : { name: "x" };
      expect(await ask(name, { headers, body: { ...body, ...other } })).toBe(
        "IDEMPOTENCY_MISMATCH",
      );
    }
    for (const name of names) {
      if (!responsesHave(name, "IDEMPOTENCY_BUSY")) continue;
      // A line so long that the terminal is asked first.
      const change =
        name === "writeInput"
          ? { id: raw, body: { input: [{ text: "x".repeat(9_000) }] } }
          : name === "act"
            ? { body: { input: [{ text: "x" }], wait: { for: never, timeout_ms: 300 } } }
            : {};
      await until(`${name} to be busy`, async () => {
        const headers = { "idempotency-key": `busy-${name}-${performance.now()}` };
        const all = [0, 1, 2, 3].map(() => ask(name, { ...change, headers }));
        const isBusy = (await Promise.all(all)).includes("IDEMPOTENCY_BUSY");
        // Each try that was too quick made a session, and there is room for 32.
        if (!isBusy) await freeSessions();
        return isBusy;
      });
    }
    await freeSessions();
  });

  it("[LS4] [LS7] [LS9] [DR1] [AC1] [AC2] [CR2] whose hands it is in", {
    timeout: 60_000,
  }, async () => {
    const shared = [cat, raw, shell];
    const each = (name: "changeLease" | "setAccess", body: object) =>
      Promise.all(shared.map((id) => ask(name, { id, body })));
    const all = async (code: string, apart: readonly OperationName[] = []) => {
      for (const name of names)
        if (responsesHave(name, code) && !apart.includes(name))
          expect([name, await ask(name)]).toEqual([name, code]);
    };
    await each("setAccess", { level: "sealed" });
    await all("SEALED", ["createSession"]);
    expect(await ask("createSession", { body: { profile: "Sealed" } })).toBe("SEALED");
    expect([await ask("listSessions"), await ask("readCapsule")]).toEqual(["", ""]);
    await each("setAccess", { level: "observe" });
    await all("READ_ONLY");
    await each("setAccess", { level: "collaborate" });
    await each("changeLease", { action: "take_over" });
    await all("LEASE_DENIED");
    await each("changeLease", { action: "hand_back" });
    await each("changeLease", { action: "treat_as_secret" });
    await all("HUMAN_REQUIRED");
    await each("changeLease", { action: "not_a_password" });

    // Half a line, and another person.
    await each("changeLease", { action: "hand_back" });
    const half = { body: { input: [{ text: "half" }] }, headers: login.headers, token: null };
    expect(await ask("writeInput", half)).toBe("");
    await all("DRAFT_PENDING");
    const other = { token: web.ownerToken };
    for (const name of ["writeInput", "act"] as const) {
      expect(await ask(name, { ...other, token: web.token({ role: "owner" }) })).toBe("HUMAN_BUSY");
    }
    const clear = { body: { action: "clear_line" } };
    const stranger = { ...clear, asPage: false, token: web.token({ role: "owner" }) };
    expect(await ask("changeLease", stranger)).toBe("HUMAN_BUSY");
    expect(await ask("changeLease", clear)).toBe("");
    await each("changeLease", { action: "hand_back" });

    // What waited is dropped when a person takes the keyboard; what a person types may find no room either.
    const full = await session("stty raw -echo; printf READY; exec sleep 600");
    await until("a program that does not read", async () =>
      (await screenOf(full)).includes("READY"),
    );
    const lines = (count: number) => ({ input: [{ raw: "x\r".repeat(count) }] });
    expect(await ask("writeInput", { id: full, body: lines(20_000) })).toBe("");
    for (const name of ["writeInput", "act"] as const) {
      const waits = ask(name, { id: full });
      await until("it to wait in line", async () => {
        await ask("changeLease", { id: full, body: { action: "take_over" } });
        await ask("changeLease", { id: full, body: { action: "hand_back" } });
        return true;
      });
      expect([name, await waits]).toEqual([name, "LEASE_LOST"]);
    }
    for (let count = 256 * 1_024; count >= 1; count = Math.floor(count / 2))
      for (let code = ""; code === ""; )
        code = await ask("writeInput", { ...half, id: full, body: lines(count) });
    // One byte may still find room.
    await ask("changeLease", { ...clear, id: full });
    expect(await ask("changeLease", { ...clear, id: full })).toBe("INPUT_BACKLOG");
    await freeSessions();
  });

  it("[LM] what is full", { timeout: 90_000 }, async () => {
    const stuck = await session("stty raw -echo; printf '\\033[?1000hREADY'; exec sleep 600");
    await until("a program that does not read", async () =>
      (await screenOf(stuck)).includes("READY"),
    );
    for (let size = 512 * 1_024; size >= 1; size = Math.floor(size / 2)) {
      const body = { input: [{ text: "x".repeat(size) }] };
      for (let code = ""; code === ""; ) code = await ask("writeInput", { id: stuck, body });
    }
    expect(await ask("writeInput", { id: stuck })).toBe("INPUT_BACKLOG");
    expect(await ask("act", { id: stuck })).toBe("INPUT_BACKLOG");
    expect(await ask("sendMouse", { id: stuck })).toBe("INPUT_BACKLOG");

    let code = "";
    for (let n = 0; code === "" && n <= maxSessions; n += 1) code = await ask("createSession");
    expect(code).toBe("TOO_MANY_SESSIONS");
    await freeSessions();

    const streams: Response[] = [];
    for (let n = 0; n < limits.streamsPerPrincipal; n += 1)
      streams.push(await web.call("GET", "/events", { token: viewerToken }));
    expect(await ask("streamEvents", { token: viewerToken })).toBe("TOO_MANY_SOCKETS");
    for (const stream of streams) await stream.body?.cancel();

    for (code = ""; code === ""; ) code = await ask("createTicket", { token: viewerToken });
    expect(code).toBe("TOO_MANY_SOCKETS");

    // One wait over many sessions counts for each of them.
    const { token, record } = createToken(web.store, { name: "patient", role: "agent" });
    const actor = { kind: "agent", id: record.id, name: record.name, role: "agent" } as const;
    const sessions = [cat, raw];
    for (let n = 0; n < 6; n += 1) sessions.push(await session("exec cat"));
    const gone = new AbortController();
    const waits = Array.from({ length: Math.floor(limits.waitsPerActor / sessions.length) }, () =>
      host.endpoint
        .request("POST", `${apiBase}/wait`, {
          actor,
          body: { sessions, for: never },
          signal: gone.signal,
        })
        .catch(() => {}),
    );
    await until("as many waits as there may be", async () => {
      const body = { sessions, for: never, timeout_ms: 0 };
      return (await ask("waitMany", { token, body })) === "TOO_MANY_WAITS";
    });
    for (const name of ["waitSession", "act"] as const) {
      // What is left takes single ones.
      const body = { ...(requests[name]().body as object) };
      const change = name === "act" ? { wait: { for: never } } : { for: never };
      const singles = Array.from({ length: limits.waitsPerActor % sessions.length }, () =>
        host.endpoint
          .request("POST", `${apiBase}/sessions/${cat}/wait`, {
            actor,
            body: { for: never },
            signal: gone.signal,
          })
          .catch(() => {}),
      );
      waits.push(...singles);
      await until(`${name} to find no place`, async () => {
        const timeout = name === "act" ? { wait: { timeout_ms: 0 } } : { timeout_ms: 0 };
        return (
          (await ask(name, { token, body: { ...body, ...change, ...timeout } })) ===
          "TOO_MANY_WAITS"
        );
      });
    }
    gone.abort();
    await Promise.all(waits);
    await until("the waits of those who have gone to be free", async () => {
      const body = { sessions, for: never, timeout_ms: 0 };
      return (await ask("waitMany", { token, body })) === "";
    });

    for (let n = 0; n < limits.tokens; n += 1) newToken();
    expect(await ask("createToken")).toBe("TOO_MANY_TOKENS");
  });

  it("[PT1] [PT2] no terminals: turned off, not to be had, or none left", async () => {
    const globals = globalThis as { cottyTestHasNoTerminals?: boolean };
    globals.cottyTestHasNoTerminals = true;
    expect(await ask("createSession")).toBe("PTY_SPAWN_FAILED");
    const broken = join(import.meta.dirname, "../../server/testing/broken-pty.cjs");
    const usual = [host, web] as const;
    for (const [options, code] of [
      [{ noTerminal: true }, "TERMINALS_DISABLED"],
      [{ ptyModules: [broken] }, "TERMINALS_UNAVAILABLE"],
    ] as const) {
      host = await startTestHost(options);
      web = await startTestWeb({ host: host.host });
      expect(await ask("createSession")).toBe(code);
      await web.dispose();
      await host.dispose();
    }
    [host, web] = usual;
    globals.cottyTestHasNoTerminals = false;
  });

  it("[T37] too many failed credentials", async () => {
    webClock.stop();
    const wrong = "cot_agt_wrong";
    for (let n = 0; n < limits.failuresPerSource; n += 1)
      expect(await ask("me", { token: wrong })).toBe("UNAUTHENTICATED");
    for (const name of names)
      if (named(name).action !== "public")
        expect([name, await ask(name, { token: wrong })]).toEqual([name, "TOO_MANY_ATTEMPTS"]);
    const code = { body: { code: "wrong" } };
    let said = "";
    for (let n = 0; said !== "TOO_MANY_ATTEMPTS" && n <= limits.failuresPerSource; n += 1)
      said = await ask("login", code);
    expect(said).toBe("TOO_MANY_ATTEMPTS");
    webClock.goOn(3_600_000);
    // An hour after signing in.
    expect(await ask("createToken")).toBe("REAUTH");
  });

  it("[LM] too many requests", { timeout: 90_000 }, async () => {
    const { token, record } = createToken(web.store, { name: "eager", role: "owner" });
    const actor = { kind: "human", id: record.id, name: record.name, role: "owner" } as const;
    hostClock.stop();
    for (let sent = 0; sent < limits.requestBurst; sent += 20)
      await Promise.all(
        Array.from({ length: 20 }, () => host.raw("GET", `${apiBase}/me`, { actor })),
      );
    for (const name of byHost)
      expect([name, await ask(name, { token })]).toEqual([name, "TOO_FAST"]);
    hostClock.goOn();
  });

  it("[HO6] a host that has ended", async () => {
    await host.host.stop();
    for (const name of byHost) expect([name, await ask(name)]).toEqual([name, "HOST_LOST"]);
  });

  it("[OP6] all of it was received", () => {
    const wanted = [...documented.values()].flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([status, { description }]) => {
        const codes = status === "default" ? [] : codesOf(description);
        const all = codes.length > 0 ? codes.map((code) => `${status} ${code}`) : [status];
        return all.map((one) => `${operationId} ${one}`);
      }),
    );
    console.log(`${wanted.length} documented responses of ${documented.size} operations`);
    expect(wanted.filter((one) => !received.has(one))).toEqual([]);
  });
});

function responsesHave(name: OperationName, code: string): boolean {
  const { responses = {} } = documented.get(named(name).name) ?? {};
  return Object.values(responses).some(({ description }) => codesOf(description).includes(code));
}

/** All but the four that the requests speak of. */
async function freeSessions(): Promise<void> {
  const reply = await web.call("GET", "/sessions", { token: web.agentToken });
  const { sessions } = await json<{ sessions: { id: string }[] }>(reply);
  const others = sessions.filter(({ id }) => ![cat, raw, shell, ended].includes(id));
  await Promise.all(
    others.map(({ id }) =>
      host.request("closeSession", { params: { id }, query: { signal: "KILL" } }),
    ),
  );
}
