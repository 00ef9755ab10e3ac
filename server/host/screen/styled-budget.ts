// How much of a screen is written with its colours: a cell can be one character and its colours seventy, and half a million cells are allowed.
// Pure.
import { limits } from "#lib/protocol/limits.ts";
import { blankCells, type StyledRow } from "./styled-rows.ts";

export interface StyledScreen {
  readonly text: string;
  /** First row without colours, when the budget did not last. */
  readonly unstyledFrom: number | undefined;
}

/** Every row as text: `styled` as long as the budget lasts, then `plain`. */
export function withinBudget(
  rows: readonly StyledRow[],
  styled: (row: StyledRow, y: number) => string,
  plain: (row: StyledRow, y: number) => string,
  cols: number,
): { rows: string[]; unstyledFrom: number | undefined } {
  let left: number = limits.styledScreenChars;
  let unstyledFrom: number | undefined;
  const written = rows.map((whole, y) => {
    // A grid that was narrowed may end in the left half of a wide character; printing it would wrap.
    const row = whole.cells > cols ? blankCells(whole, cols - 1, cols) : whole;
    if (unstyledFrom !== undefined) return plain(row, y);
    const text = styled(row, y);
    left -= text.length;
    if (left >= 0) return text;
    unstyledFrom = y;
    return plain(row, y);
  });
  return { rows: written, unstyledFrom };
}
