// `cotty start`: finds or starts the host, starts web in this process, prints the one-time link (HO2, HO3, SE1).
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Command, Option } from "commander";
import { sleep, systemClock } from "#lib/base/clock.ts";
import { limits } from "#lib/protocol/limits.ts";
import { writtenSessionLimits } from "#lib/protocol/session-limits.ts";
import type { Config } from "#server/config/config.ts";
import { type LogLevel, type SettingName, settings } from "#server/config/settings.ts";
import { endOwnCoreDumps } from "#server/state/core-dumps.ts";
import { isHostAlive } from "#server/state/host-endpoint.ts";
import { ensureHost, type LaunchedHost } from "#server/state/host-launch.ts";
import { takeLock } from "#server/state/process-lock.ts";
import type { StateDir } from "#server/state/state-dir.ts";
import { bindRefusal } from "#server/web/bind.ts";
import type { RunningWeb } from "#server/web/start.ts";
import type { WebLog } from "#server/web/web-log.ts";
import { withExamples } from "./examples.ts";
import { CliError, exitCodes } from "./exit.ts";
import { mintLink, openInBrowser } from "./login-link.ts";
import { configOf, withSettings } from "./options.ts";
import {
  findWeb,
  hostStatus,
  keepRunning,
  runningSessions,
  stateOf,
  type WebRecord,
} from "./running.ts";
import { data, paint, plain, tell } from "./terminal-output.ts";

/** A little more than a dashboard needs to say goodbye, or to be there. */
const claimWithinMs = limits.webCloseMs + 5_000;

const otherWays =
  "Get a new link with `cotty open`, end it with `cotty stop`, or use another --state-dir.";

/** `isDefault`: also what a bare `cotty` means. A word that is no command must not be taken for an argument of it. */
export function startCommand(parent: Command, isDefault: boolean): void {
  const command = parent
    .command("start", { isDefault })
    .summary("start the dashboard (the default)")
    .description(
      "Find the running host or start one, then serve the dashboard and the API. Ctrl-C stops the web server; the terminals keep running.",
    )
    .option("-d, --detach", "in the background; `cotty stop` ends it")
    .option("--dev", "serve the pages from source (for work on cotty itself)")
    .option("--json", "with --detach: the link and the address as JSON")
    .addOption(new Option("--no-link", "print no link").hideHelp());
  withExamples(command, [
    ["cotty start", "Ctrl-C stops it; terminals go on"],
    ["cotty start -d", "in the background"],
    ["cotty start --port 8080 --no-open", "on a port of your own"],
  ]);
  withSettings(command, Object.keys(settings) as SettingName[]).action(() => {
    const wishes = command.opts<Wishes>();
    const config = configOf(command);
    return wishes.detach ? background(config, wishes) : start(config, wishes);
  });
}

interface Wishes {
  detach?: true;
  dev?: true;
  json?: true;
  link: boolean;
}

async function background(config: Config, wishes: Wishes): Promise<void> {
  const dir = stateOf(config.stateDir);
  const other = findWeb(dir);
  if (other && (await isHostAlive(dir))) throw alreadyRuns(other);
  const { startDetached } = await import("./detached-start.ts");
  const web = await startDetached(dir);
  const link = mintLink(dir, web.url);
  if (wishes.json) {
    data(JSON.stringify({ url: web.url, pid: web.pid, link, log: dir.webLog }));
    return;
  }
  tell(
    `${paint("bold", "cotty")} runs in the background at ${paint("cyan", web.url)} (pid ${web.pid}). This link signs you in, once, within 2 minutes:`,
  );
  data(link);
  tell(
    paint(
      "dim",
      "`cotty stop` ends it, the terminals keep running. `cotty open` makes a new link.",
    ),
  );
  if (!config.noOpen) openInBrowser(link);
}

async function start(config: Config, { dev, link }: Wishes): Promise<void> {
  const dir = stateOf(config.stateDir);
  const other = await claimDashboard(dir);
  if (other && (await isHostAlive(dir))) throw alreadyRuns(other);
  const refusal = bindRefusal({
    bind: config.host,
    tcpPort: config.port ?? undefined,
    allowHosts: config.allowHosts,
    hasTls: config.tlsCert !== null,
    behindTls: config.behindTls,
  });
  // Before the host is started: a start that is refused must leave nothing running.
  if (refusal && !other) throw new CliError(exitCodes.usage, refusal);
  const tls = readTls(config);

  const launched = ensureHost(dir, {
    cwd: process.cwd(),
    env: process.env,
    maxSessions: config.maxSessions,
    leaseIdleMs: config.leaseIdle,
    politeness: config.politeness,
    logLevel: config.logLevel,
    noTerminal: config.noTerminal,
    noShellIntegration: config.noShellIntegration,
    sessionLimits: writtenSessionLimits(config.sessionLimits),
    configFile: config.configFile,
  });
  // Loaded while the host starts; no other command should load it.
  const [{ startWeb }, host] = await Promise.all([
    import("#server/web/start.ts"),
    launched,
    endOwnCoreDumps(),
  ]);
  if (other) {
    tell(`started the terminal host again; the dashboard is at ${paint("cyan", other.url)}`);
    return;
  }
  const web = await startWeb({
    state: dir,
    bind: config.host,
    ...(config.port === null ? {} : { tcpPort: config.port }),
    allowHosts: config.allowHosts,
    ...(tls ? { tls } : {}),
    behindTls: config.behindTls,
    ...(config.tcp === null ? {} : { linePort: config.tcp }),
    siteFolder: dev ? null : join(projectRoot, "out"),
    ...(dev ? { devFolder: projectRoot } : {}),
    log: consoleLog(config.logLevel),
  });
  const stopped = stopOnSignal(dir, web);
  await announce(config, dir, host, link ? web.url : null);
  if (web.linePort !== null) tell(`terminals as lines of JSON: 127.0.0.1 port ${web.linePort}`);
  await stopped;
}

