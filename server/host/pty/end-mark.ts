// Finds the end of a dead process's output (PT3): a mark written into the terminal behind everything the process wrote comes
// out again after it. Knows bytes only; who reads, writes and waits is its owner.
import { randomInt } from "node:crypto";
import { concatBytes, emptyBytes, utf8 } from "#lib/base/bytes.ts";

/** More than the kernel holds for one terminal (64 KiB and a line): after so many bytes all that was written before the exit has come. */
const kernelBufferBytes = 256 * 1024;

export class EndMark {
  /** Digits only: output processing (OPOST, OLCUC) leaves them alone. Random, so that no program can print it. */
  readonly bytes: Uint8Array = utf8(
    Array.from({ length: 40 }, () => String(randomInt(10))).join(""),
  );
  private held: Uint8Array = emptyBytes;
  private seenBytes = 0;

  /** The bytes of `chunk` that may be passed on, and whether the output has ended with them. */
  push(chunk: Uint8Array): { bytes: Uint8Array; isDone: boolean } {
    this.seenBytes += chunk.length;
    const all = concatBytes([this.held, chunk]);
    // In `all` from here on: what is still held when the mark is found would come out twice.
    this.held = emptyBytes;
    const at = Buffer.from(all.buffer, all.byteOffset, all.length).indexOf(this.bytes);
    if (at >= 0) return { bytes: all.subarray(0, at), isDone: true };
    // Something else floods the terminal faster than the mark gets in; what it wrote before the exit is out.
    if (this.seenBytes > kernelBufferBytes) return { bytes: all, isDone: true };
    const keep = this.possibleStart(all);
    this.held = all.subarray(all.length - keep);
    return { bytes: all.subarray(0, all.length - keep), isDone: false };
  }

  /** What was held back as a possible start of the mark, when nothing more will come. */
  flush(): Uint8Array {
    const rest = this.held;
    this.held = emptyBytes;
    return rest;
  }

  /** Length of the longest end of `bytes` that is a start of the mark. */
  private possibleStart(bytes: Uint8Array): number {
    for (let length = Math.min(this.bytes.length - 1, bytes.length); length > 0; length--) {
      const from = bytes.length - length;
      let same = 0;
      while (same < length && bytes[from + same] === this.bytes[same]) same++;
      if (same === length) return length;
    }
    return 0;
  }
}
