// Grid sizes. `{cols, rows}`, never a tuple.
import * as z from "zod/mini";
import { limits } from "./limits.ts";

export const gridSizeSchema = z.strictObject({
  cols: z.int().check(z.minimum(limits.cols.min), z.maximum(limits.cols.max)),
  rows: z.int().check(z.minimum(limits.rows.min), z.maximum(limits.rows.max)),
});

/** Columns and rows of a terminal grid. */
export type GridSize = z.infer<typeof gridSizeSchema>;

export const defaultGridSize: GridSize = { cols: 80, rows: 24 };

export function sameSize(a: GridSize, b: GridSize): boolean {
  return a.cols === b.cols && a.rows === b.rows;
}
