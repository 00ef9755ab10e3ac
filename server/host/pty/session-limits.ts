// Bounds of what a session's programs may use up (T105): the kernel's, set by prlimit(1), which then becomes the program. Node has no call for it,
// and setting them from outside afterwards comes too late for a program that forks at once. Linux only.
import { readdirSync, readFileSync } from "node:fs";
import { TermError } from "#lib/protocol/errors.ts";
import type { SessionLimits } from "#lib/protocol/session-limits.ts";
import { obstacleToExecute } from "./program-lookup.ts";

const places = ["/usr/bin/prlimit", "/bin/prlimit", "/usr/local/bin/prlimit"];

interface Program {
  readonly file: string;
  readonly args: readonly string[];
}

interface Machine {
  /** Undefined where there are no users (Windows). */
  readonly uid: number | undefined;
  readonly prlimit: string | undefined;
}

function thisMachine(): Machine {
  return {
    uid: process.getuid?.(),
    prlimit: places.find((file) => obstacleToExecute(file) === null),
  };
}

/** Why these limits would not hold here, as a sentence with what to do; null: they do. */
export function obstacleToLimits(limits: SessionLimits, machine = thisMachine()): string | null {
  if (Object.keys(limits).length === 0) return null;
  if (machine.prlimit === undefined)
    return "limits for sessions need the program prlimit (of util-linux, on Linux), which is not here; install it, or leave the limits out";
  if (limits.processes !== undefined && machine.uid === 0)
    return "a limit of processes does not hold for root; start Cotty as another user, or leave it out";
  return null;
}

/** The same program, kept within `limits`, soft and hard: no program can raise them. Throws PTY_SPAWN_FAILED where they would not hold. */
export function withinLimits<T extends Program>(
  program: T,
  limits: SessionLimits,
  given?: Machine,
): T {
  if (Object.keys(limits).length === 0) return program;
  const machine = given ?? thisMachine();
  const obstacle = obstacleToLimits(limits, machine);
  if (obstacle !== null || machine.prlimit === undefined)
    throw new TermError("PTY_SPAWN_FAILED", obstacle ?? "prlimit is gone");
  const tasks = limits.processes === undefined ? 0 : tasksOf(machine.uid ?? 0);
  const wanted: [flag: string, name: string, amount: number | undefined][] = [
    ["nproc", "processes", limits.processes && limits.processes + tasks],
    ["nofile", "open files", limits.openFiles],
    ["fsize", "file size", limits.fileSize],
    // Last: prlimit itself has to live with it until it is the program.
    ["as", "address space", limits.memory],
  ];
  const own = ownLimits();
  const flags = wanted.flatMap(([flag, name, amount]) =>
    // More than the host itself may have nobody but root can give, and that much less is within the limit.
    amount === undefined ? [] : [`--${flag}=${Math.min(amount, hardLimit(own, name))}`],
  );
  return { ...program, file: machine.prlimit, args: [...flags, program.file, ...program.args] };
}

function ownLimits(): string {
  try {
    return readFileSync("/proc/self/limits", "utf8");
  } catch {
    return "";
  }
}

/** Of a table as /proc/PID/limits is; Infinity: unlimited, or not told. */
export function hardLimit(table: string, name: string): number {
  const written = new RegExp(`^Max ${name} +\\S+ +(\\d+) `, "m").exec(table)?.[1];
  return written === undefined ? Number.POSITIVE_INFINITY : Number(written);
}

/** Processes and threads of the user: the kernel counts them all, so a bare number would mean something else on each machine. */
export function tasksOf(uid: number): number {
  let count = 0;
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const status = readFileSync(`/proc/${name}/status`, "utf8");
      if (Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]) !== uid) continue;
      count += Number(/^Threads:\s+(\d+)/m.exec(status)?.[1] ?? 1);
    } catch {
      // It ended meanwhile.
    }
  }
  return count;
}
