// Reads the cells of a row as the library keeps them: three words each, with clusters and attributes beside them.
import { type Look, lookOf, plainLook } from "./cell-pen.ts";
import type { RawLine } from "./xterm-internals.ts";

const contentMask = 0x3fffff;
const codepointMask = 0x1fffff;
const combinedBit = 0x200000;
const widthShift = 22;

export function cellText(line: RawLine, x: number): string {
  const content = line._data[x * 3] ?? 0;
  if (content & combinedBit) return line._combined[x] ?? "";
  const code = content & codepointMask;
  return code === 0 ? "" : String.fromCodePoint(code);
}

export function cellWidth(line: RawLine, x: number): number {
  return (line._data[x * 3] ?? 0) >>> widthShift;
}

export function cellLook(line: RawLine, x: number): Look {
  const fg = line._data[x * 3 + 1] ?? 0;
  const bg = line._data[x * 3 + 2] ?? 0;
  return fg === 0 && bg === 0 ? plainLook : lookOf(fg, bg, line._extendedAttrs[x]);
}

export function hasContent(line: RawLine, x: number): boolean {
  return ((line._data[x * 3] ?? 0) & contentMask) !== 0;
}

/** Whether an empty cell looks like one that was erased: a background and nothing else. */
export function isErased(look: Look): boolean {
  return look.fg === 0 && look.flags === 0 && look.underline === 0 && look.urlId === 0;
}

/** Column behind the last cell that was written. */
export function contentEnd(line: RawLine): number {
  let end = line.length;
  while (end > 0 && !hasContent(line, end - 1)) end--;
  return end;
}
