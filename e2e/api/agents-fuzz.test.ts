// Issue 3, shown by 5: a thousand malformed bodies, queries and frames over all operations, from a seed, through both processes. Each is
// refused with a code, none with a 5xx, nothing is done, and the memory comes back. The gate's own grammar is attacked in doors.test.ts.
import { Agent, request } from "node:http";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attachProtocol, clientMessageSchema } from "#lib/protocol/attach.ts";
import { problemSchema } from "#lib/protocol/errors.ts";
import { newSessionId } from "#lib/protocol/ids.ts";
import { apiBase, type Operation } from "#lib/protocol/operations/operation.ts";
import { type OperationName, operations } from "#lib/protocol/operations/table.ts";
import { Server } from "../server.ts";
import { Caller, openSocket } from "./caller.ts";
import { inspectable, openLiveMemory } from "./live-memory.ts";

const seed = 20_260_301;
let server: Server;
let agent: Caller;
/** Looks at what became of it: the agent's budget of requests may be used up. */
let owner: Caller;
/** What a signed-in page sends, for the operations on tokens. */
let page: Record<string, string>;
/** A session that prints whatever reaches it. */
let id: string;
const connections = new Agent({ keepAlive: true, maxSockets: 8 });

beforeAll(async () => {
  server = new Server([], inspectable);
  const link = await server.start();
  agent = new Caller(server, await server.token("agent"));
  owner = await Caller.owner(server);
  const code = new URL(link).hash.replace("#code=", "");
  const origin = server.url;
  const reply = await fetch(`${server.url}${apiBase}/login`, {
    method: "POST",
    headers: { "content-type": "application/json", origin },
    body: JSON.stringify({ code }),
  });
  const { key } = (await reply.json()) as { key: string };
  const cookie = (reply.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
  page = { cookie, "x-cotty-key": key, origin };
  ({ id } = await agent.script("stty raw -echo; printf '\\033[?1003hREADY'; exec cat -v"));
  await agent.untilText(id, "READY");
});
afterAll(async () => {
  connections.destroy();
  agent?.dispose();
  owner?.dispose();
  await server?.stop();
});

const names = Object.keys(operations) as OperationName[];
const named = (name: OperationName): Operation => operations[name];

/** A good body of each operation that takes one. */
const bodies: Partial<Record<OperationName, object>> = {
  createSession: { command: ["cat"], name: "n", cols: 80, rows: 24, env: { A: "b" }, tags: ["t"] },
  changeSession: { name: "n", tags: ["t"] },
  resizeSession: { cols: 80, rows: 24 },
  signalSession: { signal: "USR1" },
  writeInput: { input: [{ text: "a", paste: true }, { key: "Enter" }, { raw: "b" }], gap_ms: 10 },
  sendMouse: { type: "click", button: "left", x: 1, y: 2, modifiers: ["ctrl"] },
  createToken: { name: "n", role: "agent", expires_in_ms: 60_000 },
  login: { code: "c" },
  createTicket: { session: newSessionId(), readonly: true },
};
const withBody = Object.keys(bodies) as OperationName[];
const byHost = names.filter((name) => named(name).by === "host");

interface Case {
  name: OperationName;
  query?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Instead of the session that there is. */
  id?: string;
}
interface Answer {
  status: number;
  text: string;
}

function send({ name, query = "", headers = {}, body, id: other }: Case): Promise<Answer> {
  const operation = named(name);
  const isPage = operation.action === "token.manage";
  const credential = isPage ? page : { authorization: `Bearer ${agent.token}` };
  const bytes = body === undefined ? null : Buffer.from(body, "utf8");
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: "127.0.0.1",
        port: server.port,
        agent: connections,
        method: operation.method,
        path: apiBase + operation.path.replace("{id}", other ?? id) + query,
        headers: {
          ...(operation.action === "public" ? {} : credential),
          ...(bytes ? { "content-type": "application/json", "content-length": bytes.length } : {}),
          ...headers,
        },
      },
      (reply) => {
        let text = "";
        reply.setEncoding("utf8");
        reply.on("data", (part: string) => {
          text += part;
        });
        reply.on("end", () => resolve({ status: reply.statusCode ?? 0, text }));
      },
    );
    outgoing.on("error", reject);
    outgoing.end(bytes ?? undefined);
  });
}

