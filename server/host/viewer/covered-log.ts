// The log as viewers get it who must not have some values in it (CR3): the same offsets, the same marks, and stars where a value stands. As long
// as there is nothing to cover it is the log itself. Knows neither what the values are (server/host/secrets) nor who the viewer is.
import { concatBytes, emptyBytes } from "#lib/base/bytes.ts";
import type { Clock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { ByteOffset } from "#lib/protocol/ids.ts";
import { limits } from "#lib/protocol/limits.ts";
import type {
  LogMark,
  LogReader,
  OutputLogApi,
  ReadResult,
} from "#server/host/output/output-log.ts";

/** What a viewer's stream needs of the log. */
export type ViewedLog = Pick<OutputLogApi, "end" | "oldest" | "entryCount" | "readerAt">;

/** What is to be covered now. */
export interface StreamCover {
  readonly isEmpty: boolean;
  /** Rises when something else is. */
  readonly version: number;
  byteMask(): StreamMask;
}

/** Covers one stream; what comes out is as long as what went in, though some of it may come later. */
export interface StreamMask {
  /** Not out yet. */
  readonly heldBytes: number;
  /** Bytes before the stream. */
  prime(bytes: Uint8Array): void;
  push(bytes: Uint8Array): Uint8Array;
  /** There is no more time: what is held back is let through, covered where it must be. */
  release(): Uint8Array;
  /** Gives back what is held, for another mask. */
  takeHeld(): Uint8Array;
}

export class CoveredLog implements ViewedLog, Disposable {
  private reader: CoveredReader | null = null;

  /** `due`: bytes that were held back are to be read now. */
  constructor(
    private readonly log: ViewedLog,
    private readonly cover: StreamCover,
    private readonly clock: Clock,
    private readonly due: () => void,
  ) {}

  get end(): ByteOffset {
    return this.log.end;
  }

  get entryCount(): number {
    return this.log.entryCount;
  }

  /** A value of which the beginning is gone could not be found: nobody starts so close to there. */
  get oldest(): ByteOffset {
    const { oldest, end } = this.log;
    const isWhole = oldest === 0 || this.cover.isEmpty;
    return isWhole ? oldest : Math.min(end, oldest + limits.coveredHold.back);
  }

  /** One at a time: the one before is over. */
  readerAt(offset: ByteOffset, afterEntry?: number): LogReader {
    this.reader?.dispose();
    const { log, cover, clock, due } = this;
    this.reader = new CoveredReader(log, log.readerAt(offset, afterEntry), cover, clock, due);
    return this.reader;
  }

  dispose(): void {
    this.reader?.dispose();
    this.reader = null;
  }
}

class CoveredReader implements LogReader, Disposable {
  private mask: StreamMask | null = null;
  private maskVersion = -1;
  /** Out of the mask, and more than was asked for. */
  private ready: Uint8Array | null = null;
  /** Read, and to be told when the bytes before it are. */
  private mark: LogMark | null = null;
  private timer: Disposable | null = null;
  /** Where what is held back begins, for which the timer runs. */
  private heldFrom: ByteOffset = -1;
  private isTimeOver = false;

  constructor(
    private readonly log: ViewedLog,
    private readonly inner: LogReader,
    private readonly cover: StreamCover,
    private readonly clock: Clock,
    private readonly due: () => void,
  ) {}

  get offset(): ByteOffset {
    return this.maskedUpTo - (this.ready?.length ?? 0);
  }

  get entry(): number {
    return this.inner.entry - (this.mark ? 1 : 0);
  }

  read(maxBytes: number): ReadResult {
    if (!this.ready && !this.mark) this.follow();
    if (!this.mask && !this.ready && !this.mark) return this.inner.read(maxBytes);
    const result = this.next(maxBytes);
    this.watchHeld();
    return result;
  }

  dispose(): void {
    this.timer?.dispose();
    this.timer = null;
  }

  /** Everything before it has been through the mask. */
  private get maskedUpTo(): ByteOffset {
    return this.inner.offset - (this.mask?.heldBytes ?? 0);
  }

  private next(maxBytes: number): ReadResult {
    for (;;) {
      if (this.ready) return this.take(this.ready, maxBytes);
      const { mark, mask } = this;
      if (mark) {
        this.mark = null;
        return mark;
      }
      const entry = this.inner.read(maxBytes);
      if (!mask) return entry;
      switch (entry.kind) {
        case "bytes":
          this.keep(mask.push(entry.bytes));
          break;
        case "resize":
        case "exit":
          this.mark = entry;
          this.keep(mask.release());
          break;
        case "empty":
          if (!this.isTimeOver) return entry;
          this.isTimeOver = false;
          this.keep(mask.release());
          if (!this.ready) return entry;
          break;
        case "evicted":
          this.mask = null;
          this.maskVersion = -1;
          return entry;
      }
    }
  }

  private keep(bytes: Uint8Array): void {
    if (bytes.length > 0) this.ready = bytes;
  }

  private take(ready: Uint8Array, maxBytes: number): ReadResult {
    const at = this.offset;
    let end = Math.min(ready.length, maxBytes);
    // Not in the middle of a character (B048), unless that is all there is room for.
    if (end < ready.length) while (end > 1 && ((ready[end] as number) & 0xc0) === 0x80) end -= 1;
    const bytes = end === ready.length ? ready : ready.subarray(0, end);
    this.ready = end === ready.length ? null : ready.subarray(end);
    return { kind: "bytes", at, bytes };
  }

  /** Values come and go while a viewer is there: what is held back is looked at anew. */
  private follow(): void {
    const { cover } = this;
    if (this.maskVersion === cover.version) return;
    this.maskVersion = cover.version;
    const at = this.maskedUpTo;
    const held = this.mask?.takeHeld() ?? emptyBytes;
    this.mask = null;
    if (cover.isEmpty) {
      this.keep(held);
      return;
    }
    this.mask = cover.byteMask();
    this.mask.prime(this.bytesBefore(at));
    this.keep(this.mask.push(held));
  }

  /** As far back as a value may have begun. */
  private bytesBefore(at: ByteOffset): Uint8Array {
    const { log } = this;
    const reader = log.readerAt(Math.max(log.oldest, at - limits.coveredHold.back), log.entryCount);
    const parts: Uint8Array[] = [];
    while (reader.offset < at) {
      const entry = reader.read(at - reader.offset);
      if (entry.kind !== "bytes") break;
      parts.push(entry.bytes);
    }
    return concatBytes(parts);
  }

  private watchHeld(): void {
    const isHolding = (this.mask?.heldBytes ?? 0) > 0;
    const from = isHolding ? this.maskedUpTo : -1;
    if (from === this.heldFrom) return;
    this.heldFrom = from;
    this.timer?.dispose();
    this.timer = null;
    this.isTimeOver = false;
    if (!isHolding) return;
    this.timer = this.clock.after(limits.coveredHold.ms, () => {
      this.isTimeOver = true;
      this.due();
    });
  }
}
