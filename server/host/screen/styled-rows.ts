// The viewport as rows of text with runs of one look each: the one projection of cells that text, ANSI, HTML and hygiene are made from. The
// rows are values of their own and stay as they are when the screen goes on.
import type { Terminal } from "@xterm/headless";
import { type Look, plainLook, sameLook } from "./cell-pen.ts";
import { cellLook, cellText, cellWidth } from "./cells.ts";
import { shownCore, type TextMask } from "./shown-core.ts";
import type { RawCore, RawLine } from "./xterm-internals.ts";

export interface StyledRun {
  /** UTF-16 units of the row's text. */
  readonly start: number;
  readonly end: number;
  /** Without link and protection, which are no looks. */
  readonly look: Look;
  /** Target of a link, as the program gave it. */
  readonly link: string | undefined;
}

export interface StyledRow {
  /** Every cell once, empty ones as spaces, up to the last one that is not plain and blank. */
  readonly text: string;
  /** In order and without gaps. */
  readonly runs: readonly StyledRun[];
  /** Cell of each UTF-16 unit of `text`; left out where they are the same number. */
  readonly columns: readonly number[] | undefined;
  /** Cells that `text` covers. */
  readonly cells: number;
  /** A wrap leads here from the row above. */
  readonly isContinuation: boolean;
  /** The last cell stayed empty because a wide character went to the next row. */
  readonly isCutShort: boolean;
}

/** In steps of a row. The terminal must not change meanwhile. */
export function* styledRows(terminal: Terminal, mask?: TextMask): Generator<void, StyledRow[]> {
  const core = shownCore(terminal, mask);
  const { ybase, lines } = core.buffers.active;
  const rows: StyledRow[] = [];
  for (let y = 0; y < terminal.rows; y++) {
    const line = lines.get(ybase + y);
    const next = y + 1 < terminal.rows ? lines.get(ybase + y + 1) : undefined;
    rows.push(line ? styledRow(core, line, next, terminal.cols) : emptyRow);
    yield;
  }
  return rows;
}

export function columnOf(row: StyledRow, unit: number): number {
  return row.columns?.[unit] ?? unit;
}

/** The row with the cells from `first` up to `end` blank. */
export function blankCells(row: StyledRow, first: number, end: number): StyledRow {
  const cells = new RowBuilder();
  for (const run of row.runs) {
    for (const character of splitCells(row, run)) {
      const { x, end: after, text } = character;
      if (x < first || x >= end) cells.add(x, after - x, text, run.look, run.link);
      else
        for (let at = x; at < Math.min(after, end); at++)
          cells.add(at, 1, " ", plainLook, undefined);
    }
  }
  return cells.row(row);
}

const emptyRow: StyledRow = {
  text: "",
  runs: [],
  columns: undefined,
  cells: 0,
  isContinuation: false,
  isCutShort: false,
};

/** The cells of a run as text, with the first column of each and the column after it. */
export function splitCells(
  row: StyledRow,
  run: Pick<StyledRun, "start" | "end">,
): { x: number; end: number; text: string }[] {
  const cells: { x: number; end: number; text: string }[] = [];
  for (let unit = run.start; unit < run.end; unit++) {
    const x = columnOf(row, unit);
    const last = cells.at(-1);
    if (last?.x === x) last.text += row.text[unit];
    else {
      if (last) last.end = x;
      cells.push({ x, end: x + 1, text: row.text[unit] ?? "" });
    }
  }
  const last = cells.at(-1);
  if (last) last.end = run.end < row.text.length ? columnOf(row, run.end) : row.cells;
  return cells;
}

class RowBuilder {
  private text = "";
  private readonly runs: { start: number; end: number; look: Look; link: string | undefined }[] =
    [];
  private readonly columns: number[] = [];
  private isSimple = true;
  private cells = 0;

  add(x: number, width: number, text: string, look: Look, link: string | undefined): void {
    this.cells = x + width;
    const start = this.text.length;
    if (this.isSimple && (start !== x || text.length !== 1)) {
      this.isSimple = false;
      for (let i = 0; i < start; i++) this.columns.push(i);
    }
    this.text += text;
    if (!this.isSimple) for (let i = 0; i < text.length; i++) this.columns.push(x);
    const last = this.runs.at(-1);
    if (last && last.link === link && sameLook(last.look, look)) last.end = this.text.length;
    else this.runs.push({ start, end: this.text.length, look, link });
  }

  row(rest: Pick<StyledRow, "isContinuation" | "isCutShort">): StyledRow {
    const { isContinuation, isCutShort } = rest;
    const columns = this.isSimple ? undefined : this.columns;
    const { text, runs, cells } = this;
    return { text, runs, columns, cells, isContinuation, isCutShort };
  }
}

const shownFlags = 0xff;

function shownLook(look: Look): Look {
  if (look.urlId === 0 && (look.flags & shownFlags) === look.flags) return look;
  return { ...look, flags: look.flags & shownFlags, urlId: 0 };
}

/** `next` is the row below. */
export function styledRow(
  core: RawCore,
  line: RawLine,
  next: RawLine | undefined,
  cols: number,
): StyledRow {
  // Rows of the alternate screen stay longer than the grid after it was narrowed; the rest of them is not on the screen.
  let end = Math.min(cols, line.length);
  while (end > 0 && isPlainBlank(line, end - 1)) end--;
  const cells = new RowBuilder();
  for (let x = 0, width = 1; x < end; x += width) {
    // Zero is a right half that lost its left one.
    width = Math.max(1, cellWidth(line, x));
    const text = cellText(line, x);
    const look = cellLook(line, x);
    const link = look.urlId === 0 ? undefined : core._oscLinkService.getLinkData(look.urlId)?.uri;
    cells.add(x, width, text === "" ? " " : text, shownLook(look), link);
  }
  const isCutShort =
    next?.isWrapped === true && cellWidth(next, 0) === 2 && isEmpty(line, cols - 1);
  return cells.row({ isContinuation: line.isWrapped, isCutShort });
}

/** The right half of a wide character has no text either, and no width. */
function isEmpty(line: RawLine, x: number): boolean {
  return cellText(line, x) === "" && cellWidth(line, x) !== 0;
}

/** A blank that was printed looks like a cell that never was. */
function isPlainBlank(line: RawLine, x: number): boolean {
  return (isEmpty(line, x) || cellText(line, x) === " ") && sameLook(cellLook(line, x), plainLook);
}
