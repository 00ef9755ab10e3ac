// The text between two places of a session's output (JR5, OP3): whole rows, joined by newlines but where a row only wrapped, cleaned like the
// screen's text. A reading of [a, b) and one of [b, c) together are one of [a, c): the newline behind a row goes with the row.
//
// - A row is right-trimmed; the last one, in which the output ends, is given as far as the cursor, blanks included: `Name: ` ends with its blank.
//   What stands right of the cursor belongs to the next reading.
// - The last lines (`tail`) are counted as `tail -n` does: the one with the cursor is one if something stands in it. A limit of bytes leaves out
//   rows in front then, and at least one row is given.
// - A program that moves its cursor back (a progress line's CR, backspace, cursor up) moves the end of the output back. A reader beyond it is led
//   back there: `start` and `next` are the new end, and what is written over is given again. A row rewritten between two readings and left
//   at or behind the reader's column is given from that column on: what it shows as a whole is the screen's to tell.
import type { Terminal } from "@xterm/headless";
import { type Cursor, compareCursors } from "#lib/protocol/cursor.ts";
import type { Hygiene } from "#lib/protocol/screen.ts";
import type { Rgb } from "#lib/terminal/contrast.ts";
import { cleanText } from "#lib/terminal/hidden-characters.ts";
import { type CleanRow, hygieneOf, inspectRow, suspiciousLinks } from "#lib/terminal/hygiene.ts";
import { extendedFlag, lookOf } from "./cell-pen.ts";
import { hidingCheck } from "./colors.ts";
import type { LineIndex } from "./line-index.ts";
import { edgeOf, plainText, textOfCells } from "./row-text.ts";
import { trimEnd } from "./screen-text.ts";
import { shownCore, type TextMask } from "./shown-core.ts";
import { styledRow } from "./styled-rows.ts";
import { coreOf, type RawLines } from "./xterm-internals.ts";

export interface OutputText {
  readonly text: string;
  /** Where `text` really begins. */
  readonly start: Cursor;
  /** Where to go on. */
  readonly next: Cursor;
  /** There is more already. */
  readonly truncated: boolean;
  /** Something between the cursor asked for and `start` is gone: out of the scrollback, or erased. */
  readonly evicted: boolean;
  /** A full-screen program is drawing; its screen is no output. */
  readonly altScreen: boolean;
  /** Lines were re-wrapped since the cursor was made; it was led to the same text. */
  readonly reflowed: boolean;
  /** Of the last lines that were asked for, some before `start` were left out for `maxBytes`. */
  readonly shortened?: true;
  /** Rows are counted from `start`. Only when there is something to say. */
  readonly hygiene?: Hygiene;
}

export interface OutputRange {
  readonly from: Cursor;
  /** null: as far as there is. */
  readonly to: Cursor | null;
  /** UTF-8; overshot by at most one row. */
  readonly maxBytes: number;
  /** Of this, the last so many lines; undefined: from the beginning. */
  readonly tail?: number | undefined;
}

/** In steps of a row. The terminal must not change meanwhile. */
export function* outputText(
  terminal: Terminal,
  index: LineIndex,
  paletteColor: (index: number) => Rgb,
  { from, to, maxBytes, tail }: OutputRange,
  mask?: TextMask,
): Generator<void, OutputText> {
  const core = shownCore(terminal, mask);
  const { lines } = core.buffers.normal;
  const { cols } = terminal;
  const altScreen = core.buffers.active !== core.buffers.normal;
  const hidingOf = hidingCheck(paletteColor);
  // Links and other extras have their cells marked so.
  const isVisible = (fg: number, bg: number) =>
    (fg === 0 && bg === 0) ||
    ((bg & extendedFlag) === 0 && hidingOf({ look: lookOf(fg, bg, undefined) }) === undefined);
  const found = index.locate(from);
  const { reflowed } = found;
  const end = earlier(to === null ? index.position() : index.locate(to).at, index.position());
  const isBehind = compareCursors(found.at, end) > 0;
  const endRow = index.locate(end).row;
  let row = isBehind ? endRow : found.row;
  let start = isBehind ? end : found.at;
  let { evicted } = found;
  if (tail !== undefined) {
    const rows = { first: row, last: end.col > 0 ? endRow : endRow - 1 };
    const first = beginOfTail(coreOf(terminal).buffers.normal.lines, rows, tail);
    // What is gone is not missed where there is enough.
    evicted &&= !first.isEnough;
    if (first.row > row) start = { seq: index.seqOf(first.row), col: 0 };
    row = first.row;
  }
  const texts: string[] = [];
  const odd: CleanRow[] = [];
  const isFull = () => tail === undefined && bytes >= maxBytes;
  let bytes = 0;
  let next = start;
  const firstRow = row;
  for (; compareCursors(next, end) < 0 && !isFull(); row++) {
    const line = lines.get(row);
    const below = lines.get(row + 1);
    if (!line) break;
    const isLast = row === endRow;
    const isContinued = !isLast && below?.isWrapped === true;
    const first = next.col;
    const last = isLast ? end.col : isContinued ? edgeOf(line, below, cols) : cols;
    let text = plainText(line, first, last, isVisible);
    if (text === undefined) {
      const styled = styledRow(core, line, below, cols);
      const links = suspiciousLinks([styled]).map((one) => ({ ...one, row: row - firstRow }));
      const clean = inspectRow(styled, row - firstRow, links, hidingOf);
      if (clean.stripped > 0 || clean.suspicious.length > 0) odd.push(clean);
      text = cleanText(textOfCells(styled, first, last)).text;
    }
    if (!isLast && !isContinued) text = `${trimEnd(text)}\n`;
    texts.push(text);
    bytes += Buffer.byteLength(text);
    next = isLast ? end : { seq: index.seqOf(row + 1), col: 0 };
    yield;
  }
  if (tail !== undefined && bytes > maxBytes && texts.length > 1) {
    let skipped = 0;
    for (; bytes > maxBytes && skipped < texts.length - 1; skipped++)
      bytes -= Buffer.byteLength(texts[skipped] as string);
    const from = { seq: index.seqOf(firstRow + skipped), col: 0 };
    const range = { from, to, maxBytes: Number.POSITIVE_INFINITY };
    const last = yield* outputText(terminal, index, paletteColor, range, mask);
    return { ...last, evicted, reflowed, shortened: true };
  }
  return {
    text: texts.join(""),
    start,
    next,
    truncated: compareCursors(next, end) < 0,
    evicted,
    altScreen,
    reflowed,
    ...(odd.length > 0 ? { hygiene: hygieneOf(odd) } : {}),
  };
}

/** Where the last `count` lines of these rows begin. `isEnough`: there are as many. */
function beginOfTail(
  lines: RawLines,
  { first, last }: { readonly first: number; readonly last: number },
  count: number,
): { row: number; isEnough: boolean } {
  let found = 0;
  for (let row = last; row >= first; row--) {
    if (!lines.get(row)?.isWrapped && ++found === count) return { row, isEnough: true };
  }
  return { row: first, isEnough: false };
}

function earlier(a: Cursor, b: Cursor): Cursor {
  return compareCursors(a, b) <= 0 ? a : b;
}
