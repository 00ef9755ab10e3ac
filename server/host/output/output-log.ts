// The ordered log of one session: bytes, resizes and the exit, each with its place (LG1). Knows no viewers and no emulator.
import { assert } from "#lib/base/assert.ts";
import { Emitter, type Event } from "#lib/base/emitter.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import type { ByteOffset } from "#lib/protocol/ids.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { ExitStatus } from "#lib/protocol/session.ts";
import { BlockRing } from "./block-ring.ts";

/** One item. `at` is the offset of its first byte, or for the other kinds the number of bytes before it. Bytes are borrowed: never written to. */
export type LogEntry = { kind: "bytes"; at: ByteOffset; bytes: Uint8Array } | LogMark;

/** An item that is no bytes. */
export type LogMark =
  | { kind: "resize"; at: ByteOffset; size: GridSize }
  | { kind: "exit"; at: ByteOffset; status: ExitStatus };

/** What a reader gets: at most `maxBytes` of contiguous bytes (ending between characters, and between sequences where it can), or one resize or exit, or nothing yet, or that its place is gone. */
export type ReadResult = LogEntry | { kind: "empty" } | { kind: "evicted"; oldest: ByteOffset };

/** A position in the log; several entries may share one offset, so a reader counts entries too. */
export interface LogReader {
  /** Offset of the next byte to be read. */
  readonly offset: ByteOffset;
  /** Non-byte entries before this position: with `offset`, the exact position. */
  readonly entry: number;
  read(maxBytes: number): ReadResult;
}

export interface OutputLogApi {
  /** End of the log: bytes since spawn. */
  readonly end: ByteOffset;
  /** Offset of the oldest byte still kept. */
  readonly oldest: ByteOffset;
  appendBytes(bytes: Uint8Array): void;
  appendResize(size: GridSize): void;
  appendExit(status: ExitStatus): void;
  /** Fires after each append. */
  readonly onAppend: Event<void>;
  /**
   * A reader that starts with the first byte at `offset`. Resizes recorded exactly at `offset` are included when
   * `afterEntry` is absent; pass the `entryCount` noted with a snapshot to leave out those that the snapshot holds. The exit is
   * never left out: no snapshot shows it.
   */
  readerAt(offset: ByteOffset, afterEntry?: number): LogReader;
  /** Non-byte entries appended so far: with an offset, the exact position of a snapshot. */
  readonly entryCount: number;
}

/** Resizes are limited to 20 per second, so that these cover minutes of fighting over a silent program. */
const maxMarks = 4_096;

export class OutputLog implements OutputLogApi {
  private readonly ring: BlockRing;
  private readonly appended = new Emitter<void>();
  /** Marks number `entryCount - marks.length` and later. */
  private readonly marks: LogMark[] = [];
  private markCount = 0;
  /** Where the youngest forgotten mark stood: who starts at or before it has missed something. */
  private forgottenUpTo: ByteOffset = -1;

  readonly onAppend = this.appended.event;

  constructor(capacity: number = limits.ringBytes) {
    this.ring = new BlockRing(capacity);
  }

  get end(): ByteOffset {
    return this.ring.end;
  }

  get oldest(): ByteOffset {
    return this.ring.oldest;
  }

  get entryCount(): number {
    return this.markCount;
  }

  /** Copies: the caller may reuse the array. */
  appendBytes(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.ring.append(bytes);
    while (this.marks[0] && this.marks[0].at < this.oldest) this.forgetMark();
    this.appended.fire();
  }

  appendResize(size: GridSize): void {
    this.appendMark({ kind: "resize", at: this.end, size });
  }

  appendExit(status: ExitStatus): void {
    this.appendMark({ kind: "exit", at: this.end, status });
  }

  readerAt(offset: ByteOffset, afterEntry?: number): LogReader {
    assert(offset >= 0 && offset <= this.end, `a reader starts inside the log, not at ${offset}`);
    const entry = afterEntry ?? this.firstEntryFrom(offset);
    const exitEntry = this.marks.at(-1)?.kind === "exit" ? this.markCount - 1 : this.markCount;
    return new Reader(this, this.ring, offset, Math.min(entry, exitEntry));
  }

  /** The mark with this number; undefined when it is not there yet, null when it is forgotten. */
  markAt(entry: number): LogMark | null | undefined {
    const index = entry - (this.markCount - this.marks.length);
    return index < 0 ? null : this.marks[index];
  }

  private appendMark(mark: LogMark): void {
    this.marks.push(mark);
    this.markCount += 1;
    if (this.marks.length > maxMarks) this.forgetMark();
    this.appended.fire();
  }

  private forgetMark(): void {
    const mark = this.marks.shift();
    if (mark) this.forgottenUpTo = mark.at;
  }

  private firstEntryFrom(offset: ByteOffset): number {
    const first = this.markCount - this.marks.length;
    if (offset <= this.forgottenUpTo) return first - 1;
    const index = this.marks.findIndex((mark) => mark.at >= offset);
    return index < 0 ? this.markCount : first + index;
  }
}

class Reader implements LogReader {
  constructor(
    private readonly log: OutputLog,
    private readonly ring: BlockRing,
    private next: ByteOffset,
    private nextEntry: number,
  ) {}

  get offset(): ByteOffset {
    return this.next;
  }

  get entry(): number {
    return this.nextEntry;
  }

  read(maxBytes: number): ReadResult {
    const mark = this.log.markAt(this.nextEntry);
    if (mark === null || this.next < this.log.oldest)
      return { kind: "evicted", oldest: this.log.oldest };
    if (mark && mark.at <= this.next) {
      this.nextEntry += 1;
      return mark;
    }
    const available = Math.min(maxBytes, (mark?.at ?? this.log.end) - this.next);
    if (available <= 0) return { kind: "empty" };
    const bytes = this.ring.read(this.next, available);
    const at = this.next;
    this.next += bytes.length;
    return { kind: "bytes", at, bytes };
  }
}
