// A clock that moves only when told to. Double for systemClock.
import type { Clock } from "#lib/base/clock.ts";
import { type Disposable, toDisposable } from "#lib/base/lifecycle.ts";

interface Timer {
  due: number;
  every: number | null;
  fn: () => void;
}

export class FakeClock implements Clock {
  private elapsedMs = 0;
  private readonly timers = new Set<Timer>();

  constructor(private readonly startMs = Date.UTC(2026, 0, 1)) {}

  now(): number {
    return this.startMs + this.elapsedMs;
  }

  monotonic(): number {
    return this.elapsedMs;
  }

  after(delayMs: number, fn: () => void): Disposable {
    return this.add({ due: this.elapsedMs + delayMs, every: null, fn });
  }

  every(periodMs: number, fn: () => void): Disposable {
    return this.add({ due: this.elapsedMs + periodMs, every: periodMs, fn });
  }

  /** Timers not yet due; a suite may assert 0 to find leaks. */
  get pending(): number {
    return this.timers.size;
  }

  /** Moves time forward, firing due timers in order of their time. */
  advance(ms: number): void {
    const target = this.elapsedMs + ms;
    for (;;) {
      let next: Timer | undefined;
      for (const timer of this.timers)
        if (timer.due <= target && (!next || timer.due < next.due)) next = timer;
      if (!next) break;
      this.elapsedMs = Math.max(this.elapsedMs, next.due);
      if (next.every === null) this.timers.delete(next);
      else next.due += next.every;
      next.fn();
    }
    this.elapsedMs = target;
  }

  private add(timer: Timer): Disposable {
    this.timers.add(timer);
    return toDisposable(() => this.timers.delete(timer));
  }
}
