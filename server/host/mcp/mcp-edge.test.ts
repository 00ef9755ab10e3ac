// The edge of /mcp without processes behind it: what is said about tools is true, and no message makes the host stumble.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "#lib/base/clock.ts";
import type { Actor } from "#lib/protocol/actor.ts";
import { type ErrorCode, errorTable, TermError } from "#lib/protocol/errors.ts";
import { limits } from "#lib/protocol/limits.ts";
import { roleSchema } from "#lib/protocol/roles.ts";
import { encodeKey } from "#lib/terminal/keys.ts";
import { type MemoryHost, openMemoryHost } from "#server/testing/memory-host.ts";
import { findTool, listTools, tools } from "./table.ts";
import { failureOf, toolHints } from "./tool-failure.ts";

describe("the table of tools", () => {
  it("[MC1] every example in a description is a call that the tool takes", () => {
    let examples = 0;
    for (const tool of tools) {
      for (const [example] of tool.description.matchAll(
        /\{(?:"id"|"command")[^;]*?\}(?=[;.]| for)|\{\}(?= for a shell)/g,
      )) {
        const input: unknown = JSON.parse(example);
        expect(tool.input.safeParse(input).success, `${tool.name}: ${example}`).toBe(true);
        examples += 1;
      }
    }
    expect(examples).toBeGreaterThanOrEqual(9);
  });

  it("[MC1] every key that terminal_key names is one", () => {
    const { description } = tools.find(({ name }) => name === "terminal_key") ?? {
      description: "",
    };
    const names = /Names: (.*?), F1 to F12/.exec(description)?.[1]?.split(", ") ?? [];
    expect(names.length).toBeGreaterThan(12);
    const modes = { appCursorKeys: false, appKeypad: false };
    for (const name of [...names, "F1", "F12", "C-c", "C-d", "q"])
      expect(encodeKey(name, modes), name).toBeDefined();
  });

  it("[MC1] what a role is shown is what it may do, in words short enough to be read at every start", () => {
    const counts = roleSchema.options.map((role) => [role, listTools(role).length]);
    expect(Object.fromEntries(counts)).toEqual({ owner: 13, agent: 13, viewer: 4 });
    const forModels = listTools("agent").map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
    }));
    expect(JSON.stringify(forModels).length).toBeLessThan(16_000);
    // Some clients show their model the output schemas too.
    expect(JSON.stringify(listTools("agent")).length).toBeLessThan(60_000);
  });
});

describe("what a refused tool says", () => {
  it("[MC1] hints name tools and arguments, never addresses, methods and headers of HTTP", () => {
    const shown = Object.entries(errorTable).filter(
      // Of doors that no tool goes through, and of servers.
      ([, { status }]) => status === 400 || status === 404 || status === 409 || status === 422,
    );
    for (const [code, { hint }] of shown) {
      if (["BAD_HEADERS", "TOKEN_NOT_FOUND", "NOT_FOUND"].includes(code)) continue;
      const told = toolHints[code as ErrorCode] ?? hint;
      expect(told, code).not.toMatch(/GET|POST|\/api|Idempotency-Key|header|\bfields?\b/);
      for (const [name] of told.matchAll(/terminal_\w+/g))
        expect(findTool(name), name).toBeDefined();
    }
  });

  it("[MC1] the operation's fields are named as the tool's arguments", () => {
    const told = (tool: string, detail: string, path: string) => {
      const error = new TermError("UNKNOWN_KEY", detail, { errors: [{ path, message: "x" }] });
      const problem = failureOf(error, "r", findTool(tool)?.argumentOf);
      return [problem?.detail, problem?.errors?.[0]?.path];
    };
    expect(told("terminal_key", "body.input.2.key is none", "body.input.2.key")).toEqual([
      "arguments.keys.2 is none",
      "arguments.keys.2",
    ]);
    expect(told("terminal_send", "body.for.0.regex: bad", "body.for.0.regex")).toEqual([
      "arguments.wait.for.0.regex: bad",
      "arguments.wait.for.0.regex",
    ]);
    expect(told("terminal_send", "arguments.for is unknown", "arguments.for")).toEqual([
      "arguments.for is unknown",
      "arguments.for",
    ]);
    const plain = failureOf(new TermError("BAD_PATTERN", "body.for.0.regex: bad"), "r");
    expect(plain?.detail).toBe("arguments.for.0.regex: bad");
  });

  it("[MC1] [WT7] what a wait over one session and one over many cannot both mean is refused", () => {
    const wait = findTool("terminal_wait");
    const takes = (input: unknown) => wait?.input.safeParse(input).success;
    expect([
      takes({}),
      takes({ id: "a", since: "now" }),
      takes({ tag: "t", generation: "g" }),
    ]).toEqual([true, true, true]);
    for (const input of [
      { id: "a", tag: "t" },
      { id: "a", ids: ["b"] },
      { id: "a", generation: "g" },
      { since: "now" },
    ])
      expect(takes(input), JSON.stringify(input)).toBe(false);
  });

  it("[MC1] [OP3] a reading with two beginnings is refused", () => {
    const output = findTool("terminal_output");
    const takes = (input: unknown) => output?.input.safeParse({ id: "a", ...(input as object) });
    for (const input of [{}, { since: "1:0" }, { tail: 5 }, { command: 3, tail: 5 }])
      expect(takes(input)?.success, JSON.stringify(input)).toBe(true);
    for (const input of [
      { since: "1:0", tail: 5 },
      { command: "latest", since: "1:0" },
    ])
      expect(takes(input)?.success, JSON.stringify(input)).toBe(false);
  });
});

