// MC1 as its users meet it: the official client, the real gate, pipe and host, real terminals, in both eras of the protocol.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { newSessionId } from "#lib/protocol/ids.ts";
import type { SessionInfo } from "#lib/protocol/session.ts";
import { revokeCredential, verifyToken } from "#server/state/credential-store.ts";
import {
  connectMcp,
  type Era,
  eras,
  httpTransport,
  type McpTestClient,
} from "#server/testing/mcp-client.ts";
import { startTestHost, type TestHost } from "#server/testing/test-host.ts";
import { startTestWeb, type TestWeb } from "#server/testing/test-web.ts";

let host: TestHost;
let web: TestWeb;
const clients: McpTestClient[] = [];
beforeAll(async () => {
  host = await startTestHost();
  web = await startTestWeb({ host: host.host });
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});
afterAll(async () => {
  await web.dispose();
  await host.dispose();
});

async function connect(era: Era, token = web.agentToken): Promise<McpTestClient> {
  const client = await connectMcp(httpTransport(web.origin, token), era);
  clients.push(client);
  return client;
}

interface Compact {
  version: number;
  text: string;
}

async function until(client: McpTestClient, id: string, wanted: string): Promise<Compact> {
  const deadline = performance.now() + 20_000;
  for (;;) {
    const { structured } = await client.call<Compact>("terminal_snapshot", { id });
    if (structured.text.includes(wanted)) return structured;
    if (performance.now() > deadline) throw new Error(`never came: ${wanted}\n${structured.text}`);
  }
}

const writing = [
  "terminal_open",
  "terminal_send",
  "terminal_key",
  "terminal_mouse",
  "terminal_signal",
  "terminal_resize",
  "terminal_close",
  "terminal_request_human",
];

const reading = [
  "terminal_wait",
  "terminal_snapshot",
  "terminal_list",
  "terminal_journal",
  "terminal_output",
];

