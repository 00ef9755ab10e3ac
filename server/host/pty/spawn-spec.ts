// What to start: command, directory, environment, size; resolved and checked before any process exists (PT7, PT12).
import { realpathSync } from "node:fs";
import { userInfo } from "node:os";
import { isAbsolute, join, resolve, sep } from "node:path";
import { TermError } from "#lib/protocol/errors.ts";
import { defaultGridSize, type GridSize } from "#lib/protocol/geometry.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { CreateSession } from "#lib/protocol/session.ts";
import type { SessionLimits } from "#lib/protocol/session-limits.ts";
import { findProgram, obstacleToEnter, obstacleToExecute } from "./program-lookup.ts";
import { sessionEnvironment } from "./session-env.ts";
import { withinLimits } from "./session-limits.ts";
import { hookShell, type ShellIntegration } from "./shell-hooks.ts";

/** All fields resolved: `file` is an absolute path that may be executed, `cwd` an absolute directory that may be entered. */
export interface SpawnSpec {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly size: GridSize;
  readonly term: string;
  /** As people see it: what was asked for, without what is added to start a shell with its marks. */
  readonly command: readonly string[];
  readonly integration: ShellIntegration;
}

/** What the server says where the request says nothing. */
export interface SpawnDefaults {
  readonly sessionId: string;
  /** The server's own environment, from which an allow-list is passed on. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Value of COTTY_URL; null or absent leaves it out. */
  readonly url?: string | null;
  /** Where sessions start; the home directory when absent. */
  readonly cwd?: string;
  /** Instead of the user's shell. */
  readonly command?: readonly string[];
  readonly size?: GridSize;
  /** More names of `environment` to pass on (session-env.ts). */
  readonly keepEnvironment?: readonly string[];
  /** When given, the working directory must lie inside one of these, links followed (T104). */
  readonly roots?: readonly string[];
  /** False: no shell is started with marks, whatever the request says (SI1). */
  readonly shellIntegration?: boolean;
  /** What the program and all that it starts may use up (T105). */
  readonly limits?: SessionLimits;
}

export const defaultTerm = "xterm-256color";

/** Throws TermError BAD_SIZE, BAD_CWD, BAD_COMMAND, or BAD_REQUEST for an environment that is too large. */
export function resolveSpawnSpec(request: CreateSession, defaults: SpawnDefaults): SpawnSpec {
  const size = resolveSize(request, defaults.size ?? defaultGridSize);
  const env = sessionEnvironment({
    server: defaults.environment,
    keep: defaults.keepEnvironment,
    term: request.term || defaultTerm,
    sessionId: defaults.sessionId,
    url: defaults.url ?? null,
    given: checkedEnvironment(request.env ?? {}),
  });
  const cwd = resolveCwd(request.cwd ?? defaults.cwd, env, defaults.roots);
  const [name = "", ...args] = checkedCommand(
    request.command ?? defaults.command ?? defaultCommand(env),
  );
  const program = findProgram(name, cwd, env.PATH ?? "");
  if (program.kind === "refused") {
    throw new TermError("BAD_COMMAND", `the command cannot be started: ${program.reason}`);
  }
  const { file } = program;
  const command = request.command ?? [file, ...args];
  const common = { file, cwd, size, term: env.TERM || defaultTerm, command };
  const { limits: bounds = {} } = defaults;
  if (request.integration === "off" || defaults.shellIntegration === false) {
    return withinLimits({ ...common, args, env, integration: { kind: "off" } }, bounds);
  }
  return withinLimits({ ...common, ...hookShell({ name, args, env }) }, bounds);
}

/** The user's shell: $SHELL, else that of the password file, else /bin/sh; the first that can be executed. */
export function defaultCommand(env: Readonly<Record<string, string | undefined>>): string[] {
  const shells = [env.SHELL, passwdShell(), "/bin/sh"];
  const shell = shells.find((file) => file && isAbsolute(file) && obstacleToExecute(file) === null);
  return [shell ?? "/bin/sh"];
}

function passwdShell(): string | null {
  try {
    return userInfo().shell;
  } catch {
    // This uid has no entry there (containers).
    return null;
  }
}

function resolveSize(request: CreateSession, fallback: GridSize): GridSize {
  const size = { cols: request.cols ?? fallback.cols, rows: request.rows ?? fallback.rows };
  for (const side of ["cols", "rows"] as const) {
    const { min, max } = limits[side];
    if (!Number.isInteger(size[side]) || size[side] < min || size[side] > max) {
      throw new TermError(
        "BAD_SIZE",
        `${side} must be a whole number from ${min} to ${max}, not ${size[side]}`,
      );
    }
  }
  return size;
}

/** An absolute directory that may be entered; throws BAD_CWD. */
export function resolveCwd(
  wanted: string | undefined,
  env: Readonly<Record<string, string>>,
  roots: readonly string[] | undefined,
): string {
  const home = env.HOME && isAbsolute(env.HOME) ? env.HOME : "/";
  const named = wanted ?? (obstacleToEnter(home) === null ? home : "/");
  const cwd = named === "~" ? home : named.startsWith("~/") ? join(home, named.slice(2)) : named;
  if (!isAbsolute(cwd) || cwd.includes("\0")) {
    throw new TermError("BAD_CWD", `cwd must be an absolute path, not ${JSON.stringify(named)}`);
  }
  const obstacle = obstacleToEnter(cwd);
  if (obstacle !== null) throw new TermError("BAD_CWD", `the directory ${cwd} ${obstacle}`);
  const path = resolve(cwd);
  if (roots && !roots.some((root) => isInside(realpathSync(path), root))) {
    throw new TermError("BAD_CWD", `the directory ${cwd} is outside the allowed roots`);
  }
  return path;
}

function isInside(path: string, root: string): boolean {
  const base = realpathSync(root);
  return path === base || path.startsWith(base.endsWith(sep) ? base : base + sep);
}

function checkedCommand(command: readonly string[]): readonly string[] {
  const bytes = command.reduce((sum, word) => sum + Buffer.byteLength(word) + 1, 0);
  if (!command[0]) throw new TermError("BAD_COMMAND", "the command names no program");
  if (command.some((word) => word.includes("\0")))
    throw new TermError("BAD_COMMAND", "the command contains NUL");
  if (command.length > limits.commandArgs || bytes > limits.commandBytes) {
    throw new TermError(
      "BAD_COMMAND",
      `the command has ${command.length} words and ${bytes} bytes; at most ${limits.commandArgs} and ${limits.commandBytes} are allowed`,
    );
  }
  return command;
}

function checkedEnvironment(given: Readonly<Record<string, string>>) {
  const entries = Object.entries(given);
  const bytes = entries.reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(value) + 2,
    0,
  );
  const complaint =
    entries.length > limits.envEntries
      ? `has ${entries.length} variables; at most ${limits.envEntries} are allowed`
      : bytes > limits.envBytes
        ? `has ${bytes} bytes; at most ${limits.envBytes} are allowed`
        : entries.some(([name, value]) => /[=\0]/.test(name) || value.includes("\0"))
          ? "contains NUL, or a name with an equals sign"
          : null;
  if (complaint === null) return given;
  throw new TermError("BAD_REQUEST", `env ${complaint}`, {
    errors: [{ path: "body.env", message: complaint }],
  });
}
