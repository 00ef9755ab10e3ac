// Notices that the host's socket was taken away: with it nobody can ever reach, see or end the terminals any more (HO6).
import { existsSync } from "node:fs";
import type { Clock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import { limits } from "#lib/protocol/limits.ts";

/** Two looks in a row, so that a file that is just being replaced is no reason to end shells. */
const missesAllowed = 1;

/** Calls `onGone` once when `path` stays away. */
export function watchSocket(path: string, clock: Clock, onGone: () => void): Disposable {
  let misses = 0;
  const timer = clock.every(limits.socketCheckMs, () => {
    misses = existsSync(path) ? 0 : misses + 1;
    if (misses <= missesAllowed) return;
    timer.dispose();
    onGone();
  });
  return timer;
}
