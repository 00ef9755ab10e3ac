// The rows that a wait looks at: of the output from some line on, and of whatever the screen shows. Text alone, with the cell of each character,
// and without a shell's suggestion, which nobody printed and nobody typed.
import type { Terminal } from "@xterm/headless";
import type { Cursor } from "#lib/protocol/cursor.ts";
import { cellText, cellWidth, contentEnd } from "./cells.ts";
import { withoutGhost } from "./ghost-text.ts";
import type { LineIndex } from "./line-index.ts";
import { shownCore, type TextMask } from "./shown-core.ts";
import { styledRow } from "./styled-rows.ts";
import type { RawCore, RawLine } from "./xterm-internals.ts";

export interface PrintedRow {
  /** On the alternate screen the row's own number there. */
  readonly seq: number;
  /** Without the blanks at its end; on the cursor's row those before the cursor are kept. */
  readonly text: string;
  /** Cell of each UTF-16 unit; absent where unit N stands in cell N. */
  readonly columns?: readonly number[];
  /** It continues the row above, which only the width broke. */
  readonly isContinuation: boolean;
}

/** What is there at one moment. */
export interface Printed {
  /** From the line that was asked for, or the oldest that is kept, to the last that says something. */
  readonly rows: readonly PrintedRow[];
  /** Line at the top of the screen: those above it change no more. */
  readonly topSeq: number;
  /** Of the normal screen, also while the alternate one is shown. */
  readonly cursor: Cursor;
  /** The rows are those of the alternate screen, which are no output. */
  readonly isAlternate: boolean;
}

/** From `fromSeq` on, or from the top of the screen where that is above it. Only between writes. */
export function printedRows(
  terminal: Terminal,
  index: LineIndex,
  fromSeq: number,
  mask?: TextMask,
): Printed {
  const core = shownCore(terminal, mask);
  const { normal, alt, active } = core.buffers;
  const cursor = index.position();
  const topSeq = index.seqOf(normal.ybase);
  const isAlternate = active === alt;
  const first = isAlternate
    ? active.ybase
    : Math.min(index.locate({ seq: fromSeq, col: 0 }).row, active.ybase);
  const rows: PrintedRow[] = [];
  let filled = 0;
  for (let row = Math.max(0, first); row < active.ybase + terminal.rows; row++) {
    const line = active.lines.get(row);
    if (!line) break;
    const seq = isAlternate ? row - active.ybase : index.seqOf(row);
    // `Name: ` ends with its blank: on the cursor's row what was printed before the cursor is kept.
    const kept = row === active.ybase + active.y ? active.x : 0;
    rows.push(printedRow(line, seq, terminal.cols, kept));
    if (rows.at(-1)?.text.trimEnd() !== "" || row <= active.ybase + active.y) filled = rows.length;
  }
  rows.length = filled;
  const at = active.ybase + active.y - Math.max(0, first);
  if (!isAlternate) hideSuggestion(core, rows, at, terminal.cols);
  return { rows, topSeq, cursor, isAlternate };
}

function printedRow(line: RawLine, seq: number, cols: number, kept: number): PrintedRow {
  const end = Math.min(contentEnd(line), cols);
  let text = "";
  let columns: number[] | undefined;
  for (let x = 0; x < end; x++) {
    const cell = cellText(line, x);
    if (cell === "" && cellWidth(line, x) === 0) continue;
    if (!columns && (text.length !== x || cell.length > 1)) {
      columns = Array.from({ length: text.length }, (_, i) => i);
    }
    text += cell === "" ? " " : cell;
    if (columns) while (columns.length < text.length) columns.push(x);
  }
  const { isWrapped: isContinuation } = line;
  text = trimmedTo(text, columns, kept);
  return { seq, text, isContinuation, ...(columns ? { columns } : {}) };
}

/** Without the blanks at the end that stand in cell `kept` or behind it. */
function trimmedTo(text: string, columns: readonly number[] | undefined, kept: number): string {
  let end = text.trimEnd().length;
  while (end < text.length && (columns?.[end] ?? end) < kept) end++;
  return text.slice(0, end);
}

function hideSuggestion(core: RawCore, rows: PrintedRow[], at: number, cols: number): void {
  const { x, ybase, y, lines } = core.buffers.normal;
  const cursorRow = rows[at];
  const line = lines.get(ybase + y);
  if (!cursorRow || !line || contentEnd(line) <= x) return;
  const last = rows.length - at;
  const styled = Array.from({ length: last }, (_, i) => {
    const row = lines.get(ybase + y + i);
    return row ? [styledRow(core, row, lines.get(ybase + y + i + 1), cols)] : [];
  }).flat();
  const visible = !core.coreService.isCursorHidden;
  const ghost = withoutGhost(styled, { x, y: 0, visible }, cols, false);
  if (ghost.removed === 0) return;
  for (const [i, row] of ghost.rows.entries()) {
    const before = rows[at + i];
    if (!before || row === styled[i]) continue;
    const { text: whole, columns, isContinuation } = row;
    const text = trimmedTo(whole, columns, i === 0 ? x : 0);
    rows[at + i] = { seq: before.seq, text, isContinuation, ...(columns ? { columns } : {}) };
  }
}
