// Finds out that an open connection is dead, and how long a round trip takes. Pings only while somebody looks: timers of hidden
// pages are throttled, and a late answer would be taken for a lost one.
import type { Clock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { PageSignals } from "./page-signals.ts";
import { Samples } from "./samples.ts";

export const heartbeatTimes = {
  /** Twice: 20 s at most until a dead connection is noticed, well under the 45 s of AT9. */
  everyMs: 10_000,
  answerMs: 10_000,
  /** After a wake-up the network is known to have been away: find out sooner. */
  wokenAnswerMs: 4_000,
} as const;

export interface HeartbeatOptions {
  clock: Clock;
  page: PageSignals;
  ping: (id: number) => void;
  dead: () => void;
}

export class Heartbeat implements Disposable {
  private readonly rtts = new Samples(10);
  private readonly timers: Disposable[];
  private pending: { id: number; sentMs: number } | null = null;
  /** Runs while nothing at all has been heard since the last ping. */
  private deadline: Disposable | null = null;
  private dueMs = 0;
  private nextId = 1;
  private isDisposed = false;

  constructor(private readonly options: HeartbeatOptions) {
    const { clock, page } = options;
    this.timers = [
      clock.every(heartbeatTimes.everyMs, () => {
        // A ping that is still unanswered keeps its deadline: asking again must not put off the end.
        if (page.isVisible() && !this.deadline) this.ask(heartbeatTimes.answerMs);
      }),
      page.onWake(() => this.ask(heartbeatTimes.wokenAnswerMs)),
    ];
    this.ask(heartbeatTimes.answerMs);
  }

  /** Median of the last ten round trips; null before the first. */
  get rttMs(): number | null {
    return this.rtts.median();
  }

  /** Anything that came from the other end proves that it lives. */
  heard(): void {
    this.deadline?.dispose();
    this.deadline = null;
  }

  pong(id: number): void {
    if (this.pending?.id !== id) return;
    this.rtts.add(this.options.clock.monotonic() - this.pending.sentMs);
    this.pending = null;
    this.heard();
  }

  dispose(): void {
    this.isDisposed = true;
    this.heard();
    for (const timer of this.timers) timer.dispose();
  }

  private ask(answerMs: number): void {
    if (this.isDisposed) return;
    const { clock, page, ping, dead } = this.options;
    const nowMs = clock.monotonic();
    // Never later than before: many wake-ups in a row must not put the end off.
    this.dueMs = this.deadline ? Math.min(this.dueMs, nowMs + answerMs) : nowMs + answerMs;
    this.deadline?.dispose();
    this.deadline = clock.after(Math.max(0, this.dueMs - nowMs), () => {
      this.deadline = null;
      // Hidden meanwhile: the answer may lie unread behind a throttled timer. The next wake-up asks again.
      if (!this.isDisposed && page.isVisible()) dead();
    });
    const id = this.nextId++;
    this.pending = { id, sentMs: nowMs };
    ping(id);
  }
}
