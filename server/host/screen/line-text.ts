// The text of a typed line as it stands on the screen (JR1): what a shell without 633;E leaves of it. Read in the middle of the parse, so
// only a few rows and without styles. Continuation prompts are a part of what stands there; a right-hand prompt is recognised by its place.
import { utf8 } from "#lib/base/bytes.ts";
import { cellText, cellWidth } from "./cells.ts";
import type { RawLine } from "./xterm-internals.ts";

export interface Place {
  readonly row: number;
  readonly col: number;
}

/** A right-hand prompt ends at the last column or the one before (zsh leaves one), this far behind the line. */
const rightPromptGap = 4;

/** `from` up to, not including, `to`. */
export function lineText(
  lineAt: (row: number) => RawLine | undefined,
  from: Place,
  to: Place,
  maxBytes: number,
): string {
  let text = "";
  let isFull = false;
  for (let row = from.row; row <= to.row && text.length < maxBytes; row++) {
    const line = lineAt(row);
    if (!line) break;
    const isContinued = lineAt(row + 1)?.isWrapped === true && row < to.row;
    const end = row === to.row ? to.col : line.length;
    const cells = rowCells(line, row === from.row ? from.col : 0, end);
    // The cursor stands at the start of the row below: that row is not of the line.
    const isOwn = !line.isWrapped && !isFull;
    if (row > from.row && isOwn && (row < to.row || cells.trim() !== "")) text += "\n";
    const visible = isContinued ? cells : cells.trimEnd();
    const mayHaveTwo = row === from.row && end === line.length && !isContinued;
    const typed = mayHaveTwo ? withoutRightPrompt(visible, line, from.col) : visible;
    isFull = typed === visible && end === line.length && isFilled(line);
    text += typed;
  }
  return cut(text, maxBytes);
}

/** Empty cells are blanks; the second half of a wide character is nothing. */
function rowCells(line: RawLine, from: number, end: number): string {
  let text = "";
  for (let x = from; x < Math.min(end, line.length); x++) {
    const cell = cellText(line, x);
    text += cell === "" && cellWidth(line, x) !== 0 ? " " : cell;
  }
  return text;
}

/**
 * Up to the edge: zsh wraps its lines itself and erases the row that it goes on in, after which the terminal does not know it as wrapped. A
 * line of a multi-line command that ends exactly at the edge is joined with the next as well.
 */
function isFilled(line: RawLine): boolean {
  const last = line.length - 1;
  return cellText(line, last).trim() !== "" || cellWidth(line, last) === 0;
}

function withoutRightPrompt(text: string, line: RawLine, from: number): string {
  let last = line.length - 1;
  while (last > from && cellText(line, last).trim() === "" && cellWidth(line, last) !== 0) last--;
  if (last < line.length - 2) return text;
  const gap = text.lastIndexOf(" ".repeat(rightPromptGap));
  return gap < 0 ? text : text.slice(0, gap).trimEnd();
}

function cut(text: string, maxBytes: number): string {
  if (utf8(text).length <= maxBytes) return text;
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += utf8(character).length;
    if (bytes > maxBytes) return text.slice(0, end);
    end += character.length;
  }
  return text;
}
