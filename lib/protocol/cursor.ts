// Places in a session's output that outlive scrolling (JR4): a line's number since the session began, and a column.
import * as z from "zod/mini";

/** `seq`: lines that have left the scrollback plus the row of the line in what is kept, 0-based. `col`: cell in it, 0-based. */
export interface Cursor {
  readonly seq: number;
  readonly col: number;
}

/** `SEQ:COL`, or `SEQ` for column 0, as text on the wire. */
export const cursorSchema = z
  .string()
  .check(z.regex(/^\d{1,15}(:\d{1,4})?$/, "is not a cursor (SEQ:COL)"));

/** Where to begin to read or to wait: a cursor of an earlier reply, the present end, or the oldest line that is kept. */
export const sinceSchema = z.union([z.enum(["now", "start"]), cursorSchema]);
export type Since = z.infer<typeof sinceSchema>;

export function formatCursor({ seq, col }: Cursor): string {
  return `${seq}:${col}`;
}

/** Of a string that `cursorSchema` accepts. */
export function parseCursor(text: string): Cursor {
  const [seq, col = "0"] = text.split(":");
  return { seq: Number(seq), col: Number(col) };
}

/** Negative when `a` stands before `b`. */
export function compareCursors(a: Cursor, b: Cursor): number {
  return a.seq - b.seq || a.col - b.col;
}
