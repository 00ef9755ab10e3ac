// Rows as terminal output with nothing in it but text, SGR and CRLF: the smallest form that shows a screen as it looks. Links and protection
// are left out. Pure.
import { CellPen, plainLook } from "./cell-pen.ts";
import { type StyledScreen, withinBudget } from "./styled-budget.ts";
import type { StyledRow } from "./styled-rows.ts";

/** The pen is plain before and after. */
export function rawRow(row: StyledRow): string {
  const pen = new CellPen(() => undefined);
  let out = "";
  for (const { start, end, look } of row.runs) {
    out += pen.moveTo(look) + row.text.slice(start, end);
  }
  return out + pen.moveTo(plainLook);
}

export function rawScreen(rows: readonly StyledRow[], cols: number): StyledScreen {
  const { rows: written, unstyledFrom } = withinBudget(rows, rawRow, ({ text }) => text, cols);
  return { text: written.join("\r\n"), unstyledFrom };
}