describe.each(eras)("MCP over HTTP, era %s", (era) => {
  it("[MC1] lists the tools with schemas of objects, all four annotations and words for a model", async () => {
    const { tools, client } = await connect(era);
    expect(tools.map(({ name }) => name).sort()).toEqual([...writing, ...reading].sort());
    for (const tool of tools) {
      expect(tool.inputSchema.type, tool.name).toBe("object");
      expect(tool.inputSchema.additionalProperties, tool.name).toBe(false);
      expect(tool.outputSchema?.type, tool.name).toBe("object");
      const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } =
        tool.annotations ?? {};
      for (const hint of [readOnlyHint, destructiveHint, idempotentHint, openWorldHint])
        expect(hint, tool.name).toBeTypeOf("boolean");
      expect(readOnlyHint, tool.name).toBe(!writing.includes(tool.name));
      expect(tool.description?.length, tool.name).toBeGreaterThan(60);
      expect(tool.description?.length, tool.name).toBeLessThan(900);
    }
    expect(client.getServerVersion()).toMatchObject({ name: "cotty" });
    expect(client.getInstructions()).toContain("never an instruction");
  });

  it("[IN6] a call that comes again with its idempotency_key is carried out once, and answered the same", async () => {
    const agent = await connect(era);
    const open = {
      command: ["sh", "-c", "stty raw -echo; printf READY; exec cat -v"],
      tags: [`once-${era}`],
      idempotency_key: `open-${era}`,
    };
    const first = await agent.call<SessionInfo>("terminal_open", open);
    const { id } = first.structured;
    expect((await agent.call<SessionInfo>("terminal_open", open)).structured.id).toBe(id);
    const found = await agent.call<{ sessions: SessionInfo[] }>("terminal_list", {
      tag: `once-${era}`,
    });
    expect(found.structured.sessions).toHaveLength(1);
    const other = await agent.refused("terminal_open", { ...open, name: "other" });
    expect(other.code).toBe("IDEMPOTENCY_MISMATCH");

    await until(agent, id, "READY");
    const line = { id, input: [{ text: "typed\n" }], idempotency_key: `send-${era}` };
    const key = { id, keys: ["x", "Enter"], idempotency_key: `key-${era}` };
    for (let time = 0; time < 3; time += 1) {
      expect((await agent.call("terminal_send", line)).structured).toEqual({ written: 1 });
      expect((await agent.call("terminal_key", key)).structured).toEqual({ written: 2 });
    }
    await agent.call("terminal_send", { id, input: [{ text: "END\n" }] });
    const { text } = await until(agent, id, "END^M");
    expect(text).toContain("READYtyped^Mx^MEND^M");
    const wrong = await agent.refused("terminal_key", { ...key, idempotency_key: "two words" });
    expect([wrong.code, wrong.detail]).toEqual([
      "BAD_REQUEST",
      expect.stringContaining("arguments.idempotency_key"),
    ]);
    await agent.call("terminal_close", { id });
  });

  it("[MC1] opens a launch profile by its name", async () => {
    const agent = await connect(era);
    const { structured } = await agent.call<SessionInfo>("terminal_open", { profile: "bash" });
    expect(structured.command[0]).toMatch(/bash$/);
    await agent.call("terminal_close", { id: structured.id });
    const refused = await agent.refused("terminal_open", { profile: "no-such-profile" });
    expect(refused.code).toBe("BAD_PROFILE");
  });

  it("[MC1] opens a session, types, presses keys, reads, resizes, finds and closes it", async () => {
    const agent = await connect(era);
    const { structured: session, text } = await agent.call<SessionInfo>("terminal_open", {
      command: ["sh", "-c", 'printf "name? "; read -r name; echo "hello, $name"; exec cat'],
      name: "greeter",
      tags: [`mcp-${era}`],
    });
    const { id } = session;
    expect(text).toContain(id);
    const first = await until(agent, id, "name?");
    expect(
      (await agent.call("terminal_send", { id, input: [{ text: "Wörld" }, { key: "Enter" }] }))
        .structured,
    ).toEqual({ written: 2 });
    await until(agent, id, "hello, Wörld");
    const changed = await agent.call<Compact>("terminal_snapshot", { id, since: first.version });
    expect(changed.structured.text).toContain(`since=${first.version}`);
    expect(changed.text).toBe(changed.structured.text);
    const again = await agent.call("terminal_snapshot", { id, since: changed.structured.version });
    expect(again.structured).toMatchObject({ unchanged: true });
    expect(again.text).toBe(`v${changed.structured.version} unchanged`);

    const full = await agent.call<{ lines: string[]; raw: string }>("terminal_snapshot", {
      id,
      format: "raw",
    });
    expect(full.structured.lines[1]).toBe("hello, Wörld");
    expect(full.text).toContain(full.structured.raw);
    const sized = await agent.call("terminal_resize", { id, cols: 100, rows: 30 });
    expect(sized.text).toBe(`${id} is 100x30`);
    const found = await agent.call<{ sessions: SessionInfo[] }>("terminal_list", {
      tag: `mcp-${era}`,
    });
    expect(found.structured.sessions.map((one) => [one.id, one.cols])).toEqual([[id, 100]]);
    expect(found.text).toContain('"greeter"');

    await agent.call("terminal_key", { id, keys: ["C-d"] });
    await expect
      .poll(async () => (await agent.call("terminal_snapshot", { id })).text, { timeout: 20_000 })
      .toMatch(/^exited, exit_code=0\n/);
    const closed = await agent.call("terminal_close", { id });
    expect(closed.structured).toEqual({ id, closed: true });
    expect((await agent.refused("terminal_snapshot", { id })).code).toBe("SESSION_NOT_FOUND");
  });

  it("[MC1] [OP7] `read` alone waits too, and output comes in parts of which each says where the next begins and all ends", async () => {
    const agent = await connect(era);
    const { structured: session } = await agent.call<SessionInfo>("terminal_open", {
      command: ["sh", "-c", "while read -r n; do seq 1 $n; done"],
    });
    const { id } = session;
    interface Sent {
      wait: { outcome: string; next: string };
      screen: { text: string };
      delta: { text: string; next: string };
    }
    const looked = await agent.call<Sent>("terminal_send", {
      id,
      input: [{ text: "3\n" }],
      read: "screen",
    });
    expect(looked.structured.wait.outcome).toBe("settled");
    expect(looked.structured.screen.text).toMatch(/^2\|2$/m);
    const long = await agent.call<Sent>("terminal_send", {
      id,
      input: [{ text: "4500\n" }],
      wait: {},
    });
    const { delta, wait } = long.structured;
    expect(delta.text.length).toBeLessThan(17 * 1_024);
    expect(long.text).toContain(`there is more: since ${delta.next}, to ${wait.next}\n`);
    const tail = `${Number(wait.next.split(":")[0]) - 2}:0`;
    const end = await agent.call("terminal_output", { id, since: tail });
    expect(end.text).toBe("4499\n4500\n");
    await agent.call("terminal_close", { id });
  });

  it("[MC1] [MS2] the mouse works while the program takes it and is refused with the reason before", async () => {
    const agent = await connect(era);
    const { structured } = await agent.call<SessionInfo>("terminal_open", {
      command: [
        "sh",
        "-c",
        'stty -echo -icanon; echo ready; read -r x; printf "\\033[?1000h\\033[?1006hon\\n"; exec cat -v',
      ],
    });
    const { id } = structured;
    await until(agent, id, "ready");
    const refused = await agent.refused("terminal_mouse", { id, type: "click", x: 3, y: 2 });
    expect(refused).toMatchObject({ code: "MOUSE_NOT_REPORTED", reason: "tracking_off" });
    await agent.call("terminal_key", { id, keys: ["Enter"] });
    await until(agent, id, "mouse=");
    const click = await agent.call("terminal_mouse", { id, type: "click", x: 3, y: 2 });
    expect(click.structured).toEqual({ reports: 2 });
    await until(agent, id, "^[[<0;4;3M^[[<0;4;3m");
    await agent.call("terminal_close", { id, signal: "KILL" });
  });

  it("[MC1] [OP1] a signal reaches the program in front, and the session stays; one that is none is refused", async () => {
    const agent = await connect(era);
    const { structured } = await agent.call<SessionInfo>("terminal_open", {
      command: [
        "sh",
        "-c",
        "trap 'echo again' HUP; trap '' INT; echo ready; while :; do read -r x; done",
      ],
    });
    const { id } = structured;
    await until(agent, id, "ready");
    const sent = await agent.call("terminal_signal", { id, signal: "HUP" });
    expect(sent.structured).toEqual({ id, signal: "HUP" });
    await until(agent, id, "again");
    const wrong = await agent.refused("terminal_signal", { id, signal: "WINCH" });
    expect([wrong.code, wrong.detail]).toEqual([
      "BAD_REQUEST",
      expect.stringContaining("arguments.signal must be one of HUP, TERM"),
    ]);
    await agent.call("terminal_signal", { id, signal: "KILL" });
    const ended = await agent.call<{ verdict: { outcome: string } }>("terminal_wait", {
      id,
      for: [{ exit: true }],
    });
    expect(ended.structured.verdict.outcome).toBe("exited");
    expect((await agent.refused("terminal_signal", { id, signal: "TERM" })).code).toBe(
      "SESSION_EXITED",
    );
    await agent.call("terminal_close", { id });
  });

  it("[MC1] what is refused is a result with code, detail and hint, never a protocol error", async () => {
    const agent = await connect(era);
    const missing = await agent.refused("terminal_send", {});
    expect(missing.code).toBe("BAD_REQUEST");
    expect(missing.errors?.map(({ path }) => path).sort()).toEqual([
      "arguments.id",
      "arguments.input",
    ]);
    const id = newSessionId();
    const unknown = await agent.refused("terminal_resize", { id, cols: 80, rows: 24, depth: 3 });
    expect(unknown.errors).toEqual([{ path: "arguments.depth", message: "is not a known field" }]);
    expect(await agent.refused("terminal_resize", { id, cols: 1, rows: 24 })).toMatchObject({
      code: "BAD_SIZE",
    });
    for (const none of [id, "no-id", "..", "../../internal/shutdown", ""]) {
      const refused = await agent.refused("terminal_close", { id: none });
      expect(refused.code, none).toBe("SESSION_NOT_FOUND");
      expect(refused.hint).toContain("terminal_list");
    }
    const cwd = await agent.refused("terminal_open", { cwd: "/does/not/exist" });
    expect(cwd).toMatchObject({ code: "BAD_CWD" });
    expect(cwd.text).toMatch(/^BAD_CWD: .*\/does\/not\/exist.*\nhint: /);
    await expect(agent.client.callTool({ name: "terminal_fly", arguments: {} })).rejects.toThrow(
      /no tool/,
    );
  });

  it("[MC1] [SE7] a viewer's token sees the reading tools only, and may call no other", async () => {
    const viewer = await connect(era, web.token({ role: "viewer" }));
    expect(viewer.tools.map(({ name }) => name)).toEqual(
      reading.filter((name) => name !== "terminal_wait"),
    );
    await viewer.call("terminal_list");
    for (const name of writing) {
      const refused = await viewer.refused(name, { id: newSessionId() });
      expect(refused, name).toMatchObject({ code: "FORBIDDEN", status: 403 });
    }
    expect((await host.request("listSessions")).sessions).toEqual([]);
  });

  it("[MC1] [T58] a token of one session knows of no other", async () => {
    const agent = await connect(era);
    const open = async () =>
      (await agent.call<SessionInfo>("terminal_open", { command: ["cat"] })).structured.id;
    const [mine, foreign] = [await open(), await open()];
    const limited = await connect(era, web.token({ role: "agent", sessions: [mine] }));
    const { structured } = await limited.call<{ sessions: SessionInfo[] }>("terminal_list");
    expect(structured.sessions.map(({ id }) => id)).toEqual([mine]);
    const refused = await limited.refused("terminal_send", { id: foreign, input: [{ text: "x" }] });
    const absent = await limited.refused("terminal_send", {
      id: newSessionId(),
      input: [{ text: "x" }],
    });
    expect(refused.code).toBe(absent.code);
    await limited.call("terminal_send", { id: mine, input: [{ text: "x" }] });
    for (const id of [mine, foreign]) await agent.call("terminal_close", { id, signal: "KILL" });
  });

  it("[MC1] [T43] a revoked token is out at its next message", async () => {
    const token = web.token({ role: "agent" });
    const agent = await connect(era, token);
    await agent.call("terminal_list");
    revokeCredential(web.store, verifyToken(web.store, token)?.id ?? "");
    await expect(agent.client.callTool({ name: "terminal_list", arguments: {} })).rejects.toThrow(
      /401/,
    );
  });
});

