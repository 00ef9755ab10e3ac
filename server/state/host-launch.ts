// Finds the living host of a state directory or starts one, detached, and waits until it answers or has said why it cannot (HO2).
// Knows the host only as a program; imports none of it.
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, constants, existsSync, openSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { sleep, systemClock } from "#lib/base/clock.ts";
import { withoutCoreDumps } from "./core-dumps.ts";
import { answers, findHost, type HostEndpoint } from "./host-endpoint.ts";
import { incompatibility } from "./host-record.ts";
import type { StateDir } from "./state-dir.ts";

export interface LaunchOptions {
  /** Working directory of the host, and so the default one of its sessions. */
  cwd: string;
  env: NodeJS.ProcessEnv;
  maxSessions?: number;
  /** Silence after which a person's keyboard goes back to agents; null: never. */
  leaseIdleMs?: number | null;
  /** How another person's keys may take the keyboard, where its holder does not say. */
  politeness?: string;
  logLevel?: string;
  noTerminal?: boolean;
  noShellIntegration?: boolean;
  /** What a session's programs may use up, as the flag says it. */
  sessionLimits?: string;
  /** The config file, for the launch profiles in it: a path only, because command lines are for everybody to read. */
  configFile?: string;
  /** Until the host answers; default 15 s. */
  timeoutMs?: number;
  /** Arguments for node that run a host; default: the one beside this file. For tests, which start many. */
  program?: readonly string[];
}

export interface LaunchedHost {
  readonly endpoint: HostEndpoint;
  /** False: it was living already, and the options were not used. */
  readonly started: boolean;
}

/** Exit code with which a host says that another one holds the directory: no failure, the other is about to answer. */
export const hostAlreadyRunsCode = 75;

/** How often a start is repeated that met another host, which then went away. */
const maxStarts = 3;

/** Throws an Error whose message tells people what failed. */
export async function ensureHost(dir: StateDir, options: LaunchOptions): Promise<LaunchedHost> {
  const living = await findAnswering(dir);
  if (living) return { endpoint: living, started: false };

  const logStart = existsSync(dir.hostLog) ? statSync(dir.hostLog).size : 0;
  let child = startDetached(dir, options);
  let end = childEnd(child);
  let starts = 1;
  const deadline = systemClock.monotonic() + (options.timeoutMs ?? 15_000);
  for (;;) {
    const found = await findAnswering(dir);
    if (found) {
      const started = found.record.pid === child.pid;
      // A child that lost the race holds nothing yet; left alone, a slow one would become a host after the winner has ended.
      if (!started) child.kill("SIGTERM");
      child.unref();
      return { endpoint: found, started };
    }
    const ended = end();
    if (ended && ended.code !== hostAlreadyRunsCode) {
      throw new Error(`the cotty host could not start: ${reason(dir, logStart, ended.text)}`);
    }
    if (ended && starts < maxStarts && !findHost(dir)) {
      // The host that held the directory has gone since.
      child = startDetached(dir, options);
      end = childEnd(child);
      starts += 1;
    }
    if (systemClock.monotonic() > deadline) {
      // A host that never came to answer holds no session; left alone it would hold the lock.
      if (!ended) child.kill("SIGKILL");
      throw new Error(
        `the cotty host did not answer in time: ${reason(dir, logStart, "it says nothing")}; see ${dir.hostLog}`,
      );
    }
    await sleep(systemClock, 20);
  }
}

async function findAnswering(dir: StateDir): Promise<HostEndpoint | undefined> {
  const found = findHost(dir);
  if (!found) return undefined;
  const refusal = incompatibility(found.record);
  if (refusal) throw new Error(refusal);
  return (await answers(found, 2_000)) ? found : undefined;
}

function startDetached(dir: StateDir, options: LaunchOptions): ChildProcess {
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
  const log = openSync(dir.hostLog, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600);
  try {
    const program = options.program ?? hostProgram();
    const { file, args } = withoutCoreDumps([
      process.execPath,
      ...program,
      "--state-dir",
      dir.root,
      ...flags(options),
    ]);
    return spawn(file, args, {
      cwd: options.cwd,
      env: hostEnvironment(options.env),
      // A group and session of its own: the terminal's Ctrl-C and hang-up end web, never the shells.
      detached: true,
      stdio: ["ignore", log, log],
    });
  } finally {
    closeSync(log);
  }
}

/** A host started from inside a session is not that session's: closing the session must not end it. */
function hostEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { COTTY_SESSION: _session, COTTY_URL: _url, ...others } = env;
  return others as NodeJS.ProcessEnv;
}

function flags(options: LaunchOptions): string[] {
  return [
    ...(options.maxSessions === undefined ? [] : ["--max-sessions", String(options.maxSessions)]),
    ...(options.leaseIdleMs === undefined ? [] : ["--lease-idle", idleFlag(options.leaseIdleMs)]),
    ...(options.politeness === undefined ? [] : ["--politeness", options.politeness]),
    ...(options.logLevel === undefined ? [] : ["--log-level", options.logLevel]),
    ...(options.noTerminal ? ["--no-terminal"] : []),
    ...(options.noShellIntegration ? ["--no-shell-integration"] : []),
    ...(options.sessionLimits === undefined ? [] : ["--session-limits", options.sessionLimits]),
    ...(options.configFile === undefined ? [] : ["--config", options.configFile]),
  ];
}

function idleFlag(idleMs: number | null): string {
  return idleMs === null ? "never" : String(idleMs / 1_000);
}

/** Arguments for node: the bundle beside this one, or in a checkout the source through tsx. */
function hostProgram(): string[] {
  const here = fileURLToPath(import.meta.url);
  if (!here.endsWith(".ts")) return [join(dirname(here), "host.js")];
  const tsx = createRequire(here).resolve("tsx");
  return ["--import", tsx, join(dirname(here), "..", "host", "main.ts")];
}

function childEnd(child: ChildProcess): () => { code: number | null; text: string } | undefined {
  let end: { code: number | null; text: string } | undefined;
  child.on("error", (error) => {
    end = { code: null, text: error.message };
  });
  child.on("exit", (code, signal) => {
    end ??= { code, text: signal ? `it was ended by ${signal}` : `it exited with code ${code}` };
  });
  return () => end;
}

/** The last plain lines that this start added to the log; JSON lines are the log's own. */
function reason(dir: StateDir, from: number, otherwise: string): string {
  if (!existsSync(dir.hostLog)) return otherwise;
  const added = readFileSync(dir.hostLog).subarray(from).toString("utf8");
  const lines = added.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("{"));
  return (
    lines
      .slice(-5)
      .join("\n")
      .replace(/^cotty host: /gm, "") || otherwise
  );
}
