// `cotty mcp` as a client starts it: a real process on pipes, the official client at the other end.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { SessionInfo } from "#lib/protocol/session.ts";
import { tools } from "#server/host/mcp/table.ts";
import { type BundledProgram, bundledProgram } from "#server/testing/bundled-program.ts";
import { connectMcp, eras, type McpTestClient } from "#server/testing/mcp-client.ts";
import { startTestHost, type TestHost } from "#server/testing/test-host.ts";
import { startTestWeb, type TestWeb } from "#server/testing/test-web.ts";

const project = join(import.meta.dirname, "../..");

let program: BundledProgram;
const nodeArgs = () => [program.path, "mcp"];
let host: TestHost;
let web: TestWeb;
const clients: McpTestClient[] = [];
const children = new Set<ChildProcess>();
beforeAll(async () => {
  program = await bundledProgram("server/main.ts");
  host = await startTestHost();
  web = await startTestWeb({ host: host.host });
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await web.dispose();
  await host.dispose();
  program.dispose();
});

/** What a client gives its servers: next to nothing. */
function environment(more: Record<string, string> = {}): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    HOME: process.env.HOME ?? "",
    COTTY_STATE_DIR: host.host.dir.root,
    ...more,
  };
}

async function connect(
  era: (typeof eras)[number],
  env: Record<string, string> = {},
  args: string[] = [],
): Promise<McpTestClient> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...nodeArgs(), ...args],
    env: environment(env),
    cwd: project,
    stderr: "ignore",
  });
  const client = await connectMcp(transport, era);
  clients.push(client);
  return client;
}

function start(env: Record<string, string> = {}) {
  const child = spawn(process.execPath, nodeArgs(), {
    env: environment(env) as NodeJS.ProcessEnv,
    cwd: project,
    stdio: ["pipe", "pipe", "pipe"],
  });
  children.add(child);
  child.once("exit", () => children.delete(child));
  const said = { out: "", err: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    said.out += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    said.err += chunk.toString();
  });
  return { child, said, exited: once(child, "exit") as Promise<[number | null, string | null]> };
}

describe.each(eras)("cotty mcp, era %s", (era) => {
  it("[MC1] drives this machine's host through the state directory, as an agent with the name it was given", async () => {
    // COTTY_URL alone is what every program in a Cotty terminal has; it leads nowhere without a token.
    const agent = await connect(era, { COTTY_URL: "http://127.0.0.1:1" }, ["--name", "helper"]);
    expect(agent.tools).toHaveLength(tools.length);
    const { structured } = await agent.call<SessionInfo>("terminal_open", { command: ["cat"] });
    const { id } = structured;
    await agent.call("terminal_send", { id, input: [{ text: "through the pipe\n" }] });
    await expect
      .poll(async () => (await agent.call("terminal_snapshot", { id })).text, { timeout: 20_000 })
      .toContain("0|through the pipe\n1|through the pipe");
    expect((await host.request("getSession", { params: { id } })).pid).toBe(structured.pid);
    expect((await host.request("getSession", { params: { id } })).cwd).toBe(project);
    expect((await agent.refused("terminal_key", { id, keys: ["Hyper-x"] })).code).toBe(
      "UNKNOWN_KEY",
    );
    await agent.call("terminal_close", { id });
  }, 60_000);

  it("[MC1] with COTTY_TOKEN it is a client of COTTY_URL with that token's role", async () => {
    const nowhere = join(host.host.dir.root, "not-made");
    const env = {
      COTTY_URL: web.url,
      COTTY_TOKEN: web.token({ role: "viewer" }),
      COTTY_STATE_DIR: nowhere,
    };
    const viewer = await connect(era, env);
    expect(viewer.tools.map(({ name }) => name)).toEqual([
      "terminal_snapshot",
      "terminal_list",
      "terminal_journal",
      "terminal_output",
    ]);
    expect((await viewer.refused("terminal_open")).code).toBe("FORBIDDEN");
    expect(existsSync(nowhere)).toBe(false);
  }, 60_000);
});

describe("cotty mcp as a process", () => {
  const initialize = `${JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "x", version: "1" },
    },
  })}\n`;

  it("[MC1] says nothing but the protocol on stdout and ends when stdin does", async () => {
    const { child, said, exited } = start();
    child.stdin.write(initialize);
    await expect.poll(() => said.out, { timeout: 30_000 }).toContain('"id":1');
    child.stdin.write("this is no JSON\n");
    child.stdin.write('{"jsonrpc":"2.0","id":2,"method":"ping"}\n');
    await expect.poll(() => said.out, { timeout: 30_000 }).toContain('"id":2');
    child.stdin.end();
    expect(await exited).toEqual([0, null]);
    const lines = said.out.trimEnd().split("\n");
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
    expect(said.err).toContain("cotty mcp: serving");
  }, 60_000);

  it("[MC1] it may be there before the host is: calls say so, and work once there is one", async () => {
    const stateRoot = mkdtempSync(join(tmpdir(), "cotty-mcp-"));
    const agent = await connect("2025", { COTTY_STATE_DIR: stateRoot });
    expect(agent.tools).toHaveLength(tools.length);
    expect(await agent.refused("terminal_list")).toMatchObject({ code: "HOST_LOST" });
    const late = await startTestHost({ stateRoot });
    try {
      expect((await agent.call("terminal_list")).text).toBe("no sessions");
    } finally {
      await late.dispose();
    }
    expect(await agent.refused("terminal_list")).toMatchObject({ code: "HOST_LOST" });
  }, 60_000);

  it("[MC1] a server that does not answer is a refusal too, with all tools listed meanwhile", async () => {
    const agent = await connect("2025", { COTTY_URL: "http://127.0.0.1:9", COTTY_TOKEN: "cot_x" });
    expect(agent.tools).toHaveLength(tools.length);
    expect(await agent.refused("terminal_list")).toMatchObject({ code: "HOST_LOST" });
  }, 60_000);

  it("[MC1] a wrong token is a refusal with what to do, not an end", async () => {
    const agent = await connect("2025", { COTTY_URL: web.url, COTTY_TOKEN: "cot_agt_nonsense" });
    const refused = await agent.refused("terminal_list");
    expect(refused.code).toBe("UNAUTHENTICATED");
    expect(refused.hint).toContain("cotty token create");
  }, 60_000);

  it("[MC1] a message without end costs no more than a megabyte and ends it, with the reason", async () => {
    const { child, said, exited } = start();
    child.stdin.on("error", () => {});
    child.stdin.write("a".repeat(3 * 2 ** 20));
    expect(await exited).toEqual([1, null]);
    expect(said.out).toBe("");
    expect(said.err).toContain("could not be read");
  }, 60_000);

  it("[MC1] an address that is none ends it with the reason before it serves", async () => {
    const { said, exited } = start({ COTTY_URL: "localhost", COTTY_TOKEN: "cot_x" });
    expect(await exited).toEqual([2, null]);
    expect(said.out).toBe("");
    expect(said.err).toContain("COTTY_URL is not an address");
  }, 60_000);
});
