// Runs something at once and then at most once per period, however often it is poked; the last poke is never lost.
import type { Clock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";

export class Coalesced implements Disposable {
  private timer: Disposable | null = null;
  private isPoked = false;
  private isDisposed = false;

  constructor(
    private readonly clock: Clock,
    private readonly periodMs: number,
    private readonly run: () => void,
  ) {}

  poke(): void {
    if (this.isDisposed) return;
    if (this.timer) {
      this.isPoked = true;
      return;
    }
    this.timer = this.clock.after(this.periodMs, () => {
      this.timer = null;
      if (!this.isPoked) return;
      this.isPoked = false;
      this.poke();
    });
    this.run();
  }

  dispose(): void {
    this.isDisposed = true;
    this.timer?.dispose();
    this.timer = null;
  }
}
