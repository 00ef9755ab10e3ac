// Tells the server how far the terminal has drawn (AT4): often enough to keep its window open, seldom enough to stay far below
// the limit on control frames.
import type { Clock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";

const KiB = 1024;

export const ackPace = {
  /** An eighth of the window. */
  bytes: 32 * KiB,
  /** With nothing more to draw, what was drawn is told after this. */
  idleMs: 50,
  /** Between two acks: 20 per second, so that a flood leaves room for reports and resizes under 50 control frames. */
  gapMs: 50,
} as const;

export class Acknowledger implements Disposable {
  private timer: Disposable | null = null;
  private isDisposed = false;
  private acked: number;
  private drawn: number;
  private sentMs = Number.NEGATIVE_INFINITY;

  /** `at`: the offset both ends agree on. `send` is called with rising offsets. */
  constructor(
    private readonly clock: Clock,
    at: number,
    private readonly send: (at: number) => void,
  ) {
    this.acked = at;
    this.drawn = at;
  }

  /** Everything before `at` is drawn. */
  draw(at: number): void {
    // Bytes of a connection that is gone are still drawn; nobody is left to be told.
    if (this.isDisposed || at <= this.drawn) return;
    this.drawn = at;
    const sinceSent = this.clock.monotonic() - this.sentMs;
    if (this.drawn - this.acked >= ackPace.bytes && sinceSent >= ackPace.gapMs) this.flush();
    else this.timer ??= this.clock.after(ackPace.idleMs, () => this.flush());
  }

  dispose(): void {
    this.isDisposed = true;
    this.timer?.dispose();
    this.timer = null;
  }

  private flush(): void {
    this.timer?.dispose();
    this.timer = null;
    if (this.drawn === this.acked) return;
    this.acked = this.drawn;
    this.sentMs = this.clock.monotonic();
    this.send(this.drawn);
  }
}
