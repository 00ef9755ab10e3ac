// How long a thread of this process has computed, as the kernel counts it: on a busy machine the clock says nothing of that. Linux only.
import { readFileSync } from "node:fs";

/** For the thread itself to say: its number for `computedMs`, or null. As text, for a thread made of text. */
export const ownNumber = `(() => {
  try {
    return Number(require("node:fs").readlinkSync("/proc/thread-self").split("/").pop());
  } catch {
    return null;
  }
})()`;

/** Milliseconds of processor time since the thread began; null where nothing tells (proc(5), schedstat: nanoseconds, the first of three). */
export function computedMs(thread: number | null): number | null {
  if (thread === null) return null;
  try {
    const [nanoseconds] = readFileSync(`/proc/self/task/${thread}/schedstat`, "utf8").split(" ");
    return Number(nanoseconds) / 1e6;
  } catch {
    // Another system, a kernel without these figures, or the thread is gone.
    return null;
  }
}
