// Which commands are in sight, and where: what the page draws around the grid. Pure.
import type { CommandPlace } from "./command-places.ts";

/** Of the grid within the terminal's box, in CSS pixels. */
export interface GridBox {
  readonly left: number;
  readonly top: number;
  readonly cellWidth: number;
  readonly cellHeight: number;
}

export interface CommandMark {
  readonly index: number;
  /** Of the viewport. */
  readonly row: number;
  /** Cells at the right end of that row that hold nothing. */
  readonly room: number;
}

export interface CommandLayout {
  readonly grid: GridBox;
  readonly cols: number;
  readonly rows: number;
  readonly isScrolledUp: boolean;
  readonly marks: readonly CommandMark[];
  /** The command whose output the viewport's first row is, when its own line is above. */
  readonly above: number | null;
  readonly selected: number | null;
  /** Rows of the viewport that the selected command takes, [from, to). */
  readonly selectedRows: readonly [number, number] | null;
  /** Where commands stand in everything that can be scrolled to, from 0 to 1. */
  readonly ruler: readonly { readonly index: number; readonly at: number }[];
}

export interface LayoutSource {
  readonly places: readonly CommandPlace[];
  readonly grid: GridBox | null;
  readonly cols: number;
  readonly rows: number;
  readonly isAlternate: boolean;
  readonly viewportY: number;
  readonly baseY: number;
  readonly selected: number | null;
  /** Written cells of a row of the buffer. */
  usedCells(line: number): number;
}

/** Finer than anybody can see, coarse enough that a growing scrollback does not draw again for each line. */
const rulerSteps = 250;

export function layOutCommands(source: LayoutSource): CommandLayout | null {
  const { places, grid, cols, rows, isAlternate, viewportY, baseY, selected } = source;
  if (grid === null || isAlternate || places.length === 0) return null;
  const marks: CommandMark[] = [];
  let above: number | null = null;
  for (const { index, line } of places) {
    if (line < viewportY) above = index;
    else if (line < viewportY + rows)
      marks.push({
        index,
        row: line - viewportY,
        room: Math.max(0, cols - source.usedCells(line)),
      });
  }
  const isAtTop = marks[0]?.row === 0;
  const total = baseY + rows;
  return {
    grid,
    cols,
    rows,
    isScrolledUp: viewportY < baseY,
    marks,
    above: isAtTop ? null : above,
    selected,
    selectedRows: rowsOf(places, selected, viewportY, rows),
    ruler:
      baseY === 0
        ? []
        : places
            .filter(({ line }) => line >= 0)
            .map(({ index, line }) => ({
              index,
              at: Math.round((line / total) * rulerSteps) / rulerSteps,
            })),
  };
}

/** Up to the next command's line; of the newest one, up to the end. */
function rowsOf(
  places: readonly CommandPlace[],
  selected: number | null,
  viewportY: number,
  rows: number,
): readonly [number, number] | null {
  const at = places.findIndex(({ index }) => index === selected);
  const place = places[at];
  if (!place) return null;
  const next = places[at + 1];
  const from = Math.max(0, place.line - viewportY);
  const to = Math.min(rows, next ? next.line - viewportY : rows);
  return to > from ? [from, to] : null;
}

/** The command that a step up (-1) or down (1) leads to; null: past the newest, which is the end of the output. */
export function stepFrom(
  places: readonly CommandPlace[],
  selected: number | null,
  by: 1 | -1,
  view: { readonly viewportY: number; readonly rows: number },
): number | null {
  const standing = places.filter(({ line }) => line >= 0);
  const at = standing.findIndex(({ index }) => index === selected);
  if (at >= 0) return standing[by === -1 ? Math.max(0, at - 1) : at + 1]?.index ?? null;
  if (by === -1)
    return (
      standing.findLast(({ line }) => line < view.viewportY + view.rows)?.index ??
      standing[0]?.index ??
      null
    );
  return standing.find(({ line }) => line > view.viewportY)?.index ?? null;
}
