// Takes the sizes that the authority decides: proposals debounced, nothing twice, at most 20 per second (SZ3, SZ4, T56).
import type { Clock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import { type GridSize, sameSize } from "#lib/protocol/geometry.ts";
import { limits } from "#lib/protocol/limits.ts";
import {
  decideSize,
  type SizeFact,
  type SizeOwner,
  type SizeState,
  sizeOwnerId,
} from "./size-authority.ts";

export interface SizeListener {
  /** PTY, guard and log take the size, in this order of events. */
  take(size: GridSize): void;
  ownerChanged(attachment: string | null): void;
}

const gapMs = 1_000 / limits.resizesPerSecond;

export class SizeControl implements Disposable {
  private state: SizeState;
  private taken: GridSize;
  private takenMs = Number.NEGATIVE_INFINITY;
  private pending: { size: GridSize; timer: Disposable } | null = null;

  constructor(
    initial: { size: GridSize; owner: SizeOwner },
    private readonly listener: SizeListener,
    private readonly clock: Clock,
  ) {
    this.taken = initial.size;
    this.state = { owner: initial.owner, people: new Map() };
  }

  /** The size the session has, or will have within the 50 ms that the rate may cost. */
  get size(): GridSize {
    return this.pending?.size ?? this.taken;
  }

  get owner(): string | null {
    return sizeOwnerId(this.state.owner);
  }

  fact(fact: SizeFact): void {
    const before = this.owner;
    const decision = decideSize(this.state, fact);
    this.state = decision.state;
    if (decision.take)
      this.takeAfter(decision.take, fact.kind === "proposed" ? limits.resizeDebounceMs : 0);
    if (this.owner !== before) this.listener.ownerChanged(this.owner);
  }

  dispose(): void {
    this.pending?.timer.dispose();
    this.pending = null;
  }

  /** Replaces what was pending: the last decision wins. */
  private takeAfter(size: GridSize, delayMs: number): void {
    this.dispose();
    if (sameSize(size, this.taken)) return;
    const waitMs = Math.max(delayMs, this.takenMs + gapMs - this.clock.monotonic());
    if (waitMs <= 0) this.take(size);
    else this.pending = { size, timer: this.clock.after(waitMs, () => this.take(size)) };
  }

  private take(size: GridSize): void {
    this.pending = null;
    this.taken = size;
    this.takenMs = this.clock.monotonic();
    this.listener.take(size);
  }
}
