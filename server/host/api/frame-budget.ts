// How fast one socket may send (T56). Pure but for the time handed in: says when to stop reading, and when it has gone on too long.
import { limits } from "#lib/protocol/limits.ts";

/**
 * `bytes`: sizes and acknowledgements, which are cheap and of which the last one counts. `frame`: typing and reports.
 * `control`: everything else.
 */
export type FrameCost = "bytes" | "frame" | "control";

export type BudgetVerdict =
  | { kind: "go" }
  /** Read nothing for `ms`. */
  | { kind: "pause"; ms: number }
  /** Over the frame budget for `limits.overBudgetMs` on end. */
  | { kind: "close" };

/** A bucket that fills by `perSecond` up to one second's worth; it may go below zero, and then reading stops until it is full enough. */
interface Bucket {
  readonly perSecond: number;
  level: number;
}

export class FrameBudget {
  private readonly bytes: Bucket = full(limits.inwardBytesPerSecond);
  private readonly frames: Bucket = full(limits.framesPerSecond);
  private readonly control: Bucket = full(limits.controlFramesPerSecond);
  private lastMs: number;
  /** Since when the frames came too fast without a break. */
  private overSinceMs: number | undefined;

  constructor(nowMs: number) {
    this.lastMs = nowMs;
  }

  take(cost: FrameCost, byteCount: number, nowMs: number): BudgetVerdict {
    this.refill(nowMs);
    // A frame's header and its handling cost too, so that empty frames are not free.
    this.bytes.level -= byteCount + 16;
    if (cost !== "bytes") this.frames.level -= 1;
    if (cost === "control") this.control.level -= 1;

    const frameDebtMs = Math.max(debtMs(this.frames), debtMs(this.control));
    if (frameDebtMs > 0) {
      this.overSinceMs ??= nowMs;
      if (nowMs - this.overSinceMs >= limits.overBudgetMs) return { kind: "close" };
    }
    const pauseMs = Math.max(frameDebtMs, debtMs(this.bytes));
    return pauseMs > 0 ? { kind: "pause", ms: Math.min(pauseMs, 2_000) } : { kind: "go" };
  }

  private refill(nowMs: number): void {
    const seconds = Math.max(0, nowMs - this.lastMs) / 1000;
    this.lastMs = nowMs;
    for (const bucket of [this.bytes, this.frames, this.control]) {
      bucket.level = Math.min(bucket.perSecond, bucket.level + bucket.perSecond * seconds);
    }
    // Nothing came for a while: whoever was too fast has stopped.
    if (isHalfFull(this.frames) && isHalfFull(this.control)) this.overSinceMs = undefined;
  }
}

function full(perSecond: number): Bucket {
  return { perSecond, level: perSecond };
}

function isHalfFull(bucket: Bucket): boolean {
  return bucket.level >= bucket.perSecond / 2;
}

/** Until the bucket is above zero again. */
function debtMs(bucket: Bucket): number {
  return bucket.level >= 0 ? 0 : (-bucket.level / bucket.perSecond) * 1000;
}
