// The text of the line on which the cursor stands, up to the cursor: what a prompt would stand on. Cheap, and may be asked in the middle of
// the parse; not for showing to anybody.
import { cellText, cellWidth, hasContent } from "./cells.ts";
import type { RawCore, RawLine } from "./xterm-internals.ts";

export interface CursorLine {
  /** Rows that wrapped into the cursor's row are a part of it. */
  readonly text: string;
  /** Nothing stands right of the cursor or below it in the same line. */
  readonly isAtEnd: boolean;
  readonly altScreen: boolean;
}

/** A prompt that is longer is none. */
const maxRows = 4;

export function cursorLine(buffers: RawCore["buffers"]): CursorLine {
  const { ybase, y, x, lines } = buffers.active;
  const row = ybase + y;
  let first = row;
  while (first > 0 && row - first < maxRows - 1 && lines.get(first)?.isWrapped) first--;
  let text = "";
  for (let each = first; each <= row; each++) {
    const line = lines.get(each);
    if (line) text += cellsOf(line, each === row ? x : line.length);
  }
  const line = lines.get(row);
  const isAtEnd = !line || isBlank(line, x, line.length);
  return {
    text,
    isAtEnd: isAtEnd && lines.get(row + 1)?.isWrapped !== true,
    altScreen: buffers.active === buffers.alt,
  };
}

function cellsOf(line: RawLine, end: number): string {
  let text = "";
  for (let x = 0; x < Math.min(end, line.length); x++) {
    const cell = cellText(line, x);
    text += cell === "" && cellWidth(line, x) !== 0 ? " " : cell;
  }
  return text;
}

function isBlank(line: RawLine, from: number, end: number): boolean {
  for (let x = from; x < end; x++)
    if (hasContent(line, x) && cellText(line, x).trim() !== "") return false;
  return true;
}
