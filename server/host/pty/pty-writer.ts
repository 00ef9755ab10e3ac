// Input on its way into a terminal (PT5, B013-B016): a bounded queue of whole units in front of a descriptor that must never
// block. Writes are synchronous, so no write can outlive the descriptor: after `dispose` the number is never used again.
import { emptyBytes } from "#lib/base/bytes.ts";
import type { Clock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { Fence, Pause, UnitOutcome } from "./pty.ts";

/**
 * Takes some of the bytes now, without blocking, and returns how many; 0 when the kernel has no room. Throws when the
 * other end is gone.
 */
export type WriteSome = (bytes: Uint8Array) => number;

/** Pauses between attempts while the program does not read: quick for one that is only slow, cheap for one that is stuck. */
const firstRetryMs = 1;
const maxRetryMs = 50;
/** A queue of single bytes must not cost a hundred times its weight in bookkeeping. */
const maxUnits = 16_384;
/** Of a fenced unit, per write: its fence is asked before each. */
const fencedBytes = 4_096;
/** Bytes handed over per turn, so that a program that reads as fast as we write leaves turns to others. */
const turnBytes = 256 * 1024;

interface QueuedUnit {
  readonly bytes: Uint8Array;
  written: number;
  /** Those still ahead. */
  pauses: readonly Pause[];
  readonly fence: Fence | undefined;
  /** The rest was dropped, and its owner knows. */
  readonly isCut: boolean;
}

export class PtyWriter implements Disposable {
  private queue: QueuedUnit[] = [];
  private queuedBytes = 0;
  private retryMs = firstRetryMs;
  private retry: Disposable | null = null;
  /** `retry` is the end of a pause, not another attempt. */
  private isPausing = false;
  private isClosed = false;

  constructor(
    private readonly writeSome: WriteSome,
    private readonly clock: Clock,
  ) {}

  get backlogBytes(): number {
    return this.queuedBytes;
  }

  /** False, with nothing queued, when the backlog would exceed `limits.inputBacklogBytes` (or too many units). The bytes are borrowed until written. */
  write(unit: Uint8Array, pauses: readonly Pause[] = [], fence?: Fence): boolean {
    if (this.isClosed || unit.length === 0) {
      fence?.began("discarded");
      return true;
    }
    if (this.queuedBytes + unit.length > limits.inputBacklogBytes) return false;
    if (this.queue.length >= maxUnits) return false;
    this.queue.push({ bytes: unit, written: 0, pauses, fence, isCut: false });
    this.queuedBytes += unit.length;
    if (!this.retry) this.flush();
    return true;
  }

  /** Drops the units that have not begun, and of one that has what is behind its next pause; returns how many bytes. */
  discardQueued(): number {
    const dropped = this.drop(() => true, "discarded");
    // What it was for is gone.
    if (this.isPausing) this.endPause();
    return dropped;
  }

  /** The same for what its fence does not let through any more. */
  dropStale(): void {
    const first = this.queue[0];
    this.drop(({ fence }) => fence !== undefined && !fence.mayWrite(), "stale");
    if (this.isPausing && this.queue[0] !== first) {
      this.endPause();
      this.flush();
    }
  }

  skipPauses(): void {
    for (const unit of this.queue) unit.pauses = [];
    if (!this.isPausing) return;
    this.endPause();
    this.flush();
  }

  dispose(): void {
    this.isClosed = true;
    this.retry?.dispose();
    this.retry = null;
    this.drop(() => true, "discarded");
    this.queue = [];
    this.queuedBytes = 0;
  }

  /** Of what has begun, what it owes is kept; of what is merely discarded, what stands before its next pause. Returns how many bytes went. */
  private drop(isUnwanted: (unit: QueuedUnit) => boolean, outcome: UnitOutcome): number {
    const before = this.queuedBytes;
    const dropped: QueuedUnit[] = [];
    const cut: [QueuedUnit, number][] = [];
    this.queue = this.queue.flatMap((unit) => {
      if (!isUnwanted(unit)) return [unit];
      if (unit.written > 0) {
        const kept = outcome === "stale" ? owedBy(unit) : upToPause(unit);
        const bytes = outcome === "stale" ? unit.written : (kept[0]?.bytes.length ?? unit.written);
        if (bytes < unit.bytes.length && !unit.isCut) cut.push([unit, bytes]);
        return kept;
      }
      dropped.push(unit);
      return [];
    });
    this.queuedBytes = this.queue.reduce(
      (sum, { bytes, written }) => sum + bytes.length - written,
      0,
    );
    for (const { fence } of dropped) fence?.began(outcome);
    for (const [{ fence }, bytes] of cut) fence?.cut(bytes);
    return before - this.queuedBytes;
  }

  private endPause(): void {
    this.retry?.dispose();
    this.retry = null;
    this.isPausing = false;
  }

  private flush(): void {
    this.retry = null;
    let leftThisTurn = turnBytes;
    for (let unit = this.queue[0]; unit; unit = this.queue[0]) {
      if (this.isPausing) {
        this.isPausing = false;
        unit.pauses = unit.pauses.slice(1);
      }
      const [pause] = unit.pauses;
      if (pause && unit.written >= pause.at) {
        this.isPausing = true;
        this.retryLater(pause.ms);
        unit.fence?.paused();
        return;
      }
      if (!this.mayWrite(unit)) continue;
      const end = Math.min(pause?.at ?? unit.bytes.length, unit.bytes.length);
      const most = unit.fence ? unit.written + fencedBytes : end;
      const count = this.tryWrite(unit.bytes.subarray(unit.written, Math.min(end, most)));
      if (this.isClosed) return;
      if (count === 0) {
        this.retryLater(this.retryMs);
        this.retryMs = Math.min(this.retryMs * 2, maxRetryMs);
        return;
      }
      this.retryMs = firstRetryMs;
      const isFirst = unit.written === 0;
      unit.written += count;
      this.queuedBytes -= count;
      const isLast = unit.written === unit.bytes.length;
      if (isLast) this.queue.shift();
      if (isFirst) unit.fence?.began("written");
      if (isLast && !unit.isCut) unit.fence?.ended();
      leftThisTurn -= count;
      if (leftThisTurn <= 0 && this.queue.length > 0) {
        this.retryLater(0);
        return;
      }
    }
  }

  /** The check at the moment of the write (LS7). A unit whose fence says no leaves the queue, but for what it owes. */
  private mayWrite({ fence }: QueuedUnit): boolean {
    if (!fence || fence.mayWrite()) return true;
    this.drop((unit) => unit.fence === fence, "stale");
    return false;
  }

  private tryWrite(bytes: Uint8Array): number {
    try {
      return this.writeSome(bytes);
    } catch {
      // The terminal is gone (EIO) and nobody will ever read this; the exit is reported by who watches the process.
      this.dispose();
      return 0;
    }
  }

  private retryLater(delayMs: number): void {
    this.retry = this.clock.after(delayMs, () => this.flush());
  }
}

/** A pause lies between two items, never inside an escape sequence or a paste: the unit may end there. */
function upToPause(unit: QueuedUnit): QueuedUnit[] {
  const [pause] = unit.pauses;
  if (!pause) return [unit];
  if (unit.written >= pause.at) return [];
  return [{ ...unit, bytes: unit.bytes.subarray(0, pause.at), pauses: [], isCut: true }];
}

/** Nobody's any more, so nothing drops it a second time. */
function owedBy({ fence, written }: QueuedUnit): QueuedUnit[] {
  const bytes = fence?.owed(written) ?? emptyBytes;
  if (bytes.length === 0) return [];
  return [{ bytes, written: 0, pauses: [], fence: undefined, isCut: true }];
}
