// Moves the log onto the screen in turns: the one reader that must keep up. Knows neither viewers nor what a screen is.
import { assert, assertNever } from "#lib/base/assert.ts";
import type { Clock } from "#lib/base/clock.ts";
import { Emitter } from "#lib/base/emitter.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import { toDisposable } from "#lib/base/lifecycle.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import type { ByteOffset } from "#lib/protocol/ids.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { LogReader, OutputLogApi, ReadResult } from "./output-log.ts";

/** Where the log goes (the screen). `done` is called when all of `bytes` and nothing after them is applied. */
export interface PumpTarget {
  write(bytes: Uint8Array, done: () => void): void;
  resize(size: GridSize): void;
}

/** Where the log comes from (the PTY). */
export interface PumpSource {
  pause(): void;
  resume(): void;
}

/** While it is not disposed, the target stands still at one place of the log. */
export type PumpHold = Disposable;

/** Small enough that a turn of the slowest content stays in its time, large enough that turns are few. */
const turnBytes = { min: 8 * 1024, max: 64 * 1024 };

export class Pump implements Disposable {
  private readonly news = new Emitter<void>();
  /** Something more is on the target; told between two writes. */
  readonly onApplied = this.news.event;

  private readonly reader: LogReader;
  private readonly subscription: Disposable;
  private appliedOffset: ByteOffset = 0;
  private turn = turnBytes.min;
  private isWriting = false;
  private isPaused = false;
  private isDisposed = false;
  private holds = 0;
  private readonly holdWaiters: (() => void)[] = [];
  private appliedWaiters: { offset: ByteOffset; entry: number; resolve: () => void }[] = [];

  constructor(
    private readonly log: OutputLogApi,
    private readonly target: PumpTarget,
    private readonly source: PumpSource,
    private readonly clock: Clock,
  ) {
    this.reader = log.readerAt(0);
    this.subscription = log.onAppend(() => {
      this.slowDownOrGoOn();
      this.step();
    });
  }

  /** Bytes that are on the target. */
  get applied(): ByteOffset {
    return this.appliedOffset;
  }

  /** Resizes and exit that are on the target: with `applied`, its exact place in the log. */
  get appliedEntries(): number {
    return this.reader.entry;
  }

  /** Resolves between two writes; until the hold is disposed nothing more is fed. Several may hold at once. */
  hold(): Promise<PumpHold> {
    this.holds += 1;
    const hold = toDisposable(() => {
      this.holds -= 1;
      this.step();
    });
    // After dispose nothing moves any more, and a write under way may never end.
    if (!this.isWriting || this.isDisposed) return Promise.resolve(hold);
    return new Promise((resolve) => this.holdWaiters.push(() => resolve(hold)));
  }

  /** Resolves when everything before this place is applied, or when the pump is disposed. */
  whenApplied(offset: ByteOffset, entry = 0): Promise<void> {
    if (this.isDisposed || this.isAt(offset, entry)) return Promise.resolve();
    return new Promise((resolve) => this.appliedWaiters.push({ offset, entry, resolve }));
  }

  dispose(): void {
    this.isDisposed = true;
    this.subscription.dispose();
    this.news.dispose();
    for (const waiter of this.appliedWaiters.splice(0)) waiter.resolve();
    for (const grant of this.holdWaiters.splice(0)) grant();
  }

  /** Feeds the next entries until something is being written, nothing is left, or somebody holds. */
  private step(): void {
    while (!this.isWriting && this.holds === 0 && !this.isDisposed) {
      const entry = this.reader.read(this.turn);
      if (entry.kind === "empty") break;
      this.apply(entry);
    }
    this.wake();
  }

  private apply(entry: Exclude<ReadResult, { kind: "empty" }>): void {
    switch (entry.kind) {
      case "bytes":
        this.write(entry.bytes);
        break;
      case "resize":
        this.target.resize(entry.size);
        break;
      case "exit":
        break;
      case "evicted":
        // The PTY is paused long before the ring is full.
        assert(false, "the screen never falls behind the ring");
        break;
      default:
        assertNever(entry);
    }
  }

  private write(bytes: Uint8Array): void {
    this.isWriting = true;
    const began = this.clock.monotonic();
    this.target.write(bytes, () => {
      this.isWriting = false;
      if (this.isDisposed) return;
      this.appliedOffset = this.reader.offset;
      this.adapt(bytes.length, this.clock.monotonic() - began);
      this.slowDownOrGoOn();
      this.grantHolds();
      this.wake();
      this.news.fire();
      // Not at once: sockets and other sessions get their turn in between (SC7).
      setImmediate(() => this.step());
    });
  }

  /**
   * The time includes what other sessions did meanwhile, so that turns shrink when many flood at once. Twice the turn is
   * allowed because the emulator itself lets the loop go on after one.
   */
  private adapt(bytes: number, elapsedMs: number): void {
    if (elapsedMs > 2 * limits.screenTurnMs) this.turn = Math.max(turnBytes.min, this.turn / 2);
    // A read ends at a chunk, so it is seldom a whole turn.
    else if (bytes > this.turn / 2) this.turn = Math.min(turnBytes.max, this.turn * 2);
  }

  private slowDownOrGoOn(): void {
    const lag = this.log.end - this.appliedOffset;
    if (!this.isPaused && lag > limits.screenLagHighBytes) {
      this.isPaused = true;
      this.source.pause();
    } else if (this.isPaused && lag < limits.screenLagLowBytes) {
      this.isPaused = false;
      this.source.resume();
    }
  }

  private grantHolds(): void {
    for (const grant of this.holdWaiters.splice(0)) grant();
  }

  private wake(): void {
    if (this.appliedWaiters.length === 0) return;
    const ready = this.appliedWaiters.filter((waiter) => this.isAt(waiter.offset, waiter.entry));
    this.appliedWaiters = this.appliedWaiters.filter((waiter) => !ready.includes(waiter));
    for (const waiter of ready) waiter.resolve();
  }

  private isAt(offset: ByteOffset, entry: number): boolean {
    return this.appliedOffset >= offset && this.reader.entry >= entry;
  }
}
