// A process named so that a recycled pid is not taken for it: pid and start time. Asks the system, signals nobody.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as z from "zod/mini";

export const processIdentitySchema = z.object({
  pid: z.int().check(z.minimum(1)),
  /** Linux: clock ticks since boot (stat field 22); elsewhere seconds since 1970. Only equality means something. */
  startTime: z.int().check(z.minimum(0)),
});
export type ProcessIdentity = z.infer<typeof processIdentitySchema>;

const hasProc = existsSync("/proc/self/stat");

/** When `pid` was started, or undefined when there is no such process (a zombie counts as none). */
export function processStartTime(pid: number): number | undefined {
  if (!Number.isSafeInteger(pid) || pid < 1) return undefined;
  return hasProc ? fromProc(pid) : fromPs(pid);
}

function fromProc(pid: number): number | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    // The process is gone.
    return undefined;
  }
  // The second field is the program's name in parentheses and may itself hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (fields[0] === "Z" || fields[0] === "X") return undefined;
  const startTime = Number(fields[19]);
  return Number.isSafeInteger(startTime) ? startTime : undefined;
}

function fromPs(pid: number): number | undefined {
  try {
    // Here alone: where there is /proc, no command should pay for loading it.
    const { execFileSync } = createRequire(import.meta.url)(
      "node:child_process",
    ) as typeof import("node:child_process");
    const started = execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], {
      encoding: "utf8",
      env: { ...process.env, LC_ALL: "C" },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const ms = Date.parse(started.trim());
    return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000);
  } catch {
    // ps answers with a failure when there is no such process.
    return undefined;
  }
}

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, startTime: processStartTime(process.pid) ?? 0 };
}

/** Whether that very process still runs. */
export function isRunning(identity: ProcessIdentity): boolean {
  return processStartTime(identity.pid) === identity.startTime;
}
