// The stream guard (SC8): stands between a program's output and everything that reads it, and takes out what blocks or bloats an
// emulator. The identity on sane streams. Knows bytes and time, not screens: counts are clamped to the size it is told.
//
// What comes out is whole: valid UTF-8, and every chunk ends between characters and sequences, so that a viewer may begin, and an
// edit may be made, after any chunk. The price is that an unfinished sequence is held back (it shows nothing anyway).
import { concatBytes, emptyBytes } from "#lib/base/bytes.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import { limits } from "#lib/protocol/limits.ts";
import { ChunkWriter } from "./chunk-writer.ts";
import { ClusterCount } from "./cluster.ts";
import { c1State } from "./control-scan.ts";
import { plainCsiEnd } from "./csi-clamp.ts";
import { linkEnd, type Passed, type SequenceContext, SequenceFilter } from "./sequence-filter.ts";
import { type Swallowed, swallow } from "./swallow.ts";
import { decodeAt, truncated } from "./utf8.ts";

const esc = 0x1b;

/** In the middle of what the buffer begins with. */
type Inside =
  | { kind: "text" }
  /** The held bytes are the beginning of a sequence. */
  | { kind: "sequence"; isString: boolean }
  | { kind: "swallowing"; what: Swallowed };

const inText: Inside = { kind: "text" };

export class VtGuard {
  /** Not passed on yet: the beginning of a sequence or of a character. At most one string long. */
  private held: Uint8Array = emptyBytes;
  private inside: Inside = inText;
  private stringSinceMs = 0;
  private readonly cluster = new ClusterCount();
  private readonly sequences = new SequenceFilter(this.cluster);
  /** Stream offset of the next buffer's first byte. */
  private base = 0;

  constructor(private size: GridSize) {}

  /** From the next byte on. */
  resize(size: GridSize): void {
    this.size = size;
  }

  /**
   * What may go on of `bytes` and of what was held back before; possibly `bytes` itself or a view of it (the caller leaves it alone
   * from now on). `nowMs` is monotonic. How a stream is cut into calls makes no difference, at the same `nowMs`.
   */
  filter(bytes: Uint8Array, nowMs: number): Uint8Array {
    if (this.isInString() && nowMs - this.stringSinceMs >= limits.controlStringMs) this.giveUp();
    if (bytes.length === 0) return bytes;
    const buffer = this.held.length === 0 ? bytes : concatBytes([this.held, bytes]);
    this.held = emptyBytes;
    const writer = new ChunkWriter(buffer);
    const end = this.walk(buffer, { writer, size: this.size, nowMs, base: this.base });
    if (end < buffer.length) this.held = buffer.slice(end);
    this.base += end;
    return writer.finish(end);
  }

  /** Goes through `buffer` and edits; returns where the unfinished rest begins. */
  private walk(buffer: Uint8Array, context: SequenceContext): number {
    const { writer, base } = context;
    let at = 0;
    if (this.inside.kind === "sequence") {
      at = this.after(this.sequences.resume(buffer, context));
      if (at < 0) return 0;
    }
    while (at < buffer.length) {
      if (this.inside.kind === "swallowing") {
        const step = swallow(this.inside.what, buffer, at);
        writer.skip(at, step.at);
        if (step.kind === "more") return step.at;
        if (step.kind === "ended") this.inside = inText;
        else this.cluster.reset();
        at = step.kind === "control" ? step.at + 1 : step.at;
        continue;
      }
      let stop = buffer.length;
      const linkStop = this.sequences.linkDeadline - base;
      if (at >= linkStop) {
        this.sequences.linkDeadline = Number.POSITIVE_INFINITY;
        writer.replace(at, at, linkEnd);
        this.cluster.reset();
      } else if (linkStop < stop) {
        stop = linkStop;
      }
      const textEnd = endOfPlainText(buffer, at, stop);
      if (textEnd > at) {
        this.cluster.reset();
        at = textEnd;
        if (at >= stop) continue;
      }
      const byte = buffer[at] as number;
      if (byte === 0x7f) {
        // DEL does nothing, not even to the cluster before it.
        at++;
        continue;
      }
      const end = byte === esc ? plainCsiEnd(buffer, at) : this.passCharacter(buffer, at, context);
      if (end > at) {
        if (byte === esc) this.cluster.reset();
        at = end;
        continue;
      }
      if (end === at) return at;
      this.stringSinceMs = context.nowMs;
      const next = this.after(this.sequences.begin(buffer, at, context));
      if (next < 0) return at;
      at = next;
    }
    return buffer.length;
  }

  /** Takes note of how a sequence went; its end, or -1 when it is unfinished. */
  private after(passed: Passed): number {
    switch (passed.kind) {
      case "done":
        this.inside = inText;
        return passed.end;
      case "swallow":
        this.inside = { kind: "swallowing", what: passed.what };
        return passed.end;
      case "incomplete":
        this.inside = { kind: "sequence", isString: passed.isString };
        return -1;
    }
  }

  /** A character from U+0080 on: its end; `at` when it is cut off; -1 when it is a C1 control that begins a sequence. */
  private passCharacter(buffer: Uint8Array, at: number, context: SequenceContext): number {
    const { writer, nowMs } = context;
    const decoded = decodeAt(buffer, at);
    if (decoded === truncated) return at;
    if (decoded < 0) {
      writer.skip(at, at - decoded);
      return at - decoded;
    }
    const end = at + (decoded & 7);
    const codePoint = decoded >> 3;
    // The emulator drops the byte order mark while decoding.
    if (codePoint === 0xfeff) return end;
    if (codePoint >= 0xa0) {
      if (!this.cluster.admit(codePoint, nowMs)) writer.skip(at, end);
      return end;
    }
    if (c1State(codePoint) !== 0) return -1;
    // U+009C outside a string does nothing; the others are executed.
    if (codePoint !== 0x9c) this.cluster.reset();
    return end;
  }

  private isInString(): boolean {
    const { inside } = this;
    return (
      (inside.kind === "sequence" && inside.isString) ||
      (inside.kind === "swallowing" && inside.what !== "csi")
    );
  }

  /** A string that did not end in time is forgotten; what comes is text again. */
  private giveUp(): void {
    this.base += this.held.length;
    this.held = emptyBytes;
    this.inside = inText;
  }
}

/** The bulk of every stream: printable ASCII and C0 controls but ESC. */
function endOfPlainText(buffer: Uint8Array, start: number, stop: number): number {
  let at = start;
  while (at < stop) {
    const byte = buffer[at] as number;
    if (byte >= 0x7f || byte === esc) break;
    at++;
  }
  return at;
}
