// Whether a read that was seen began after the last write (PH2): a program that is still blocked from before has not seen what was typed.
// Fed with looks and writes; knows no clock.
import type { TtyRead } from "./tty-read.ts";

/**
 * By then a write that would end a read has ended it, on a machine that is busy beyond measure: what is unchanged after it was not ended by
 * what was typed (a part of a line, a key that is taken without a word).
 */
const deliveryMs = 500;

/** The kernel hands over what it has taken within a few milliseconds: for when nobody looked at the moment of the write. */
const handOverMs = 25;

interface Typing {
  /** The wait that was there right after the write, the old one or nearly; null: nobody read at that moment. `unseen`: nobody looked. */
  wait: string | null | "unseen";
  /** Who read before, and how many bytes it had read; null: unknown. */
  readonly reader: { readonly pid: number; readonly readBytes: number } | null;
  /** That a reader will have read; less what the terminal itself may act on. */
  bytes: number;
  /** When all of it was known to be with the kernel; null: some of it still waits to be written. */
  drainedMs: number | null;
}

export class ReadFreshness {
  private typing: Typing | null = null;

  /**
   * `before`: the last look. `rightAfter`: a look taken in the same turn as the write; null: none was. `isQueued`: some of it still waits to
   * be written.
   */
  wrote(
    typed: Uint8Array,
    before: TtyRead,
    rightAfter: TtyRead | null,
    isQueued: boolean,
    nowMs: number,
  ): void {
    const wait = rightAfter && !isQueued ? waitOf(rightAfter) : "unseen";
    const bytes = countable(typed);
    const drainedMs = isQueued ? null : nowMs;
    if (this.typing) {
      this.typing.bytes += bytes;
      this.typing.drainedMs = drainedMs;
      this.typing.wait = wait;
    } else this.typing = { wait, reader: readerOf(before), bytes, drainedMs };
  }

  looked(read: TtyRead, isQueued: boolean, nowMs: number): boolean {
    const { typing } = this;
    if (!typing) return true;
    if (isQueued) {
      typing.drainedMs = null;
      return false;
    }
    const wait = waitOf(read);
    if (typing.drainedMs === null) {
      // The last piece may have left this very moment.
      typing.drainedMs = nowMs;
      return false;
    }
    const drainedMs = nowMs - typing.drainedMs;
    const isOver = drainedMs >= deliveryMs;
    const isOther = typing.wait === "unseen" ? drainedMs >= handOverMs : wait !== typing.wait;
    const isNew = wait !== null && isOther && hasTaken(typing, read);
    if (isOver || isNew) this.typing = null;
    return this.typing === null;
  }
}

/** Another one reads now, or the same has read as much as was typed. */
function hasTaken({ reader, bytes }: Typing, read: TtyRead): boolean {
  const now = readerOf(read);
  // Nobody can say: then that it is another wait has to do.
  if (!reader || !now) return true;
  return now.pid !== reader.pid || now.readBytes - reader.readBytes >= bytes;
}

function readerOf(read: TtyRead): Typing["reader"] {
  if (read.kind !== "reading" || read.readBytes === null) return null;
  return { pid: read.pid, readBytes: read.readBytes };
}

function waitOf(read: TtyRead): string | null {
  return read.kind === "reading" || read.kind === "hidden" ? read.wait : null;
}

/** Interrupts, flow control and editing are the terminal's own in most modes: a program need not get them. */
const maybeTaken = new Set([3, 4, 8, 15, 17, 18, 19, 21, 22, 23, 26, 28, 127]);

function countable(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => sum + (maybeTaken.has(byte) ? 0 : 1), 0);
}
