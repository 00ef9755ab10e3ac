// Issue 5, shown by 5: an agent's token tries every operation, tool and frame under observe and under sealed (AC1, AC2, T66). The tables have a
// row for each; a new operation, tool or frame without one fails here. Web and host are the real ones.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ClientMessage, clientMessageSchema } from "#lib/protocol/attach.ts";
import { apiBase, type Operation } from "#lib/protocol/operations/operation.ts";
import { type OperationName, operations } from "#lib/protocol/operations/table.ts";
import { tools } from "#server/host/mcp/table.ts";
import { AttachClientDouble } from "#server/testing/attach-client-double.ts";
import { connectMcp, httpTransport, type McpTestClient } from "#server/testing/mcp-client.ts";
import { startTestHost, type TestHost } from "#server/testing/test-host.ts";
import { startTestWeb, type TestWeb } from "#server/testing/test-web.ts";

type Access = "observe" | "sealed";
/** `not_its`: the operation is about no session, or the role may never. `redacted`: nothing but the id. */
type Verdict = "ok" | "READ_ONLY" | "SEALED" | "FORBIDDEN" | "redacted" | "not_its";
interface Row {
  readonly observe: Verdict;
  readonly sealed: Verdict;
  readonly query?: string;
  readonly body?: unknown;
}

const look = { observe: "ok", sealed: "SEALED" } as const;
const act = { observe: "READ_ONLY", sealed: "SEALED" } as const;
const person = { observe: "FORBIDDEN", sealed: "FORBIDDEN" } as const;
const elsewhere = { observe: "not_its", sealed: "not_its" } as const;
const input = [{ text: "x" }];

const operationRows: Record<OperationName, Row> = {
  createSession: elsewhere,
  listSessions: { observe: "ok", sealed: "redacted" },
  getSession: look,
  changeSession: { ...act, body: { name: "taken" } },
  closeSession: act,
  resizeSession: { ...act, body: { cols: 90, rows: 20 } },
  signalSession: { ...act, body: { signal: "USR1" } },
  readScreen: look,
  readOutput: { ...look, query: "since=start" },
  listCommands: look,
  getCommand: { ...look },
  readCommandOutput: { ...look },
  writeInput: { ...act, body: { input } },
  sendMouse: { ...act, body: { type: "click", button: "left", x: 0, y: 0 } },
  waitSession: { ...look, body: { for: [{ quiet_ms: 1 }], timeout_ms: 50 } },
  waitMany: { observe: "ok", sealed: "SEALED", body: { for: [{ quiet_ms: 1 }], timeout_ms: 50 } },
  act: { ...act, body: { input, wait: { timeout_ms: 0 } } },
  explainSession: look,
  readLease: look,
  changeLease: { ...person, body: { action: "take_over" } },
  setAccess: { ...person, body: { level: "collaborate" } },
  requestHuman: { observe: "ok", sealed: "SEALED", body: { reason: "look" } },
  readSessionAudit: person,
  listWrites: person,
  readAgentView: person,
  readAudit: { observe: "FORBIDDEN", sealed: "FORBIDDEN" },
  streamEvents: { observe: "ok", sealed: "redacted" },
  readCapsule: { observe: "ok", sealed: "redacted" },
  listProfiles: elsewhere,
  createToken: elsewhere,
  listTokens: elsewhere,
  revokeToken: elsewhere,
  health: elsewhere,
  login: elsewhere,
  logout: elsewhere,
  createTicket: elsewhere,
  me: elsewhere,
};

/** By tool; `arguments` beside the id. */
const toolRows: Record<string, Row> = {
  terminal_open: elsewhere,
  terminal_send: { ...act, body: { input } },
  terminal_snapshot: look,
  terminal_key: { ...act, body: { keys: ["x"] } },
  terminal_mouse: { ...act, body: { type: "click", x: 0, y: 0 } },
  terminal_signal: { ...act, body: { signal: "INT" } },
  terminal_resize: { ...act, body: { cols: 90, rows: 20 } },
  terminal_close: act,
  terminal_list: { observe: "ok", sealed: "redacted" },
  terminal_wait: { ...look, body: { for: [{ quiet_ms: 1 }], timeout_ms: 50 } },
  terminal_journal: look,
  terminal_output: look,
  terminal_request_human: { observe: "ok", sealed: "SEALED", body: { reason: "look" } },
};

/** What a frame of an agent that looks is answered; sealed, its socket is closed. */
const frameRows: Record<
  ClientMessage["type"] | "binary",
  { send: unknown; observe: string | null }
