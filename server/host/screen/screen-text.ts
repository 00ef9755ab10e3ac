// The text of a screen as agents are given it (SC1, SC5): one string per row, right-trimmed, wide characters once, without a shell's
// suggestion and without invisible characters. The only projection of the screen to text.
import type { Rgb } from "#lib/terminal/contrast.ts";
import { cleanText } from "#lib/terminal/hidden-characters.ts";
import { type CleanRow, inspectRow, suspiciousLinks } from "#lib/terminal/hygiene.ts";
import { hidingCheck } from "./colors.ts";
import type { StyledRow } from "./styled-rows.ts";

export interface AgentText {
  /** What the text was made from. */
  readonly rows: readonly StyledRow[];
  readonly clean: readonly CleanRow[];
  readonly lines: readonly string[];
  /** Characters of a suggestion that are not in it. */
  readonly ghostRemoved: number;
}

/** In steps of a row. */
export function* agentText(
  rows: readonly StyledRow[],
  ghostRemoved: number,
  paletteColor: (index: number) => Rgb,
): Generator<void, AgentText> {
  const hidingOf = hidingCheck(paletteColor);
  const links = suspiciousLinks(rows);
  const clean: CleanRow[] = [];
  for (const [y, row] of rows.entries()) {
    clean.push(inspectRow(row, y, links, hidingOf));
    yield;
  }
  return { rows, clean, lines: clean.map(({ text }) => trimEnd(text)), ghostRemoved };
}

/** Without the blanks at the end; a mark on a blank is text. */
export function trimEnd(text: string): string {
  return text.replace(/ +$/, "");
}

export interface JoinedLines {
  readonly lines: string[];
  /** First row of each line. */
  readonly line_rows: number[];
}

/** Rows that a wrap continues as one line. The first may begin in the middle: what it continues has scrolled away. */
export function joinWrapped(rows: readonly StyledRow[], cols: number): JoinedLines {
  const lines: string[] = [];
  const line_rows: number[] = [];
  for (const [y, row] of rows.entries()) {
    const isContinued = rows[y + 1]?.isContinuation === true;
    const text = isContinued ? fullRow(row, cols) : row.text;
    if (row.isContinuation && lines.length > 0) lines[lines.length - 1] += text;
    else {
      lines.push(text);
      line_rows.push(y);
    }
  }
  return { lines: lines.map((line) => trimEnd(cleanText(line).text)), line_rows };
}

/** With the blanks up to the edge, which are part of the line; not the one a wide character left behind. */
function fullRow(row: StyledRow, cols: number): string {
  const end = row.isCutShort ? cols - 1 : cols;
  if (row.cells > end) return row.text.slice(0, -1);
  return row.text + " ".repeat(end - row.cells);
}
