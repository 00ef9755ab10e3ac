// What the journal needs to know of the lines of output; the screen has it (screen-api.ts).
import type { Cursor } from "#lib/protocol/cursor.ts";

export interface JournalScreen {
  /** End of the output, also while the alternate screen is shown. */
  position(): Cursor;
  /** Where a cursor of any age leads now, whether something between is gone, and whether the width changed since. */
  locate(cursor: Cursor): {
    readonly at: Cursor;
    /** Of the lines that are kept. */
    readonly row: number;
    readonly evicted: boolean;
    readonly reflowed: boolean;
  };
  /** The line that the cursor is in may have lost its end with each (B060). */
  readonly widthChanges: number;
  /** A full-screen program shows its own screen: nothing of it is a line of output. */
  readonly isAlternate: boolean;
  lineText(from: Cursor, to: Cursor, maxBytes: number): string;
}
