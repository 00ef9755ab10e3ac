// What a unit still owes the program when the rest of it is not wanted any more (LS7): the end of the character or sequence in which it stopped, and
// the end of a paste that it began. Without them the next key would be part of another's sequence, and a shell would wait in its paste for ever.
import { concatBytes, emptyBytes, utf8 } from "#lib/base/bytes.ts";

const escapeByte = 0x1b;
const pasteBegins = utf8("\x1b[200~");
const pasteEnds = utf8("\x1b[201~");
/** Longer ones are no keys, and nobody owes their end. */
const maxSequence = 64;

export interface Cut {
  /** A password is asked for: whatever is typed now would be a part of it. */
  readonly isSecret: boolean;
  /** The program in front understands pastes, so one that was begun is its own. */
  readonly takesPastes: boolean;
}

/** `at`: so many bytes of the unit are with the program, one at least. */
export function owedAfter(unit: Uint8Array, at: number, cut: Cut): Uint8Array {
  let isPasting = false;
  let wasPasting = false;
  let end = 0;
  while (end < at) {
    const from = end;
    end += lengthAt(unit, from);
    wasPasting = isPasting;
    if (isMark(unit, from, end, pasteBegins)) isPasting = true;
    else if (isMark(unit, from, end, pasteEnds)) isPasting = false;
  }
  // A mark of which the program has a part.
  const isOpen = isPasting || (wasPasting && end > at);
  if (cut.isSecret && !(isOpen && cut.takesPastes)) return emptyBytes;
  const rest = unit.subarray(at, end);
  return isPasting && cut.takesPastes ? concatBytes([rest, pasteEnds]) : rest;
}

/** Bytes of the character or sequence that begins there. */
function lengthAt(unit: Uint8Array, from: number): number {
  const first = unit[from] ?? 0;
  const left = unit.length - from;
  if (first !== escapeByte) return Math.min(left, characterBytes(first));
  const second = unit[from + 1];
  if (second === undefined || second === escapeByte) return 1;
  if (second === 0x4f) return Math.min(left, 3);
  if (second !== 0x5b) return Math.min(left, 1 + characterBytes(second));
  for (let at = from + 2; at < Math.min(unit.length, from + maxSequence); at++) {
    const byte = unit[at] ?? 0;
    if (byte < 0x40 || byte > 0x7e) continue;
    // A mouse report of old: three bytes behind an M.
    const isMouse = byte === 0x4d && at === from + 2;
    return Math.min(left, at + 1 - from + (isMouse ? 3 : 0));
  }
  return 1;
}

function characterBytes(first: number): number {
  if (first >= 0xf0) return 4;
  if (first >= 0xe0) return 3;
  return first >= 0xc0 ? 2 : 1;
}

function isMark(unit: Uint8Array, from: number, end: number, mark: Uint8Array): boolean {
  return end - from === mark.length && mark.every((byte, at) => unit[from + at] === byte);
}
