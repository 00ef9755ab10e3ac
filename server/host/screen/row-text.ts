// A stretch of a row's cells as text, every cell once and empty ones as spaces. The plain way is for rows of ASCII that hide nothing, of
// which most output is made.
import { limits } from "#lib/protocol/limits.ts";
import { cellText, cellWidth } from "./cells.ts";
import { columnOf, type StyledRow } from "./styled-rows.ts";
import type { RawLine } from "./xterm-internals.ts";

const contentMask = 0x3fffff;
const space = 0x20;
const scratch = Buffer.alloc(limits.cols.max);

/** Whether text in these colours and attributes, two words of a cell, can be seen for what it is. */
export type IsVisible = (fg: number, bg: number) => boolean;

/** undefined: the row needs a closer look. */
export function plainText(
  line: RawLine,
  first: number,
  end: number,
  isVisible: IsVisible,
): string | undefined {
  const { _data: data, length } = line;
  const last = Math.min(end, length);
  if (last > scratch.length) return undefined;
  let size = 0;
  let fg = 0;
  let bg = 0;
  for (let x = first; x < last; x++) {
    const at = x * 3;
    const code = (data[at] as number) & contentMask;
    if (code >= 0x7f) return undefined;
    if (data[at + 1] !== fg || data[at + 2] !== bg) {
      fg = data[at + 1] as number;
      bg = data[at + 2] as number;
      if (!isVisible(fg, bg)) return undefined;
    }
    scratch[size++] = code === 0 ? space : code;
  }
  return scratch.toString("latin1", 0, size);
}

/** Cells from `first` up to `end`; a wide character belongs to its first cell. */
export function textOfCells(row: StyledRow, first: number, end: number): string {
  const { text, cells } = row;
  let from = 0;
  while (from < text.length && columnOf(row, from) < first) from++;
  let to = text.length;
  while (to > from && columnOf(row, to - 1) >= end) to--;
  const blanks = end - Math.max(first, cells);
  return text.slice(from, to) + (blanks > 0 ? " ".repeat(blanks) : "");
}

/** Where a row that wraps ends: before the cell that a wide character left empty when it went to the next row. */
export function edgeOf(line: RawLine, below: RawLine, cols: number): number {
  const last = cols - 1;
  const isLeft = cellWidth(below, 0) === 2 && cellWidth(line, last) === 1;
  return isLeft && cellText(line, last) === "" ? last : cols;
}