describe("messages to /mcp", () => {
  let host: MemoryHost;
  beforeAll(async () => {
    host = await openMemoryHost();
  });
  afterAll(() => host.dispose());

  const agent: Actor = { kind: "agent", id: "a1", name: "Bot", role: "agent" };
  const raw = (body: string, actor = agent, type = "application/json") => {
    const headers = {
      ...host.headers(actor),
      "content-type": type,
      accept: "application/json, text/event-stream",
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return host.exchange(
      `POST /mcp HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines.join("")}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  };
  const statusOf = (answer: string) => Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1]);
  const call = (args: unknown, name = "terminal_list") =>
    JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: args },
    });

  it("[MC1] [T57] 400 damaged messages: each is answered, none with 500, nothing is logged as a fault", async () => {
    // xorshift32, seeded: the same damage at every run.
    let state = 20_260_728;
    const random = (below: number) => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return (state >>> 0) % below;
    };
    const seeds = [
      call({}),
      call({ id: "x", input: [{ text: "a" }, { key: "Enter" }] }, "terminal_send"),
      call({ command: ["vim"], env: { A: "b" }, cols: 80 }, "terminal_open"),
      '{"jsonrpc":"2.0","id":"1","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}',
      '{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}',
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
    ];
    const pieces = [
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"',
      "null",
      "1e999",
      "-1",
      '"__proto__":',
      "\\u0000",
      "\\ud800",
      "[[[[",
      '"method"',
      "tools/list",
      "true",
      "{}",
    ];
    for (let round = 0; round < 400; round += 1) {
      let body = seeds[random(seeds.length)] ?? "";
      for (let cuts = 1 + random(3); cuts > 0; cuts -= 1) {
        const at = random(body.length + 1);
        body =
          body.slice(0, at) + (pieces[random(pieces.length)] ?? "") + body.slice(at + random(12));
      }
      const answer = await raw(body);
      const status = statusOf(answer);
      expect(status, `${body}\n${answer}`).toBeGreaterThanOrEqual(200);
      expect(status, `${body}\n${answer}`).toBeLessThan(500);
    }
    expect(host.faults).toEqual([]);
  }, 120_000);

  it("[MC1] types what a caller put into arguments and nothing else: no name reaches into an object's own", async () => {
    for (const name of ["__proto__", "constructor", "toString", "terminal_open\0"]) {
      const answer = await raw(call({}, name));
      expect(answer, name).toContain("there is no tool");
    }
    const answer = await raw(call({ constructor: 1, toString: 2 }));
    expect(answer).toContain("arguments.constructor is not a known field");
    expect(host.faults).toEqual([]);
  });

  it("[MC1] [LM] a message leaves nothing behind in the host's memory", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const heapAfter = async (count: number) => {
      for (let sent = 0; sent < count; sent += 20)
        await Promise.all(Array.from({ length: 20 }, () => raw(call({}), { ...agent, id: "m" })));
      // Finalizers run between turns.
      for (let turn = 0; turn < 4; turn += 1) {
        collect();
        await new Promise((resolve) => setImmediate(resolve));
      }
      return process.memoryUsage().heapUsed;
    };
    const before = await heapAfter(200);
    const grownPerMessage = ((await heapAfter(600)) - before) / 600;
    expect(grownPerMessage).toBeLessThan(8_000);
  }, 120_000);

  it("[MC1] what was typed comes back in no refusal", async () => {
    const answer = await raw(
      call({ id: 5, input: [{ text: "hunter2", hurry: true }] }, "terminal_send"),
    );
    expect(answer).toContain("BAD_REQUEST");
    expect(answer).not.toContain("hunter2");
  });

  it("[MC1] a list of messages is answered up to its bound", async () => {
    const list = (count: number) =>
      JSON.stringify(
        Array.from({ length: count }, (_, id) => ({ jsonrpc: "2.0", id, method: "ping" })),
      );
    const answer = await raw(list(limits.mcpBatch));
    expect(answer.match(/"result":\{\}/g)).toHaveLength(limits.mcpBatch);
    expect(statusOf(await raw(list(limits.mcpBatch + 1)))).toBe(400);
  });

  it("[MC1] [LM] a caller in a loop is told to wait, and others notice nothing", async () => {
    const fresh = await openMemoryHost({ ...systemClock, monotonic: () => 0 });
    const greedy: Actor = { ...agent, id: "greedy" };
    const ask = async (actor: Actor) => {
      const body = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
      const head = Object.entries({
        ...fresh.headers(actor),
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      })
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join("");
      return fresh.exchange(
        `POST /mcp HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${head}Content-Length: ${body.length}\r\n\r\n${body}`,
      );
    };
    try {
      for (let sent = 0; sent < limits.requestBurst; sent += 50) {
        const answers = await Promise.all(Array.from({ length: 50 }, () => ask(greedy)));
        expect(answers.every((answer) => statusOf(answer) === 202)).toBe(true);
      }
      const answer = await ask(greedy);
      expect(statusOf(answer)).toBe(429);
      expect(answer).toMatch(/retry-after: 1\r\n/i);
      expect(statusOf(await ask(agent))).toBe(202);
    } finally {
      await fresh.dispose();
    }
  }, 60_000);
});
