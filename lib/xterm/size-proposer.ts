// Turns many measurements into few proposals (SZ3): the last one, once it has been still for a moment, and only if it is news.
import type { Clock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import { type GridSize, sameSize } from "#lib/protocol/geometry.ts";
import { limits } from "#lib/protocol/limits.ts";

export class SizeProposer implements Disposable {
  private timer: Disposable | null = null;
  private last: GridSize | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly propose: (size: GridSize) => void,
  ) {}

  /** Null: nothing real was measured; a proposal that was about to be made is withdrawn. */
  measured(size: GridSize | null): void {
    this.timer?.dispose();
    this.timer = null;
    if (!size || (this.last && sameSize(this.last, size))) return;
    this.timer = this.clock.after(limits.resizeDebounceMs, () => {
      this.timer = null;
      this.last = size;
      this.propose(size);
    });
  }

  dispose(): void {
    this.timer?.dispose();
    this.timer = null;
  }
}
