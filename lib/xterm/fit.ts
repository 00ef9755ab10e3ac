// How many cells a box holds, and how small the text must be for a grid to fit. Pure arithmetic in CSS pixels.
import type { GridSize } from "#lib/protocol/geometry.ts";
import { limits } from "#lib/protocol/limits.ts";

export interface Box {
  width: number;
  height: number;
}

/** Room that xterm's scroll bar takes right of the grid. */
export const scrollbarWidth = 14;

/** Below this a pane is taken for a layout in the making, not for somebody's wish (B115): nothing is proposed. */
export const leastProposal: GridSize = { cols: 20, rows: 3 };

/** Smallest text a foreign grid is scaled down to; beyond that the view is panned. */
export const leastFontSize = 9;

/** Null when the box or the cell is not real yet (hidden, not measured) or too small to be meant. */
export function gridFor(box: Box, cell: Box): GridSize | null {
  const cols = Math.floor((box.width - scrollbarWidth) / cell.width);
  const rows = Math.floor(box.height / cell.height);
  if (!Number.isFinite(cols) || !Number.isFinite(rows)) return null;
  if (cols < leastProposal.cols || rows < leastProposal.rows) return null;
  return { cols: Math.min(cols, limits.cols.max), rows: Math.min(rows, limits.rows.max) };
}

/** Space a grid needs. */
export function boxOf(grid: GridSize, cell: Box): Box {
  return { width: grid.cols * cell.width + scrollbarWidth, height: grid.rows * cell.height };
}

export function fits(grid: GridSize, cell: Box, box: Box): boolean {
  const need = boxOf(grid, cell);
  // Half a pixel: boxes are measured in fractions, and cells are rounded to device pixels.
  return need.width <= box.width + 0.5 && need.height <= box.height + 0.5;
}

/**
 * Font size at which `grid` should fit `box`, given that a cell is `cell` at `base`; in half pixels, never above `base`, never
 * below the least readable. Rounding to device pixels may make it one step too large: measure and take the next one down.
 */
export function fontSizeFor(grid: GridSize, base: number, cell: Box, box: Box): number {
  const ratio = Math.min(
    (box.width - scrollbarWidth) / (grid.cols * cell.width),
    box.height / (grid.rows * cell.height),
  );
  const least = Math.min(leastFontSize, base);
  if (!Number.isFinite(ratio) || ratio <= 0) return base;
  return ratio >= 1 ? base : Math.max(least, Math.floor(base * ratio * 2) / 2);
}

/**
 * Letter spacing, in device pixels, that makes a cell as wide as its letter where a renderer cuts fractions off: 13 px text is
 * 7.8 px wide and would be squeezed into 7. 0 where the nearest whole pixel is the lower one.
 */
export function missingPixel(deviceCharWidth: number): 0 | 1 {
  return Math.round(deviceCharWidth) > Math.floor(deviceCharWidth) ? 1 : 0;
}
