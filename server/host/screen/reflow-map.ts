// Leads cursors made before a change of the width to the same text after it (JR4). The library keeps the object of a line's first row when it
// re-wraps, and the order of lines; so whole lines are found exactly, and places inside them by counting cells. A wide character that
// would have been cut at an edge shifts such a place by a cell. Pure but for the maps it keeps.
import type { Cursor } from "#lib/protocol/cursor.ts";
import type { RawLine, RawLines } from "./xterm-internals.ts";

interface Layout {
  readonly lines: RawLines;
  readonly cols: number;
  seqOf(row: number): number;
}

/** A line (with its wraps) as it stood. */
interface OldLine {
  readonly first: RawLine;
  readonly row: number;
  readonly rows: number;
}

export interface WidthChange {
  readonly old: readonly OldLine[];
  readonly cols: number;
  readonly lastSeq: number;
  readonly seqs: readonly number[];
  readonly cursorRow: number;
}

/** Old numbers from `from` on, `rows` of them. */
interface Segment {
  readonly from: number;
  rows: number;
  readonly to: number;
  /** Rows of one line that was re-wrapped; 0: rows moved together, each as it was. */
  readonly wrapsTo: number;
}

interface ReflowMap {
  /** Numbers from here on were given after this change. */
  readonly first: number;
  readonly segments: readonly Segment[];
  readonly oldCols: number;
  readonly newCols: number;
}

/** Bounds for sessions whose window is dragged for minutes: cursors older than the oldest map lead to the oldest line of it, as evicted. */
const bounds = { maps: 64, segments: 32_768 };

export class ReflowMaps {
  private maps: ReflowMap[] = [];

  begin(layout: Layout & { readonly cursorRow: number }): WidthChange {
    const { lines, cols, seqOf, cursorRow } = layout;
    const old = wholeLines(lines);
    return {
      old,
      cols,
      cursorRow,
      lastSeq: seqOf(lines.length - 1),
      seqs: old.map(({ row }) => seqOf(row)),
    };
  }

  /** False when no line has moved: numbers stay as they are. `trimmed`: rows that left the front meanwhile. */
  end(change: WidthChange, layout: Layout & { readonly trimmed: number }): boolean {
    const { lines, cols, seqOf, trimmed } = layout;
    const now = new Map(wholeLines(lines).map((line) => [line.first, line]));
    const segments: Segment[] = [];
    let hasMoved = false;
    for (const [i, { first, row, rows }] of change.old.entries()) {
      const found = now.get(first);
      // Evicted, or blank and given up at the bottom.
      if (!found) continue;
      const from = change.seqs[i] as number;
      const to = seqOf(found.row);
      // The library leaves the cursor's line as it is.
      const isSame = rows === found.rows && (rows === 1 || isIn(change.cursorRow, row, rows));
      if (!isSame || found.row + trimmed !== row) hasMoved = true;
      const last = segments.at(-1);
      if (!isSame) segments.push({ from, rows, to, wrapsTo: found.rows });
      else if (last?.wrapsTo === 0 && follows(last, from, to)) last.rows += rows;
      else segments.push({ from, rows, to, wrapsTo: 0 });
    }
    if (!hasMoved) return false;
    this.keep({ first: change.lastSeq + 1, segments, oldCols: change.cols, newCols: cols });
    return true;
  }

  /** Where a cursor leads by now, through every change since it was made. */
  follow(cursor: Cursor): { at: Cursor; evicted: boolean; reflowed: boolean } {
    let at = cursor;
    let evicted = false;
    let reflowed = false;
    for (const map of this.maps) {
      if (at.seq >= map.first) continue;
      reflowed = true;
      const moved = move(map, at);
      at = moved.at;
      evicted ||= moved.evicted;
    }
    return { at, evicted, reflowed };
  }

  private keep(map: ReflowMap): void {
    this.maps.push(map);
    let total = this.maps.reduce((sum, { segments }) => sum + segments.length, 0);
    while (this.maps.length > 1 && (this.maps.length > bounds.maps || total > bounds.segments)) {
      total -= this.maps.shift()?.segments.length ?? 0;
    }
  }
}

function wholeLines(lines: RawLines): OldLine[] {
  const found: { first: RawLine; row: number; rows: number }[] = [];
  for (let row = 0; row < lines.length; row++) {
    const line = lines.get(row);
    if (!line) continue;
    const last = found.at(-1);
    if (line.isWrapped && last) last.rows++;
    else found.push({ first: line, row, rows: 1 });
  }
  return found;
}

function isIn(row: number, first: number, rows: number): boolean {
  return row >= first && row < first + rows;
}

function follows(last: Segment, from: number, to: number): boolean {
  return last.from + last.rows === from && last.to + last.rows === to;
}

function move(map: ReflowMap, { seq, col }: Cursor): { at: Cursor; evicted: boolean } {
  const { segments, oldCols, newCols } = map;
  const after = upperBound(segments, seq);
  const segment = segments[after - 1];
  const next = segments[after];
  if (!segment) return { at: { seq: next?.to ?? map.first, col: 0 }, evicted: true };
  const row = seq - segment.from;
  // A number of lines that were erased before, or of blank ones that were given up at the bottom.
  if (row >= segment.rows) {
    const end = segment.to + (segment.wrapsTo || segment.rows);
    return { at: { seq: next?.to ?? end, col: 0 }, evicted: next !== undefined };
  }
  if (segment.wrapsTo === 0) {
    return { at: { seq: segment.to + row, col: Math.min(col, newCols) }, evicted: false };
  }
  const cells = row * oldCols + Math.min(col, oldCols);
  const down = Math.floor(cells / newCols);
  if (down >= segment.wrapsTo) {
    return { at: { seq: segment.to + segment.wrapsTo - 1, col: newCols }, evicted: false };
  }
  return { at: { seq: segment.to + down, col: cells % newCols }, evicted: false };
}

/** Index of the first segment that begins after `seq`. */
function upperBound(segments: readonly Segment[], seq: number): number {
  let low = 0;
  let high = segments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((segments[middle] as Segment).from <= seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
