// `cotty mcp`: the tools of MC1 on stdin and stdout, for clients that start their servers themselves. A bridge: every call becomes a
// request to a running Cotty, so it holds no terminal and may end at any time. stdout carries the protocol and nothing else.
import { type Command, InvalidArgumentError } from "commander";
import type { ApiClient } from "#lib/client/api-client.ts";
import { ApiError } from "#lib/client/api-error.ts";
import type { Actor } from "#lib/protocol/actor.ts";
import { randomId } from "#lib/protocol/ids.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { Role } from "#lib/protocol/roles.ts";
import { findHost } from "#server/state/host-endpoint.ts";
import type { StateDir } from "#server/state/state-dir.ts";
import { version } from "#server/state/version.ts";
import { withExamples } from "./examples.ts";
import { CliError, exitCodes } from "./exit.ts";
import { createLazyClient } from "./lazy-client.ts";
import { configOf, withSettings } from "./options.ts";
import { findWeb, stateOf } from "./running.ts";
import { tell } from "./terminal-output.ts";

export function mcpCommand(parent: Command): void {
  const command = parent
    .command("mcp")
    .summary("serve the MCP tools on stdin and stdout")
    .description(
      "Serve the MCP tools on stdin and stdout against a running cotty. With COTTY_TOKEN it speaks to COTTY_URL over HTTP; without, to this machine's host.",
    )
    .option("--name <NAME>", "what people see as who types (this machine's host)", parseName, "mcp")
    .option("--read-only", "look only (this machine's host)");
  withExamples(command, [
    ["claude mcp add cotty -- cotty mcp --name claude", ""],
    ["codex mcp add cotty -- cotty mcp --name codex", ""],
  ]);
  withSettings(command, ["stateDir"]).action(async () => {
    const { name, readOnly } = command.opts<{ name: string; readOnly?: true }>();
    const { stateDir } = configOf(command);
    const { COTTY_TOKEN: token, COTTY_URL: url } = process.env;
    const target = token
      ? // The state directory of this machine has nothing to do with a server elsewhere.
        await remote(url || findWeb(stateOf(stateDir))?.url, token)
      : local(stateOf(stateDir), { name, role: readOnly ? "viewer" : "agent" });
    await serve(target);
  });
}

function parseName(written: string): string {
  const name = written.trim();
  if (name === "" || name.length > limits.nameChars)
    throw new InvalidArgumentError(`Give 1 to ${limits.nameChars} characters.`);
  return name;
}

interface Target {
  readonly api: ApiClient;
  readonly where: string;
  role(): Promise<Role>;
}

/** COTTY_URL alone decides nothing: every program in a Cotty terminal has it, and no token (PT12). */
async function remote(url: string | undefined, token: string): Promise<Target> {
  if (!url || !/^https?:\/\/[^\s/]+\/?$/.test(url)) {
    throw new CliError(
      exitCodes.usage,
      url
        ? `COTTY_URL is not an address: ${JSON.stringify(url)}`
        : "COTTY_TOKEN is set, and COTTY_URL is not",
      "Set COTTY_URL to the address that `cotty start` printed.",
    );
  }
  const { patientFetch } = await import("./patient-fetch.ts");
  const api = createLazyClient({
    baseUrl: url.replace(/\/$/, ""),
    headers: () => ({ authorization: `Bearer ${token}` }),
    fetch: patientFetch,
  });
  let known: Role | undefined;
  const role = async () => {
    try {
      known ??= (await api.me()).actor.role;
      return known;
    } catch (error) {
      // All tools are listed then, and each call says by itself what is wrong; a client starts us before the server is there.
      if (error instanceof ApiError) return "agent";
      throw error;
    }
  };
  return { api, where: url, role };
}

/** Whoever may read the host's key may do everything; an agent asks for an agent's share, under a name of its own. */
function local(state: StateDir, { name, role }: { name: string; role: Role }): Target {
  const actor: Actor = { kind: "agent", id: `local-mcp-${randomId(10)}`, name, role };
  const api = createLazyClient({
    baseUrl: "http://host.invalid",
    fetch: async (address, init) => {
      // Looked up each time: a host that was started again has another key.
      const host = findHost(state);
      if (!host) throw new Error(`no cotty host runs in ${state.root}`);
      const { pathname, search } = new URL(String(address));
      const reply = await host.request(init?.method ?? "GET", pathname + search, {
        actor,
        ...(init?.body == null ? {} : { body: JSON.parse(String(init.body)) }),
        ...(init?.signal ? { signal: init.signal } : {}),
        // Nothing comes before what is waited for.
        ...(/\/(?:wait|act)$/.test(pathname) ? { timeoutMs: 2 * limits.waitMs.max } : {}),
      });
      const hasBody = reply.status !== 204 && reply.status !== 304;
      return new Response(hasBody ? reply.text : null, { status: reply.status });
    },
  });
  // Where the agent works, not where the host was started.
  const createSession: ApiClient["createSession"] = (input = {}) => {
    const hasPlace = input.body?.cwd !== undefined || input.body?.profile !== undefined;
    return api.createSession(
      hasPlace ? input : { ...input, body: { ...input.body, cwd: process.cwd() } },
    );
  };
  return { api: { ...api, createSession }, where: state.root, role: async () => role };
}

async function serve({ api, where, role }: Target): Promise<void> {
  const log = {
    info: () => {},
    warn: (_fields: object, message: string) => tell(`cotty mcp: ${message}`),
    error: (fields: { err?: unknown }, message: string) =>
      tell(`cotty mcp: ${message}: ${String(fields.err ?? "")}`),
  };
  // No other command should load the tools.
  const { createMcpServer, loadMcpLibrary } = await import("#server/host/mcp/mcp-server.ts");
  const library = await loadMcpLibrary();
  const { serveStdio, StdioServerTransport } = await import("@modelcontextprotocol/server/stdio");
  const transport = new StdioServerTransport(process.stdin, process.stdout, {
    maxBufferSize: limits.bodyBytes,
  });
  // However it ends (stdin, stdout, a message without end), the library closes the transport, and nothing else tells us.
  const close = transport.close.bind(transport);
  const ended = new Promise<void>((resolve) => {
    transport.close = () => close().finally(resolve);
  });
  const caller = async () => ({ api, role: await role(), requestId: randomId(16), log });
  const connection = serveStdio(() => createMcpServer({ library, version, caller }), {
    transport,
    onerror: (error) => tell(`cotty mcp: ${error.message}`),
  });
  tell(`cotty mcp: serving ${where}`);
  await ended;
  const isOver = process.stdin.readableEnded || process.stdin.destroyed || process.stdout.destroyed;
  await connection.close();
  if (!isOver) {
    process.stdin.destroy();
    throw new CliError(
      exitCodes.failed,
      "the connection ended at a message that could not be read",
    );
  }
}
