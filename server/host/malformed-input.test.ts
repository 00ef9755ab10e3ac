// B131: a thousand malformed bodies for input and mouse, from a seed: each is a 4xx with a code, none reaches the program.
import { request } from "node:http";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { problemSchema } from "#lib/protocol/errors.ts";
import { inputSchema } from "#lib/protocol/input.ts";
import { limits } from "#lib/protocol/limits.ts";
import { mouseEventSchema } from "#lib/protocol/mouse.ts";
import { ProbeSession } from "#server/testing/probe-session.ts";
import { startTestHost, type TestHost, testAgent } from "#server/testing/test-host.ts";

let host: TestHost;
beforeAll(async () => {
  host = await startTestHost();
});
afterAll(async () => {
  await host.dispose();
});

interface Answer {
  status: number;
  text: string;
}

function send(path: string, body: Buffer, type: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        socketPath: host.endpoint.socketPath,
        method: "POST",
        path,
        agent: false,
        headers: {
          ...host.endpoint.headers(testAgent, "fuzz"),
          host: "host.invalid",
          "content-type": type,
          "content-length": body.length,
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
    outgoing.end(body);
  });
}

const junk = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom(
    -1,
    1.5,
    1e308,
    -0,
    2 ** 53,
    "",
    "\0",
    "\ud800",
    null,
    true,
    [],
    {},
    "left",
    "Enter",
  ),
  fc.string({ unit: "binary", maxLength: 50 }),
);

const wellFormed = {
  input: { input: [{ text: "a" }, { key: "Enter" }, { raw: "b" }], gap_ms: 10 },
  mouse: { type: "click", button: "left", x: 1, y: 2, modifiers: ["ctrl"] },
};

/** One change somewhere in a good body. */
function mutation(good: object): fc.Arbitrary<unknown> {
  const places: (string | number)[][] = [];
  const walk = (value: unknown, at: (string | number)[]) => {
    places.push(at);
    if (Array.isArray(value)) for (const [i, each] of value.entries()) walk(each, [...at, i]);
    else if (typeof value === "object" && value !== null)
      for (const [key, each] of Object.entries(value)) walk(each, [...at, key]);
  };
  walk(good, []);
  return fc
    .tuple(
      fc.constantFrom(...places),
      junk,
      fc.constantFrom("replace", "add", "remove"),
      fc.string(),
    )
    .map(([at, value, how, name]) => {
      const copy = structuredClone(good) as Record<string | number, unknown>;
      let holder: Record<string | number, unknown> = copy;
      for (const key of at.slice(0, -1)) holder = holder[key] as typeof holder;
      const last = at.at(-1);
      if (last === undefined) return how === "add" ? { ...copy, [name]: value } : value;
      const place = holder[last];
      if (how === "remove") delete holder[last];
      else if (how === "add" && typeof place === "object" && place !== null)
        holder[last] = { ...place, [name]: value };
      else holder[last] = value;
      return copy;
    });
}

const deep = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
const text = fc.oneof(
  fc.constantFrom(
    "",
    "{",
    "nul",
    "NaN",
    "{}{}",
    '{"input":[{"text":"a"}],"input":[{"text":"b"}]}',
    '{"__proto__":{"input":[]}}',
    '{"input":[{"text":"\\ud800"}]}',
    `{"input":${deep(1_000)}}`,
    `{"input":[${'{"text":"a"},'.repeat(limits.inputItems + 1)}{"text":"a"}]}`,
    `"${"x".repeat(100_000)}"`,
  ),
  fc.string({ unit: "binary", maxLength: 200 }),
);

interface Case {
  path: "input" | "mouse";
  body: Buffer;
  type: string;
}
const json = "application/json";
const cases: fc.Arbitrary<Case> = fc
  .constantFrom("input" as const, "mouse" as const)
  .chain((path) =>
    fc.oneof(
      { weight: 8, arbitrary: mutation(wellFormed[path]).map((body) => asJson(path, body)) },
      { weight: 2, arbitrary: text.map((body) => ({ path, body: Buffer.from(body), type: json })) },
      {
        weight: 1,
        arbitrary: fc
          .uint8Array({ minLength: 1, maxLength: 200 })
          .map((bytes) => ({ path, body: Buffer.from(bytes), type: json })),
      },
      {
        weight: 1,
        arbitrary: fc
          .constantFrom("text/plain", "application/x-www-form-urlencoded", "application/jsonx", "")
          .map((type) => ({ ...asJson(path, wellFormed[path]), type })),
      },
    ),
  );

function asJson(path: Case["path"], body: unknown): Case {
  return { path, body: Buffer.from(JSON.stringify(body) ?? ""), type: json };
}

/** Whether the schemas and key names take it all the same: a mutation may hit a good value. */
function isWellFormed({ path, body, type }: Case): boolean {
  if (type !== json) return false;
  let value: unknown;
  try {
    value = JSON.parse(body.toString("utf8"));
  } catch {
    return false;
  }
  return (path === "input" ? inputSchema : mouseEventSchema).safeParse(value).success;
}

describe("malformed bodies", () => {
  it("[HT2] [B131] 1,000 from a seed: each 4xx with a code and a hint, none 500, nothing arrives at the program", async () => {
    const session = await ProbeSession.start(host, { print: "\\x1b[?1003h\\x1b[?1006h" });
    const all = fc
      .sample(cases, { seed: 20_260, numRuns: 2_000 })
      .filter((each) => !isWellFormed(each))
      .slice(0, 1_000);
    expect(all).toHaveLength(1_000);
    const codes = new Map<string, number>();
    const received = await session.received(async () => {
      for (const { path, body, type } of all) {
        const reply = await send(`/api/v1/sessions/${session.id}/${path}`, body, type);
        const shown = `${path} ${type} ${body.toString("latin1").slice(0, 200)} -> ${reply.status}`;
        expect(reply.status >= 400 && reply.status < 500, shown).toBe(true);
        const { code, hint, detail } = problemSchema.parse(JSON.parse(reply.text));
        expect(hint.length > 10 && detail.length > 0, shown).toBe(true);
        codes.set(code, (codes.get(code) ?? 0) + 1);
      }
    });
    expect(received).toBe("");
    // The budget of requests must not have answered in their place.
    expect([...codes.keys()].sort()).toEqual(["BAD_REQUEST", "UNSUPPORTED_MEDIA_TYPE"]);
    await session.close();
  }, 120_000);
});
