// Time limits of tests, for a machine that others use too: a limit holds when the processors are free, and grows with the queue for them. Asked
// anew when a limit is reached: the queue may have grown meanwhile.
import { cpus, loadavg } from "node:os";

/** What hangs must end all the same. */
const mostTimes = 4;

/** `ms`, times how many processes wait for each processor. */
export function patience(ms: number): number {
  const perProcessor = (loadavg()[0] ?? 0) / cpus().length;
  return ms * Math.min(mostTimes, Math.max(1, perProcessor));
}
