// What was printed after a wait began: rows behind its cursor, and rows in front of it that were written anew since (a progress bar, a cleared
// screen, a full-screen program). Pure.
import type { Cursor } from "#lib/protocol/cursor.ts";
import type { Printed, PrintedRow } from "#server/host/screen/printed-rows.ts";
import { charsBefore, type PlacedText } from "./placed-text.ts";
import type { Span } from "./spans.ts";

/** Where a wait begins, and what stood on the screen then. */
export interface WaitMark {
  readonly cursor: Cursor;
  /** Left of the cursor, in its row. */
  readonly before: string;
  /** Texts of rows that stood on the screen, in front of the cursor: they are old wherever they stand. */
  readonly known: ReadonlySet<string>;
  /** Texts that stood on the alternate screen. */
  readonly knownAlternate: ReadonlySet<string>;
}

/** `since`: where the wait was told to begin, when that is not here. */
export function markOf(printed: Printed, since: Cursor | null = null): WaitMark {
  const cursor = since ?? printed.cursor;
  if (printed.isAlternate) {
    return { cursor, before: "", known: new Set(), knownAlternate: textsOf(printed.rows) };
  }
  const row = printed.rows.find(({ seq }) => seq === cursor.seq);
  const old = printed.rows.filter(({ seq }) => seq >= printed.topSeq && seq < cursor.seq);
  return {
    cursor,
    before: row ? row.text.slice(0, charsBefore(row, cursor.col)).trimEnd() : "",
    known: textsOf(old),
    knownAlternate: new Set(),
  };
}

function textsOf(rows: readonly PrintedRow[]): ReadonlySet<string> {
  return new Set(rows.map(({ text }) => text));
}

/** What of the text was there when the wait began. `placed`: the same rows. */
export function oldSpans(printed: Printed, placed: PlacedText, mark: WaitMark): readonly Span[] {
  const spans: Span[] = [];
  for (const [i, row] of printed.rows.entries()) {
    const from = placed.starts[i] as number;
    const skip = printed.isAlternate ? skipOfRedrawn(row, mark) : skipOf(row, printed, mark);
    if (skip === null) spans.push({ from, to: placed.starts[i + 1] ?? placed.text.length });
    else if (skip > 0) spans.push({ from, to: from + Math.min(skip, row.text.length) });
  }
  return spans;
}

/** How many characters of the row are old; null: all of it. */
function skipOf(row: PrintedRow, printed: Printed, { cursor, before, known }: WaitMark) {
  if (row.seq > cursor.seq) return 0;
  if (row.seq < cursor.seq)
    return row.seq < printed.topSeq || row.text === "" || known.has(row.text) ? null : 0;
  const skip = charsBefore(row, cursor.col);
  return row.text.slice(0, skip).trimEnd() === before ? skip : 0;
}

function skipOfRedrawn(row: PrintedRow, { knownAlternate }: WaitMark) {
  return row.text === "" || knownAlternate.has(row.text) ? null : 0;
}