/**
 * One dashboard per state directory, also of several starts at once (HO2): the one that runs, or nothing when this process is the one
 * from now until it has ended, however it ends. Who holds the claim without a record is either about to serve or about to be gone:
 * both are waited for.
 */
async function claimDashboard(dir: StateDir): Promise<WebRecord | undefined> {
  const deadline = systemClock.monotonic() + claimWithinMs;
  for (;;) {
    const other = findWeb(dir);
    if (other) return other;
    const claim = takeLock(dir.webLock);
    if (claim.kind === "taken") {
      process.once("exit", () => claim.lock.release());
      return undefined;
    }
    if (systemClock.monotonic() > deadline) {
      const who = `another \`cotty start\` (pid ${claim.holder.pid})`;
      throw new CliError(exitCodes.failed, `${who} is starting a dashboard here`, otherWays);
    }
    await sleep(systemClock, 50);
  }
}

function alreadyRuns(web: WebRecord): CliError {
  const message = `a dashboard already runs at ${web.url} (pid ${web.pid})`;
  return new CliError(exitCodes.failed, message, otherWays);
}

/** Where package.json lies: above dist/ in a build, above server/cli/ in the source. */
const here = dirname(fileURLToPath(import.meta.url));
const projectRoot = join(here, import.meta.url.endsWith(".ts") ? "../.." : "..");

function readTls(config: Config): { cert: Buffer; key: Buffer } | undefined {
  if (config.tlsCert === null || config.tlsKey === null) return undefined;
  const read = (flag: string, path: string) => {
    try {
      return readFileSync(path);
    } catch (error) {
      throw new CliError(
        exitCodes.usage,
        `${flag} ${path} cannot be read: ${(error as Error).message}`,
      );
    }
  };
  return { cert: read("--tls-cert", config.tlsCert), key: read("--tls-key", config.tlsKey) };
}

async function announce(
  config: Config,
  dir: StateDir,
  host: LaunchedHost,
  url: string | null,
): Promise<void> {
  const status = await hostStatus(host.endpoint);
  for (const warning of status?.warnings ?? []) tell(`${paint("yellow", "warning:")} ${warning}`);
  if (!host.started) {
    const ignored = config.noTerminal && status?.terminals.state === "ready";
    tell(`using the running host; ${keepRunning(status?.sessions ?? 0)}`);
    if (ignored)
      tell(
        `${paint("yellow", "warning:")} --no-terminal has no effect on a host that runs already; end it with \`cotty stop --all\` first`,
      );
  }
  if (url === null) return;
  const link = mintLink(dir, url);
  tell(
    `${paint("bold", "cotty")} is ready at ${paint("cyan", url)}. This link signs you in, once, within 2 minutes:`,
  );
  data(link);
  tell(
    paint(
      "dim",
      "Ctrl-C stops the web server, the terminals keep running. `cotty open` makes a new link.",
    ),
  );
  if (!config.noOpen) openInBrowser(link);
}

/** Resolves when web has ended after SIGINT, SIGTERM or SIGHUP; a second one ends at once. */
function stopOnSignal(dir: StateDir, web: RunningWeb): Promise<void> {
  return new Promise<void>((resolve) => {
    let stopping = false;
    const stop = async () => {
      if (stopping) process.exit(exitCodes.interrupted);
      stopping = true;
      await web.close();
      const running = await runningSessions(dir);
      tell(running === undefined ? "stopped" : `stopped the web server; ${keepRunning(running)}`);
      resolve();
    };
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.on(signal, () => void stop());
  }).then(() => {
    // Next's development server and idle sockets may hold the loop.
    process.exit(exitCodes.ok);
  });
}

/** What goes wrong at the doors, one line each on stderr; `info` only when asked for. */
function consoleLog(level: LogLevel): WebLog {
  const order: readonly LogLevel[] = ["debug", "info", "warn", "error", "silent"];
  // What web says at "info" (each login, each restart) is for who asked for "debug": the terminal is a person's.
  const threshold = Math.max(order.indexOf(level), level === "debug" ? 0 : order.indexOf("warn"));
  return (at, event, facts) => {
    if (order.indexOf(at) < threshold) return;
    const shown = Object.entries(facts ?? {}).map(
      ([name, value]) => `${name}=${JSON.stringify(value)}`,
    );
    tell(plain([at, event, ...shown].join(" ")));
  };
}
