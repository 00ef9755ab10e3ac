// Feeds an emulator: writes in order, in slices small enough to look at the clock, in turns with the event loop in between (SC7), in
// whole characters (B048). Knows nothing of what the bytes do.
import type { Terminal } from "@xterm/headless";
import { assert } from "#lib/base/assert.ts";
import { concatBytes, emptyBytes } from "#lib/base/bytes.ts";
import type { Clock } from "#lib/base/clock.ts";
import { type Disposable, toDisposable } from "#lib/base/lifecycle.ts";
import { limits } from "#lib/protocol/limits.ts";
import { incompleteUtf8Tail } from "./utf8-boundary.ts";
import { unwedge } from "./xterm-internals.ts";

interface Job {
  readonly bytes: Uint8Array;
  readonly done: () => void;
  /** Bytes already parsed. */
  at: number;
}

type Turn = "idle" | "scheduled" | "parsing";

/** Called after each slice: `parsed` went to the emulator, `consumed` bytes of a write are dealt with. */
export type SliceListener = (parsed: Uint8Array, consumed: number) => void;

export class ParseQueue implements Disposable {
  private readonly terminal: Terminal;
  private readonly clock: Clock;
  private readonly onSlice: SliceListener;
  private readonly jobs: Job[] = [];
  private turn: Turn = "idle";
  private holds = 0;
  private isDisposed = false;
  private faultCount = 0;
  private incomplete: Uint8Array = emptyBytes;

  constructor(terminal: Terminal, clock: Clock, onSlice: SliceListener) {
    this.terminal = terminal;
    this.clock = clock;
    this.onSlice = onSlice;
  }

  get isEmpty(): boolean {
    return this.jobs.length === 0;
  }

  get isHeld(): boolean {
    return this.holds > 0;
  }

  /** The first bytes of a character whose rest has not come; the emulator has not seen them. */
  get heldBack(): Uint8Array {
    return this.incomplete;
  }

  /** Writes in which the emulator threw; the rest of such a slice was given up. */
  get faults(): number {
    return this.faultCount;
  }

  /** `done` is called in the emulator's own callback for the last of `bytes`, never before `add` returned. */
  add(bytes: Uint8Array, done: () => void): void {
    this.jobs.push({ bytes, done, at: 0 });
    this.schedule();
  }

  /** Nothing is parsed until the hold is disposed. */
  hold(): Disposable {
    this.holds++;
    return toDisposable(() => {
      this.holds--;
      this.schedule();
    });
  }

  dispose(): void {
    this.isDisposed = true;
    this.jobs.length = 0;
  }

  private schedule(): void {
    if (this.turn !== "idle" || this.jobs.length === 0 || this.holds > 0) return;
    this.turn = "scheduled";
    // Not a timer: those wait at least a millisecond, and a busy session comes here for every chunk.
    setImmediate(() => this.parseTurn());
  }

  private parseTurn(): void {
    this.turn = "parsing";
    const ends = this.clock.monotonic() + limits.screenTurnMs;
    while (this.holds === 0 && !this.isDisposed) {
      const job = this.jobs[0];
      if (!job) break;
      this.parseSlice(job);
      if (this.clock.monotonic() >= ends) break;
    }
    this.turn = "idle";
    this.schedule();
  }

  private parseSlice(job: Job): void {
    const end = Math.min(job.at + limits.screenSliceBytes, job.bytes.length);
    const slice = concatBytes([this.incomplete, job.bytes.subarray(job.at, end)]);
    const whole = slice.subarray(0, slice.length - incompleteUtf8Tail(slice));
    this.incomplete = whole.length === slice.length ? emptyBytes : slice.slice(whole.length);
    this.parse(whole, () => {
      this.onSlice(whole, end - job.at);
      job.at = end;
      if (end < job.bytes.length) return;
      this.jobs.shift();
      job.done();
    });
  }

  /** Parses `bytes` before it returns; `then` is called in the emulator's callback. */
  private parse(bytes: Uint8Array, then: () => void): void {
    if (bytes.length === 0) {
      then();
      return;
    }
    // After input the library parses the next write at once instead of by a timer; without bytes the input does nothing else.
    this.terminal.input("", true);
    let isParsed = false;
    try {
      this.terminal.write(bytes, () => {
        isParsed = true;
        then();
      });
    } catch (error) {
      // Not met since eraseAboveSafely, but a throw here would end every session of the host. Errors of `then` are not ours to hide.
      if (isParsed) throw error;
      this.faultCount++;
      unwedge(this.terminal);
      then();
      return;
    }
    assert(isParsed, "the emulator parses a write at once after input");
  }
}
