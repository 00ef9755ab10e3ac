// The way to the program's input: units of typing, the terminal's own replies, and a Ctrl-C that passes a full queue.

import { concatBytes } from "#lib/base/bytes.ts";
import type { Clock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import { limits } from "#lib/protocol/limits.ts";
import { TypedLine } from "#server/host/input/typed-line.ts";
import type { Fence, Pause, Pty } from "#server/host/pty/pty.ts";

const ctrlC = 0x03;
/** A program that reads at all has taken the byte by then; PT6 allows 1 s. */
const stuckMs = 200;

export class Keyboard implements Disposable {
  private replies: Uint8Array[] = [];
  private gatheredReplyBytes = 0;
  private queuedReplyBytes = 0;
  private dropped = 0;
  private watch: Disposable | null = null;
  /** Of the Ctrl-C that is being watched; undefined: a person's. */
  private watchFence: Fence | undefined;
  /** When the pauses that were asked for will be over, if the program reads. */
  private pausesEndMs = 0;
  /** What has been typed of a line that is not ended yet. */
  readonly line = new TypedLine();
  /** Queued behind the Ctrl-C that is being watched. */
  private laterBytes = 0;

  constructor(
    private readonly pty: Pick<
      Pty,
      "write" | "backlogBytes" | "discardQueued" | "dropStale" | "skipPauses" | "signalForeground"
    >,
    private readonly clock: Clock,
  ) {}

  /** Bytes of replies that found their bounded queue full (T81). */
  get droppedReplyBytes(): number {
    return this.dropped;
  }

  /**
   * One unit, whole and in order (IN5). False, with nothing typed, when the backlog is full. The pauses are left out where those that
   * wait already would keep the next one who types waiting too long (IN4).
   */
  write(unit: Uint8Array, pauses: readonly Pause[] = [], fence?: Fence): boolean {
    if (unit.length === 0) {
      fence?.began("written");
      fence?.ended();
      return true;
    }
    const isInterrupt = unit.includes(ctrlC);
    if (isInterrupt) {
      // Somebody who wants the program to stop does not wait for the gaps in what was typed before.
      this.pty.skipPauses();
      this.pausesEndMs = 0;
    }
    const ownMs = this.affordableMs(pauses);
    const isTaken = this.queue(unit, ownMs > 0 ? pauses : [], fence);
    if (isTaken) this.line.typed(unit);
    // What stands behind the Ctrl-C in its own unit may wait for as long as it likes.
    const behind = isTaken ? unit.length - 1 - unit.lastIndexOf(ctrlC) : 0;
    if (isInterrupt) this.watchIfStuck(behind, ownMs, fence);
    const isHeard = isTaken || (isInterrupt && unit.length === 1);
    if (isHeard && !isTaken) {
      fence?.began("written");
      fence?.ended();
    }
    return isHeard;
  }

  /** The keyboard changed hands: what waits and may not be typed any more goes now. */
  dropStale(): void {
    this.pty.dropStale();
    // Nor does an agent's Ctrl-C stop the program any more, or drop what the person types now.
    if (this.watchFence?.mayWrite() === false) this.endWatch();
  }

  /**
   * The terminal's own answer to a query (SC3). Answers of one turn go out as one unit; those that would wait behind 64 KiB of
   * others are dropped: a program that asks without reading gets no more.
   */
  reply(bytes: Uint8Array): void {
    // Queued units leave in order, so at most the whole backlog can still be replies.
    this.queuedReplyBytes = Math.min(this.queuedReplyBytes, this.pty.backlogBytes);
    const waiting = this.queuedReplyBytes + this.gatheredReplyBytes;
    if (waiting + bytes.length > limits.replyBacklogBytes) {
      this.dropped += bytes.length;
      return;
    }
    this.replies.push(bytes);
    this.gatheredReplyBytes += bytes.length;
    if (this.replies.length === 1) queueMicrotask(() => this.flushReplies());
  }

  dispose(): void {
    this.endWatch();
    this.replies = [];
  }

  private endWatch(): void {
    this.watch?.dispose();
    this.watch = null;
  }

  private flushReplies(): void {
    if (this.replies.length === 0) return;
    const unit = concatBytes(this.replies);
    this.replies = [];
    this.gatheredReplyBytes = 0;
    if (this.queue(unit)) this.queuedReplyBytes += unit.length;
    else this.dropped += unit.length;
  }

  /** How long the pauses take together; 0 when they are to be left out. */
  private affordableMs(pauses: readonly Pause[]): number {
    const ownMs = pauses.reduce((sum, { ms }) => sum + ms, 0);
    const nowMs = this.clock.monotonic();
    const endMs = Math.max(nowMs, this.pausesEndMs) + ownMs;
    if (endMs - nowMs > limits.inputGapsMs) return 0;
    this.pausesEndMs = endMs;
    return ownMs;
  }

  private queue(unit: Uint8Array, pauses?: readonly Pause[], fence?: Fence): boolean {
    const isTaken = this.pty.write(unit, pauses, fence);
    if (isTaken) this.laterBytes += unit.length;
    return isTaken;
  }

  private watchIfStuck(behind: number, pausesMs: number, fence: Fence | undefined): void {
    const ahead = this.pty.backlogBytes - behind;
    if (ahead <= 0) return;
    this.laterBytes = behind;
    // A person's is watched to its end, also when an agent's comes behind it.
    this.watchFence = this.watch ? this.watchFence && fence : fence;
    this.watchInterrupt(ahead, stuckMs + pausesMs);
  }

  /**
   * PT6: `ahead` bytes, the Ctrl-C among them, wait to be read. As long as they get fewer the Ctrl-C is on its way; when they do not,
   * the program is told by signal and the unread input is dropped, as a terminal does.
   */
  private watchInterrupt(ahead: number, waitMs: number): void {
    this.watch?.dispose();
    this.watch = this.clock.after(waitMs, () => {
      this.watch = null;
      const left = this.pty.backlogBytes - this.laterBytes;
      if (left <= 0) return;
      if (left < ahead) {
        this.watchInterrupt(left, waitMs);
        return;
      }
      this.pty.discardQueued();
      this.pty.signalForeground("INT");
    });
  }
}