/** Sends all of them, eight at a time; which codes came how often. */
async function refuseAll(cases: readonly Case[]): Promise<Map<string, number>> {
  const codes = new Map<string, number>();
  const left = [...cases];
  const worker = async () => {
    for (let one = left.pop(); one; one = left.pop()) {
      const { status, text } = await send(one);
      const shown = JSON.stringify({ ...one, body: one.body?.slice(0, 300) });
      expect(status >= 400 && status < 500, `${status} ${text.slice(0, 200)} for ${shown}`).toBe(
        true,
      );
      const problem = problemSchema.parse(JSON.parse(text));
      expect([problem.status, problem.hint.length > 0], shown).toEqual([status, true]);
      codes.set(problem.code, (codes.get(problem.code) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return codes;
}

const junk = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom(-1, 1.5, 1e308, 2 ** 53, "", "\0", "\ud800", null, true, [], {}, "left", "Enter"),
  fc.string({ unit: "binary", maxLength: 50 }),
);

/** One change somewhere in a good body. */
function mutation(good: object): fc.Arbitrary<unknown> {
  const places: (string | number)[][] = [];
  const walk = (value: unknown, at: (string | number)[]) => {
    places.push(at);
    if (typeof value !== "object" || value === null) return;
    for (const [key, each] of Object.entries(value)) walk(each, [...at, key]);
  };
  walk(good, []);
  const how = fc.constantFrom("replace", "add", "remove");
  return fc
    .tuple(fc.constantFrom(...places), junk, how, fc.string())
    .map(([at, value, act, key]) => {
      const copy = structuredClone(good) as Record<string | number, unknown>;
      const last = at.at(-1);
      if (last === undefined) return act === "add" ? { ...copy, [key]: value } : value;
      let holder: Record<string | number, unknown> = copy;
      for (const step of at.slice(0, -1)) holder = holder[step] as typeof holder;
      if (act === "remove") delete holder[last];
      else if (act === "add") holder[last] = { ...Object(holder[last]), [key]: value };
      else holder[last] = value;
      return copy;
    });
}

const notJson = fc.oneof(
  fc.constantFrom(
    "{",
    "nul",
    "NaN",
    "{}{}",
    '{"a":1,"a":2}',
    '{"__proto__":{"input":[]}}',
    '{"input":[{"text":"\\ud800"}]}',
    "[".repeat(3_000),
    `{"input":${"[".repeat(500)}${"]".repeat(500)}}`,
    `[${"1,".repeat(2_000)}1]`,
    `"${"x".repeat(50_000)}"`,
    `{"x":"${"y".repeat(1_100_000)}"}`,
  ),
  fc.string({ unit: "binary", maxLength: 200 }).map((text) => `${text}{`),
);

function isMalformed(name: OperationName, body: string): boolean {
  try {
    return !named(name).body.safeParse(JSON.parse(body)).success;
  } catch {
    return true;
  }
}

const sample = <T>(what: fc.Arbitrary<T>, count: number, salt: number) =>
  fc.sample(what, { numRuns: count, seed: seed + salt });

function malformedBodies(count: number): Case[] {
  const cases: Case[] = [];
  for (const [n, name] of withBody.entries()) {
    const good = bodies[name] ?? {};
    const texts = fc.oneof(
      { weight: 4, arbitrary: mutation(good).map((body) => JSON.stringify(body) ?? "") },
      { weight: 1, arbitrary: notJson },
    );
    cases.push(
      ...sample(texts, count, n)
        .filter((body) => body !== "" && isMalformed(name, body))
        .map((body) => ({ name, body })),
    );
  }
  // Where none is taken; what web answers itself does not look at one.
  const without = byHost.filter((name) => !(name in bodies));
  for (const body of sample(
    fc.oneof(
      junk.map((value) => JSON.stringify(value)),
      notJson,
    ),
    count,
    99,
  ))
    cases.push({ name: without[cases.length % without.length] ?? "me", body });
  const headers = fc.constantFrom<Record<string, string>>(
    { "content-type": "text/plain" },
    { "content-type": "application/json; charset=latin1" },
    { "content-encoding": "gzip" },
    { "idempotency-key": "with space" },
    { "idempotency-key": "x".repeat(300) },
    { "idempotency-key": "" },
  );
  for (const header of sample(headers, count, 100))
    cases.push({ name: "writeInput", headers: header, body: JSON.stringify(bodies.writeInput) });
  return cases;
}

function malformedQueries(count: number): Case[] {
  const words = ["tag", "since", "view", "format", "signal", "session", "types", "last_event_id"];
  const parameter = fc.tuple(
    fc.oneof(fc.constantFrom(...words, "join_wrapped", "ghost", "__proto__"), fc.string()),
    fc.oneof(
      fc.constantFrom("", "-1", "1e9", "KILL ", "compact,full", "null", "\0", "../../etc", "%"),
      fc.string({ unit: "binary", maxLength: 40 }),
    ),
  );
  const queries = fc.array(parameter, { minLength: 1, maxLength: 4 });
  return byHost.flatMap((name, n) =>
    sample(queries, count, 200 + n)
      .map((pairs) => new URLSearchParams(pairs))
      .filter((query) => {
        const keys = [...query.keys()];
        const isDoubled = new Set(keys).size < keys.length;
        return isDoubled || !named(name).query.safeParse(Object.fromEntries(query)).success;
      })
      .map((query): Case => {
        const body = bodies[name] && { body: JSON.stringify(bodies[name]) };
        return { name, query: `?${query}`, ...body };
      }),
  );
}

const strange = [newSessionId(), "x", "-", "a".repeat(64), newSessionId().toUpperCase()];
const wrongIds = (): Case[] =>
  byHost
    .filter((name) => named(name).path.includes("{id}"))
    .flatMap((name) =>
      strange.map((other): Case => {
        const body = bodies[name] && { body: JSON.stringify(bodies[name]) };
        return { name, id: other, ...body };
      }),
    );

const goodFrames = [
  { type: "resize", cols: 80, rows: 24 },
  { type: "use_my_size", cols: 80, rows: 24 },
  { type: "ack", at: 0 },
  { type: "report", data: "x" },
  { type: "ping", id: 1 },
];

function malformedFrames(count: number): string[] {
  const frames = fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .constantFrom(...goodFrames)
        .chain(mutation)
        .map((frame) => JSON.stringify(frame) ?? ""),
    },
    { weight: 1, arbitrary: notJson.filter((text) => text.length < 1_000_000) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '{"type":"ack","at":9007199254740991}',
        "",
        "null",
        "[]",
        '{"type":"nope"}',
      ),
    },
  );
  return sample(frames, count * 2, 300)
    .filter((frame) => {
      try {
        const json = JSON.parse(frame);
        return json?.type === "ack" ? json.at !== 0 : !clientMessageSchema.safeParse(json).success;
      } catch {
        return true;
      }
    })
    .slice(0, count);
}

