// Puts processes on one core and this one on the others, so that a figure says what one core can do. Linux; elsewhere it does nothing.
import { execFileSync } from "node:child_process";
import { availableParallelism } from "node:os";

function pin(pid: number, cores: string): boolean {
  try {
    // -a: every thread.
    execFileSync("taskset", ["-a", "-c", "-p", cores, String(pid)], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** What they start later inherits it. Returns whether it worked: with a single core there is nothing to part. */
export function onOneCore(pids: readonly number[]): boolean {
  const last = availableParallelism() - 1;
  if (last < 1) return false;
  return pids.every((pid) => pin(pid, "0")) && pin(process.pid, `1-${last}`);
}
