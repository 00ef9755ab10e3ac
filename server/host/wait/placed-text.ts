// Rows as one text, joined where a row only wrapped, whose characters know their cells. Pure.
import type { Cursor } from "#lib/protocol/cursor.ts";
import type { PrintedRow } from "#server/host/screen/printed-rows.ts";

export class PlacedText {
  readonly text: string;
  /** Where each row begins. */
  readonly starts: readonly number[];

  constructor(readonly rows: readonly PrintedRow[]) {
    const starts: number[] = [];
    let text = "";
    let before = -2;
    for (const row of rows) {
      const isJoined = row.isContinuation && before === row.seq - 1;
      if (starts.length > 0 && !isJoined) text += "\n";
      starts.push(text.length);
      text += row.text;
      before = row.seq;
    }
    this.text = text;
    this.starts = starts;
  }

  placeOf(index: number): Cursor {
    let found = 0;
    while (found + 1 < this.starts.length && (this.starts[found + 1] as number) <= index) found++;
    const row = this.rows[found];
    return row
      ? { seq: row.seq, col: columnOf(row, index - (this.starts[found] as number)) }
      : { seq: 0, col: 0 };
  }

  /** Where the text of `place` begins or would begin. */
  indexOf({ seq, col }: Cursor): number {
    for (const [i, row] of this.rows.entries()) {
      const at = this.starts[i] as number;
      if (row.seq < seq) continue;
      if (row.seq > seq) return at;
      return at + Math.min(charsBefore(row, col), row.text.length);
    }
    return this.text.length;
  }
}

/** Cell of the character, also of one that would stand behind the text. */
export function columnOf({ text, columns }: PrintedRow, char: number): number {
  if (!columns) return char;
  return columns[char] ?? (columns.at(-1) ?? -1) + 1 + char - text.length;
}

/** Characters of the row that stand left of the cell. */
export function charsBefore({ columns }: PrintedRow, column: number): number {
  if (!columns) return column;
  const found = columns.findIndex((col) => col >= column);
  return found < 0 ? columns.length + column - ((columns.at(-1) ?? -1) + 1) : found;
}
