// How the person's terminal is shared out: pane, input line, status. Pure.
import type { GridSize } from "#lib/protocol/geometry.ts";
import { limits } from "#lib/protocol/limits.ts";

export interface Layout {
  readonly whole: GridSize;
  /** Inside the frame: what the session is asked to be. */
  readonly pane: GridSize;
}

/** Frame above and below the pane, input line, frame below it, status line, and one row that stays free: a full one would scroll. */
const otherRows = 6;
const frameCols = 2;

export function layoutOf(whole: GridSize): Layout {
  return {
    whole,
    pane: {
      cols: Math.max(limits.cols.min, Math.min(limits.cols.max, whole.cols - frameCols)),
      rows: Math.max(limits.rows.min, Math.min(limits.rows.max, whole.rows - otherRows)),
    },
  };
}
