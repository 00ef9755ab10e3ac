// Time as a dependency: code takes a Clock, tests take a FakeClock (server/testing/fake-clock.ts).
import { type Disposable, toDisposable } from "./lifecycle.ts";

export interface Clock {
  /** Wall time, milliseconds since 1970. For showing and storing; it may jump. */
  now(): number;
  /** Milliseconds that never jump back, from an arbitrary zero. For durations and deadlines. */
  monotonic(): number;
  /** Calls `fn` once after at least `delayMs`, unless disposed before. */
  after(delayMs: number, fn: () => void): Disposable;
  /** Calls `fn` every `periodMs` until disposed. */
  every(periodMs: number, fn: () => void): Disposable;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, fn) {
    const timer = setTimeout(fn, delayMs);
    return toDisposable(() => clearTimeout(timer));
  },
  every(periodMs, fn) {
    const timer = setInterval(fn, periodMs);
    return toDisposable(() => clearInterval(timer));
  },
};

/** Resolves after `delayMs` of `clock`'s time. */
export function sleep(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => clock.after(delayMs, resolve));
}
