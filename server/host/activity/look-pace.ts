// When to look at a session again. It holds the one timer; what is looked at is not its business. Quick after something happened, slower the longer
// nothing does, never for long more often than `limits.looksPerSecond`.
import type { Clock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import { limits } from "#lib/protocol/limits.ts";

/** After output or typing: a program needs a moment to come to its next read, and some need longer. */
const soonMs = [8, 20, 50, 100, 150] as const;
/** A look in the middle of output tells little: it waits for a gap, though not for ever. */
const gapMs = 6;
const maxGapWaitMs = 250;

export class LookPace implements Disposable {
  private timer: Disposable | null = null;
  private dueMs = Number.POSITIVE_INFINITY;
  private tokens: number = limits.looksAtOnce;
  private refilledMs: number;
  private step = 0;
  private lookedMs = Number.NEGATIVE_INFINITY;
  private stirredMs: number;
  private attendants = 0;
  private isOver = false;

  constructor(
    private readonly look: () => void,
    private readonly clock: Clock,
  ) {
    this.refilledMs = clock.monotonic();
    this.stirredMs = this.refilledMs;
  }

  /** Something was printed or typed: look soon, and a few times more. */
  stir(): void {
    this.stirredMs = this.clock.monotonic();
    this.step = 0;
    this.schedule(soonMs[0]);
  }

  /** Somebody waits for a change: the pace does not slow down meanwhile. */
  attend(): Disposable {
    this.attendants += 1;
    this.schedule(0);
    let isHeld = true;
    return {
      dispose: () => {
        if (isHeld) this.attendants -= 1;
        isHeld = false;
      },
    };
  }

  /** After each look. `isSteady`: it waits for somebody, so that hardly anything changes without output or typing. */
  looked(isSteady: boolean): void {
    this.cancel();
    this.lookedMs = this.clock.monotonic();
    const soon = soonMs[++this.step];
    if (soon !== undefined) this.schedule(soon);
    else {
      const delayMs = this.laterMs(isSteady);
      if (delayMs !== null) this.schedule(delayMs);
    }
  }

  /** Time that may be taken for a look nobody scheduled; false: too many lately. */
  take(): boolean {
    this.refill();
    if (this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }

  dispose(): void {
    this.isOver = true;
    this.cancel();
  }

  private laterMs(isSteady: boolean): number | null {
    const stillMs = this.clock.monotonic() - this.stirredMs;
    if (!isSteady) {
      if (stillMs < 2_000 || this.attendants > 0) return 240;
      return stillMs < 10_000 ? 500 : 1_000;
    }
    if (stillMs < 2_000 || this.attendants > 0) return 500;
    return stillMs < 60_000 ? 2_000 : null;
  }

  private schedule(delayMs: number): void {
    if (this.isOver) return;
    this.refill();
    const nowMs = this.clock.monotonic();
    const lackMs = this.tokens >= 1 ? 0 : ((1 - this.tokens) * 1_000) / limits.looksPerSecond;
    const dueMs = nowMs + Math.max(delayMs, lackMs);
    if (this.timer && this.dueMs <= dueMs) return;
    this.timer?.dispose();
    this.dueMs = dueMs;
    this.timer = this.clock.after(dueMs - nowMs, () => {
      this.cancel();
      this.due();
    });
  }

  private due(): void {
    const nowMs = this.clock.monotonic();
    if (nowMs - this.stirredMs < gapMs && nowMs - this.lookedMs < maxGapWaitMs) {
      this.schedule(gapMs);
      return;
    }
    if (this.take()) this.look();
    else this.schedule(gapMs);
  }

  private cancel(): void {
    this.timer?.dispose();
    this.timer = null;
    this.dueMs = Number.POSITIVE_INFINITY;
  }

  private refill(): void {
    const nowMs = this.clock.monotonic();
    const gained = ((nowMs - this.refilledMs) * limits.looksPerSecond) / 1_000;
    this.tokens = Math.min(limits.looksAtOnce, this.tokens + gained);
    this.refilledMs = nowMs;
  }
}
