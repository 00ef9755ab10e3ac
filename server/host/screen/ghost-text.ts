// A shell's suggestion for the rest of the command (zsh-autosuggestions, fish): grey text that begins at the cursor and that nobody typed.
// An agent that reads it as typed text presses Enter on the wrong command (SC5). Pure.
import type { Look } from "./cell-pen.ts";
import { colorMode, rgbOf } from "./colors.ts";
import { blankCells, type StyledRow, splitCells } from "./styled-rows.ts";

export interface WithoutGhost {
  readonly rows: readonly StyledRow[];
  /** Characters taken out, the spaces between words too. */
  readonly removed: number;
}

interface Cursor {
  readonly x: number;
  readonly y: number;
  readonly visible: boolean;
}

/**
 * Suggestions are drawn on the normal screen, after something (a prompt), behind a cursor that is visible, and continue over wraps. Grey text
 * that also lies left of the cursor is a text the cursor stands in, and a full-screen program's greys are its own.
 */
export function withoutGhost(
  rows: readonly StyledRow[],
  cursor: Cursor,
  cols: number,
  isAlternate: boolean,
): WithoutGhost {
  const none = { rows, removed: 0 };
  if (isAlternate || !cursor.visible || cursor.x === 0) return none;
  const result = [...rows];
  let removed = 0;
  let from = cursor.x;
  for (let y = cursor.y; y < rows.length; y++) {
    const row = rows[y] as StyledRow;
    if (y > cursor.y && !row.isContinuation) break;
    const { end, count } = ghostCells(row, from);
    if (count === 0) break;
    removed += count;
    result[y] = blankCells(row, from, end);
    if (end < cols && !row.isCutShort) break;
    from = 0;
  }
  return removed === 0 ? none : { rows: result, removed };
}

/** From `from` on: the cell after the suggestion, and its characters. */
function ghostCells(row: StyledRow, from: number): { end: number; count: number } {
  const cells = row.runs.flatMap((run) =>
    splitCells(row, run).map((cell) => ({ ...cell, isGhost: isGhostLook(run.look) })),
  );
  const first = cells.findIndex(({ end }) => end > from);
  const none = { end: from, count: 0 };
  if (first < 0 || !cells[first]?.isGhost || (from > 0 && cells[first - 1]?.isGhost)) return none;
  let index = first;
  while (index < cells.length) {
    // A shell may step over a blank instead of drawing it.
    const isGap = cells[index]?.text === " " && cells[index + 1]?.isGhost;
    if (!cells[index]?.isGhost && !isGap) break;
    index++;
  }
  const ghost = cells.slice(first, index);
  if (ghost.every(({ text }) => text.trim() === "")) return none;
  return { end: ghost.at(-1)?.end ?? from, count: ghost.length };
}

const dim = 4;
const inverse = 8;
const invisible = 16;

/** Dim, or a grey darker than text: palette colour 8, the lower greys of 256, an RGB colour with little colour in it. */
function isGhostLook(look: Look): boolean {
  if (look.bg !== 0 || look.flags & (inverse | invisible)) return false;
  if (look.flags & dim) return true;
  switch (colorMode(look.fg)) {
    case "default":
      return false;
    case "palette": {
      const index = look.fg & 0xff;
      return index === 8 || (index >= 232 && index <= 247);
    }
    case "rgb": {
      const channels = rgbOf(look.fg);
      const most = Math.max(...channels);
      return most >= 40 && most <= 170 && most - Math.min(...channels) <= 40;
    }
  }
}
