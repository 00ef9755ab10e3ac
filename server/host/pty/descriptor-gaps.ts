// Keeps terminals out of each other's programs (PT4, T100). The module leaves its masters open across exec; on Linux its
// child closes what it inherited, but its prebuilt binary (1.2.0-beta.15) stops at the first unused number above 15: one closed
// socket below a master, and the next program can type into another session. So no number is unused while it forks.
// Remove when the module opens its masters close-on-exec.
import { closeSync, openSync, readdirSync } from "node:fs";
import { TermError } from "#lib/protocol/errors.ts";

/** Enough for a thousand sessions and two thousand sockets; a higher number was handed to us by whoever started the server. */
const highestDescriptor = 16_384;

/** Runs `fork`, which must not return to the event loop, while every descriptor number below the highest open one is in use. */
export function withoutDescriptorGaps<T>(fork: () => T): T {
  if (process.platform !== "linux") return fork();
  const fillers: number[] = [];
  try {
    const top = Math.max(...readdirSync("/proc/self/fd").map(Number));
    if (top > highestDescriptor) {
      throw new TermError(
        "PTY_SPAWN_FAILED",
        `descriptor ${top} is open; the highest safe one is ${highestDescriptor}`,
      );
    }
    // The system always gives out the lowest free number.
    for (let filler = -1; filler < top; fillers.push(filler)) filler = openSync("/dev/null", "r");
    return fork();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EMFILE" && code !== "ENFILE") throw error;
    throw new TermError(
      "PTY_SPAWN_FAILED",
      "the server has too many open files for one more terminal",
    );
  } finally {
    for (const filler of fillers) closeSync(filler);
  }
}