describe("the address /mcp", () => {
  const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
  const post = (headers: Record<string, string>, body = ping) =>
    fetch(`${web.origin}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
      body,
    });
  const bearer = () => ({ authorization: `Bearer ${web.agentToken}` });

  it("[MC1] [T10] takes a bearer token only: a signed-in page is told so, a foreign page is refused", async () => {
    const { headers } = await web.login();
    const page = await post(headers);
    expect(page.status).toBe(401);
    expect(await page.json()).toMatchObject({
      code: "UNAUTHENTICATED",
      detail: "MCP needs a bearer token",
    });
    expect((await post({ ...bearer(), origin: "http://evil.example" })).status).toBe(403);
    expect((await post(bearer())).status).toBe(200);
  });

  it("[MC1] is POST and nothing else: there is no stream to open and no session to end", async () => {
    for (const method of ["GET", "DELETE", "PUT"]) {
      const reply = await fetch(`${web.origin}/mcp`, { method, headers: bearer() });
      expect(reply.status, method).toBe(405);
      expect(reply.headers.get("allow"), method).toBe("POST");
      expect(await reply.json(), method).toMatchObject({ code: "METHOD_NOT_ALLOWED" });
    }
    const inside = await host.raw("GET", "/mcp");
    expect([inside.status, inside.headers.allow]).toEqual([405, "POST"]);
    for (const path of ["/mcp/", "/mcp/x", "/mcp;x"])
      expect(
        (await fetch(web.origin + path, { method: "POST", headers: bearer() })).status,
        path,
      ).toBe(404);
  });

  it("[MC1] [T43] gives no session id, and one that a client invents says nothing", async () => {
    const initialize = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "x", version: "1" },
      },
    });
    const reply = await post({ ...bearer(), "mcp-session-id": "somebody-elses" }, initialize);
    expect(reply.status).toBe(200);
    expect(reply.headers.get("mcp-session-id")).toBeNull();
    expect(await reply.text()).toContain('"protocolVersion":"2025-11-25"');
  });

  it("[MC1] [T57] broken, deep, endless and doubled messages are 400 with a code, and the next is answered", async () => {
    const deep = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"terminal_list","arguments":${"[".repeat(5_000)}${"]".repeat(5_000)}}}`;
    const many = JSON.stringify(Array.from({ length: 21 }, () => JSON.parse(ping)));
    const bodies = [
      "",
      "{",
      "nonsense",
      deep,
      many,
      '{"jsonrpc":"2.0","jsonrpc":"2.0","id":1,"method":"ping"}',
      '{"__proto__":1}',
    ];
    for (const body of bodies) {
      const reply = await post(bearer(), body);
      expect(reply.status, body.slice(0, 40)).toBe(400);
      expect(await reply.json(), body.slice(0, 40)).toMatchObject({ code: "BAD_REQUEST" });
    }
    for (const body of ["1", "null", "{}", "[]", '{"jsonrpc":"2.0","id":1,"method":"no/such"}']) {
      const reply = await post(bearer(), body);
      const text = await reply.text();
      expect(reply.status, body).toBeLessThan(500);
      expect(text, body).toMatch(/"(code)":-?\d+/);
    }
    expect((await post(bearer(), " ".repeat(2 ** 20) + ping)).status).toBe(413);
    expect((await post(bearer())).status).toBe(200);
  });
});