/** The code that the socket is closed with, or that of the error it is told. */
function refuseFrame(frame: string): Promise<string> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${agent.token}` };
    const socket = openSocket(agent.attachUrl(id), headers, [attachProtocol]);
    socket.on("open", () => socket.send(frame));
    socket.on("message", (data: Buffer, isBinary) => {
      if (isBinary) return;
      const message = JSON.parse(data.toString()) as { type: string; code?: string };
      if (message.type !== "error" || message.code === "BAD_REQUEST") return;
      resolve(message.code ?? "");
      socket.close();
    });
    socket.on("close", (code) => resolve(String(code)));
  });
}

async function refuseFrames(frames: readonly string[]): Promise<Map<string, number>> {
  const codes = new Map<string, number>();
  const left = [...frames];
  const worker = async () => {
    for (let frame = left.pop(); frame !== undefined; frame = left.pop()) {
      const code = await refuseFrame(frame);
      expect(["4400", "BAD_SIZE"], frame.slice(0, 300)).toContain(code);
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return codes;
}

describe.sequential("a thousand things that no client should send", () => {
  it("[HT2] [T57] [B131] are 4xx with a code or closed with 4400, do nothing, and cost no memory", {
    timeout: 120_000,
  }, async () => {
    const cases = [...malformedBodies(60), ...malformedQueries(30), ...wrongIds()];
    const frames = malformedFrames(200);
    expect(cases.length + frames.length).toBeGreaterThan(1_000);
    for (const name of [...byHost, ...withBody])
      expect(cases.filter((one) => one.name === name).length, name).toBeGreaterThan(10);
    const state = async () => {
      const { sessions } = await owner.call<{ sessions: object[] }>("GET", "/sessions");
      const tokens = await send({ name: "listTokens" });
      // Who looks, and where the process is, is not what was asked for.
      const lasting = sessions.map((session) => ({ ...session, viewers: 0 }));
      return {
        lasting,
        tokens: JSON.parse(tokens.text).tokens.length,
        screen: await owner.screen(id),
      };
    };
    const before = await state();
    const host = server.hostPid();
    const codes = await refuseAll(cases);
    const closes = await refuseFrames(frames);
    const tally = [...codes, ...closes].map(([code, count]) => `${code} ${count}`);
    console.log(`${cases.length} requests, ${frames.length} frames: ${tally.join(", ")}`);
    for (const code of [
      "BAD_REQUEST",
      "BAD_SIZE",
      "SESSION_NOT_FOUND",
      "TOO_LARGE",
      "UNSUPPORTED_MEDIA_TYPE",
    ])
      expect(codes.get(code) ?? 0, code).toBeGreaterThan(0);

    const after = await state();
    expect(after.lasting).toEqual(before.lasting);
    expect(after.tokens).toBe(before.tokens);
    expect(after.screen.lines).toEqual(before.screen.lines);
    expect(server.hostPid()).toBe(host);
    // The first time compiles code and fills caches with a bound, which is no leak. The same thousand again, after which everything
    // that can be collected is: the memory is back where it was before them.
    const memory = await openLiveMemory(server.stateDir, host);
    const kiB = [(await memory.measure()) / 1024];
    for (let time = 0; time < 2; time += 1) {
      await refuseAll(cases);
      await refuseFrames(frames);
      kiB.push((await memory.measure()) / 1024);
    }
    memory.close();
    console.log(`live memory of the host, before and after: ${kiB.map(Math.round).join(", ")} KiB`);
    // What the collector has not come to yet; a leak of 600 bytes per request would be more.
    expect((kiB[2] ?? 0) - (kiB[1] ?? 0)).toBeLessThan(1_024);
  });
});
