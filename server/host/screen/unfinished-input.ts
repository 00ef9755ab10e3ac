// The bytes of a control sequence or character that the stream has begun and not ended. The emulator holds them as parser state; a
// snapshot at such a place ends with them, so that what follows completes them (C-E2). Knows bytes, not their meaning.
import { concatBytes, emptyBytes, utf8 } from "#lib/base/bytes.ts";
import { limits } from "#lib/protocol/limits.ts";
import { parserState } from "./xterm-internals.ts";

const esc = 0x1b;
/** Second bytes of the C1 controls (U+0090 ...) that begin a sequence or string: DCS SOS CSI OSC PM APC. */
const c1Introducers = new Set([0x90, 0x98, 0x9b, 0x9d, 0x9e, 0x9f]);

/** Index of the last introducer in `bytes`, or -1. Each introducer cancels what was begun before it, in every state. */
function lastIntroducer(bytes: Uint8Array): number {
  for (let i = bytes.length - 1; i >= 0; i--) {
    const byte = bytes[i] as number;
    if (byte === esc) return i;
    if (byte === 0xc2 && c1Introducers.has(bytes[i + 1] ?? 0)) return i;
  }
  return -1;
}

const clipboard = /^(?:\x1b\]|\xc2\x9d)0*52(?:;|$)/;
const ignoredString = utf8("\x1b]9999;");

export class UnfinishedInput {
  private sequence: Uint8Array = emptyBytes;

  /** Notes that `bytes` were parsed and left the parser in `state`. */
  parsed(bytes: Uint8Array, state: number): void {
    if (state === parserState.ground) {
      this.sequence = emptyBytes;
      return;
    }
    const begin = lastIntroducer(bytes);
    const all = begin < 0 ? concatBytes([this.sequence, bytes]) : bytes.slice(begin);
    // Longer ones are cut by the guard in front of the log (SC8); this is the bound should it be missing.
    if (all.length <= 2 * limits.controlStringBytes) this.sequence = all;
    else this.sequence = state > parserState.lastOfSequences ? ignoredString : emptyBytes;
  }

  /** What a snapshot must end with, before the bytes of an incomplete character. */
  bytes(state: number): Uint8Array {
    if (state === parserState.ground) return emptyBytes;
    if (state <= parserState.lastOfSequences) {
      // Controls inside a sequence were carried out when they came.
      return this.sequence.filter((byte, i) => i === 0 || byte >= 0x20);
    }
    // A clipboard request is never replayed (T8D): another number makes the rest of it a string that means nothing.
    const head = String.fromCharCode(...this.sequence.subarray(0, 64));
    if (clipboard.test(head)) return ignoredString;
    return this.sequence;
  }
}
