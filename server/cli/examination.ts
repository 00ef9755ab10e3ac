// What `cotty doctor` looks at. Each look is one function that says what it found; none changes anything.
import { readdirSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { basename, join } from "node:path";
import { systemClock } from "#lib/base/clock.ts";
import { isSealed } from "#lib/protocol/session.ts";
import type { Config } from "#server/config/config.ts";
import { listTokens } from "#server/state/credential-store.ts";
import { connectHost, type HostEndpoint } from "#server/state/host-endpoint.ts";
import { openStateDir, type StateDir } from "#server/state/state-dir.ts";
import { version } from "#server/state/version.ts";
import { createLazyClient } from "./lazy-client.ts";
import { nodeFetch } from "./node-fetch.ts";
import { findWeb, hostStatus, localActor, terminals } from "./running.ts";

export interface Finding {
  readonly level: "ok" | "note" | "bad";
  readonly what: string;
  readonly says: string;
}

const found = (level: Finding["level"], what: string, says: string): Finding => ({
  level,
  what,
  says,
});
const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

export async function examine(config: Config): Promise<Finding[]> {
  const findings: Finding[] = [...versions(), await terminalModule(), shell(config)];
  let dir: StateDir;
  try {
    dir = openStateDir(config.stateDir);
  } catch (error) {
    return [...findings, found("bad", "state", reasonOf(error))];
  }
  findings.push(permissions(dir), tokens(dir), await dashboard(dir, config.port ?? 7070));
  try {
    const host = await connectHost(dir);
    findings.push(...(await runningHost(dir, host)));
  } catch (error) {
    findings.push(found("note", "host", reasonOf(error)));
  }
  const far = await elsewhere();
  return far ? [...findings, far] : findings;
}

function versions(): Finding[] {
  const { versions: node, platform, arch } = process;
  const says = `cotty ${version}, node ${node.node}, ${platform}-${arch}`;
  const user =
    process.getuid?.() === 0
      ? [found("note", "user", "running as root: every terminal is a root shell")]
      : [];
  return [found("ok", "versions", says), ...user];
}

async function terminalModule(): Promise<Finding> {
  const { checkTerminals } = await import("#server/host/terminal-check.ts");
  const availability = await checkTerminals();
  return availability.state === "ready"
    ? found("ok", "terminals", "a terminal could be started, keeps its output, leaks no descriptor")
    : found("bad", "terminals", availability.reason);
}

function shell(config: Config): Finding {
  const path = process.env.SHELL || "/bin/sh";
  if (config.noShellIntegration)
    return found(
      "note",
      "shell",
      "shell integration is off: commands, their status and their output are not told apart",
    );
  return ["bash", "zsh", "fish"].includes(basename(path))
    ? found("ok", "shell", `${path} announces its commands (journal, output --wait)`)
    : found(
        "note",
        "shell",
        `${path} announces no commands; bash, zsh and fish do (docs/shell-integration.md)`,
      );
}

/** That nobody else can read what lies there; the directories themselves were checked when it was opened. */
function permissions(dir: StateDir): Finding {
  const open = [dir.root, dir.credentials, dir.audit]
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((path) => {
      const stat = statSync(path, { throwIfNoEntry: false });
      return stat?.isFile() && (stat.mode & 0o077) !== 0;
    });
  const [first] = open;
  return first === undefined
    ? found("ok", "state", `${dir.root} is yours alone`)
    : found(
        "bad",
        "state",
        `others can read ${first}; run: chmod 600 ${open.slice(0, 3).join(" ")}`,
      );
}

function tokens(dir: StateDir): Finding {
  const store = { folder: dir.credentials, clock: systemClock };
  const all = listTokens(store);
  if (all.length === 0)
    return found("ok", "tokens", "none; `cotty token create` makes one for an agent");
  const now = systemClock.now();
  const expired = all.filter(({ expiresAt }) => expiresAt !== null && expiresAt <= now).length;
  const owners = all.filter(({ role }) => role === "owner").length;
  const endless = all.filter(({ expiresAt }) => expiresAt === null).length;
  const facts = [
    `${all.length} token${all.length === 1 ? "" : "s"}`,
    ...(owners > 0 ? [`${owners} with an owner's powers`] : []),
    ...(endless > 0 ? [`${endless} valid until revoked`] : []),
    ...(expired > 0 ? [`${expired} expired`] : []),
  ];
  return found("ok", "tokens", `${facts.join(", ")}; \`cotty token list\` shows them`);
}

async function dashboard(dir: StateDir, tcpPort: number): Promise<Finding> {
  const web = findWeb(dir);
  if (web) return found("ok", "dashboard", `${web.url} (pid ${web.pid})`);
  const port = (await isFree(tcpPort))
    ? `port ${tcpPort} is free`
    : `port ${tcpPort} is taken by something else; --port chooses another`;
  return found("note", "dashboard", `not running (\`cotty start\`); ${port}`);
}

async function runningHost(dir: StateDir, host: HostEndpoint): Promise<Finding[]> {
  const { pid, version: theirs } = host.record;
  const status = await hostStatus(host);
  const says = `pid ${pid}, version ${theirs}, ${terminals(status?.sessions ?? 0)} running`;
  const findings = [
    theirs === version
      ? found("ok", "host", says)
      : found("note", "host", `${says}; this is ${version}: \`cotty stop --all\` and start again`),
  ];
  const warnings = status?.warnings.filter((warning) => !warning.includes("as root")) ?? [];
  for (const warning of warnings) findings.push(found("note", "host", warning));
  if (status && status.terminals.state !== "ready")
    findings.push(found("bad", "host", status.terminals.reason));
  const silent = await silentShells(host);
  if (silent.length > 0)
    findings.push(
      found(
        "note",
        "sessions",
        `shells that announce no commands: ${silent.slice(0, 5).join(", ")}`,
      ),
    );
  return [...findings, found("ok", "logs", `${dir.hostLog} (host), ${dir.webLog} (start -d)`)];
}

/** Names of shells that should have announced themselves by now, and did not: our start-up file is not read there. */
async function silentShells(host: HostEndpoint): Promise<string[]> {
  const route = () => ({
    socketPath: host.socketPath,
    headers: host.headers(localActor(), "doctor"),
  });
  const api = createLazyClient({ baseUrl: "http://host.invalid", fetch: nodeFetch(route) });
  const { sessions } = await api.listSessions();
  return sessions.flatMap((one) => {
    if (isSealed(one) || one.exited || one.integration !== "none") return [];
    const program = basename(one.command[0] ?? "").replace(/^-/, "");
    return ["bash", "zsh", "fish"].includes(program) && one.command.length === 1 ? [one.name] : [];
  });
}

/** With a token in the environment commands go elsewhere: that is worth knowing. */
async function elsewhere(): Promise<Finding | undefined> {
  const { COTTY_URL: url, COTTY_TOKEN: token } = process.env;
  if (!token) return undefined;
  if (!url) return found("note", "token", "COTTY_TOKEN is set, and commands use it");
  const headers = { authorization: `Bearer ${token}` };
  const api = createLazyClient({
    baseUrl: url.replace(/\/$/, ""),
    fetch: nodeFetch(() => ({ headers })),
  });
  try {
    const { actor } = await api.me();
    return found("ok", "token", `commands go to ${url} as ${actor.name} (${actor.role})`);
  } catch (error) {
    return found("bad", "token", `commands go to ${url}, which says: ${reasonOf(error)}`);
  }
}

function isFree(tcpPort: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ host: "127.0.0.1", port: tcpPort, exclusive: true }, () =>
      server.close(() => resolve(true)),
    );
  });
}
