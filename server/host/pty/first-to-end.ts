// When the machine runs out of memory the kernel ends somebody: rather a program of a session than the host, which holds all sessions, or web (T105).
import { readFileSync, writeFileSync } from "node:fs";

/** Thousandths of the machine's memory, as which the kernel counts every process of a session on top of what it holds (proc_pid_oom_score_adj(5)). */
export const firstToEnd = 200;

/** For `pid` and all that it starts from now on. Anybody may raise it; only root could lower it again. Nothing happens off Linux. */
export function endBeforeUs(pid: number): void {
  try {
    const own = Number(readFileSync("/proc/self/oom_score_adj", "utf8"));
    writeFileSync(`/proc/${pid}/oom_score_adj`, String(Math.min(1_000, own + firstToEnd)));
  } catch {
    // Another system, or the program is over already.
  }
}
