// Runs work that is done in steps: at once, or in slices with the event loop's turns in between (SN4).
import type { Clock } from "#lib/base/clock.ts";

/** Longest work in one go. */
export const sliceMs = 6;

export function finish<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

export async function finishInSlices<T>(steps: Generator<void, T>, clock: Clock): Promise<T> {
  let sliceEnds = clock.monotonic() + sliceMs;
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (clock.monotonic() <= sliceEnds) continue;
    await new Promise<void>((resolve) => setImmediate(resolve));
    sliceEnds = clock.monotonic() + sliceMs;
  }
}