> = {
  binary: { send: Buffer.from("x"), observe: "READ_ONLY" },
  resize: { send: { cols: 95, rows: 20 }, observe: null },
  use_my_size: { send: { cols: 96, rows: 20 }, observe: "READ_ONLY" },
  ack: { send: { at: 0 }, observe: null },
  report: { send: { data: "\x1b[I" }, observe: null },
  keyboard: { send: { action: "hold" }, observe: "FORBIDDEN" },
  secret: { send: { text: "x" }, observe: "FORBIDDEN" },
  politeness: { send: { politeness: "ask" }, observe: null },
  ping: { send: { id: 1 }, observe: null },
};

const secret = "XYZZY-4711";
let host: TestHost;
let web: TestWeb;
let mcp: McpTestClient;
let id: string;

beforeAll(async () => {
  host = await startTestHost();
  web = await startTestWeb({ host: host.host });
  mcp = await connectMcp(httpTransport(web.origin, web.agentToken), "2026");
  // Prints what it is told, as text and as its title, once per line; counts nothing and ends never.
  const command = [
    "/bin/sh",
    "-c",
    'while read -r line; do printf \'%s\\n\\033]2;%s\\a\' "$line" "$line"; done',
  ];
  ({ id } = await host.request("createSession", { body: { command, name: "kept" } }));
  const viewer = await typist();
  viewer.type("ready\n");
  await viewer.until("the program", () => viewer.text.includes("ready"));
  await host.request("changeLease", { params: { id }, body: { action: "hand_back" } });
});
afterAll(async () => {
  await mcp?.close();
  await web?.dispose();
  await host?.dispose();
});

/** A person's viewer. */
async function typist(): Promise<AttachClientDouble> {
  const viewer = host.attach(id);
  await viewer.until("hello", () => viewer.hello !== undefined);
  return viewer;
}

async function set(level: "collaborate" | Access): Promise<void> {
  await host.request("setAccess", { params: { id }, body: { level } });
}

async function ask(name: OperationName): Promise<{ verdict: string; text: string }> {
  const operation: Operation = operations[name];
  const row = operationRows[name];
  const path = operation.path.replace("{id}", id).replace("{index}", "latest");
  const body = name === "waitMany" ? { ...(row.body as object), sessions: [id] } : row.body;
  const reply = await web.call(operation.method, `${path}${row.query ? `?${row.query}` : ""}`, {
    token: web.agentToken,
    ...(body === undefined ? {} : { body }),
  });
  const text = operation.streams ? await beginning(reply) : await reply.text();
  return { verdict: reply.ok ? "ok" : JSON.parse(text).code, text };
}

/** Of a stream: what is there at once. */
async function beginning(reply: Response): Promise<string> {
  const reader = reply.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  await reader?.cancel();
  return Buffer.from(value ?? []).toString();
}

function expected(row: Row, access: Access): string {
  return row[access] === "redacted" ? "ok" : row[access];
}

const names = Object.keys(operations) as OperationName[];

describe("what an agent may do with a session that people keep from it", () => {
  it("[AC1] every operation, tool and frame has a row", () => {
    expect(Object.keys(operationRows).sort()).toEqual([...names].sort());
    expect(Object.keys(toolRows).sort()).toEqual(tools.map(({ name }) => name).sort());
    const frames = clientMessageSchema.def.options.map(({ shape }) => shape.type.def.values[0]);
    expect(Object.keys(frameRows).sort()).toEqual(["binary", ...frames].sort());
  });

  it.each(["observe", "sealed"] as const)(
    "[AC1] [AC2] [T66] %s: every operation answers as its row says, and tells no secret",
    async (access) => {
      await set("collaborate");
      const before = await host.request("getSession", { params: { id } });
      const stream = await web.call("GET", "/events", { token: web.agentToken });
      const reader = stream.body?.getReader();
      await set(access);
      // Printed after that, by a person's doing.
      const viewer = await typist();
      viewer.type(`${secret}\n`);
      await viewer.until("the secret", () => viewer.text.includes(secret));
      await expect
        .poll(async () => (await host.request("getSession", { params: { id } })).title)
        .toBe(secret);
      await host.request("changeLease", { params: { id }, body: { action: "hand_back" } });
      for (const name of names) {
        const row = operationRows[name];
        if (row[access] === "not_its") continue;
        const { verdict, text } = await ask(name);
        const isAbsent = verdict === "COMMAND_NOT_FOUND" && access === "observe";
        if (!isAbsent) expect(verdict, name).toBe(expected(row, access));
        if (access === "sealed") {
          expect(text, name).not.toContain(secret);
          expect(text, name).not.toContain("kept");
        }
      }
      for (const { name } of tools) {
        const row = toolRows[name];
        if (!row || row[access] === "not_its") continue;
        const given = name === "terminal_list" ? {} : { id, ...(row.body as object) };
        const wanted = expected(row, access);
        if (wanted === "ok") {
          const { text, structured } = await mcp.call(name, given);
          if (access === "sealed") expect(text + JSON.stringify(structured)).not.toContain(secret);
        } else expect(await mcp.refused(name, given), name).toMatchObject({ code: wanted });
      }
      // The stream that was open all the time: of a sealed session it told that it was sealed, and nothing after that.
      await set("collaborate");
      const told = await until(reader, (text) => text.split('"access":"collaborate"').length > 1);
      if (access === "sealed") {
        expect(told).toContain('"access":"sealed"');
        expect(told).not.toContain(secret);
      }
      // Nothing was done to it.
      const { cols, rows, name, exited } = await host.request("getSession", { params: { id } });
      expect({ cols, rows, name, exited }).toEqual({
        cols: before.cols,
        rows: before.rows,
        name: "kept",
        exited: false,
      });
      const { lines } = (await host.request("readScreen", { params: { id } })) as {
        lines: string[];
      };
      expect(lines.filter((line) => line === "x")).toEqual([]);
    },
  );

  it("[AC1] observe: each frame of an agent's socket is answered as its row says; sealed: it is closed, and none opens", async () => {
    await set("observe");
    const socket = attach();
    await socket.until("hello", () => socket.hello !== undefined);
    for (const [type, { send, observe }] of Object.entries(frameRows)) {
      const before = socket.errors.length;
      if (type === "binary") socket.type(send as Buffer);
      else socket.send({ type, ...(send as object) } as ClientMessage);
      socket.send({ type: "ping", id: 99 });
      const pongs = () => socket.messages.filter((message) => message.type === "pong").length;
      const had = pongs();
      await socket.until(`an answer to ${type}`, () => pongs() > had);
      const codes = socket.errors.slice(before).map(({ code }) => code);
      expect(codes, type).toEqual(observe === null ? [] : [observe]);
    }
    await set("sealed");
    await socket.until("the end", () => socket.closed !== undefined);
    expect(socket.closed?.code).toBe(4403);
    const refused = attach();
    await refused.until("a refusal", () => refused.refused !== undefined);
    expect(refused.refused).toMatchObject({ status: 403, body: { code: "SEALED" } });
    await set("collaborate");
  });

  it("[AC2] [IN6] a reply that was given before is not given again after sealing", async () => {
    await set("collaborate");
    const send = () =>
      web.call("POST", `/sessions/${id}/input`, {
        token: web.agentToken,
        headers: { "idempotency-key": "once" },
        body: { input: [{ text: "y" }] },
      });
    expect((await send()).status).toBe(200);
    await set("sealed");
    expect((await send()).status).toBe(403);
    await set("collaborate");
    expect((await send()).headers.get("idempotent-replayed")).toBe("true");
  });

  it("[AC2] [IN6] nor is what the making of a session was answered, once that is sealed", async () => {
    const create = () =>
      web.call("POST", "/sessions", {
        token: web.agentToken,
        headers: { "idempotency-key": "made-once" },
        body: { command: ["/bin/cat"], name: "told-once" },
      });
    const made = (await (await create()).json()).id as string;
    const level = (level: "sealed" | "observe") =>
      host.request("setAccess", { params: { id: made }, body: { level } });
    await level("sealed");
    const refused = await create();
    expect(refused.status).toBe(403);
    const text = await refused.text();
    expect(JSON.parse(text).code).toBe("SEALED");
    expect(text).not.toContain("told-once");
    await level("observe");
    const again = await create();
    expect([again.headers.get("idempotent-replayed"), (await again.json()).id]).toEqual([
      "true",
      made,
    ]);
    await host.request("closeSession", { params: { id: made } });
  });
});

function attach(): AttachClientDouble {
  const url = `${web.origin.replace("http", "ws")}${apiBase}/sessions/${id}/attach`;
  return new AttachClientDouble(url, { headers: { authorization: `Bearer ${web.agentToken}` } });
}

async function until(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  isThere: (text: string) => boolean,
): Promise<string> {
  let text = "";
  while (!isThere(text)) {
    const part = await reader?.read();
    if (!part || part.done) break;
    text += Buffer.from(part.value).toString();
  }
  await reader?.cancel();
  return text;
}
