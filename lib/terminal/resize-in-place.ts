// Mends xterm 6.0.0 (pinned; headless and browser build alike): a resize forgets that the cursor stands behind the last cell of a full row
// and puts it on that cell, so the next character replaces the last one of the row instead of beginning the next. A program that prints
// while somebody drags a window lost letters.
import type { GridSize } from "#lib/protocol/geometry.ts";

interface Core {
  readonly buffers: { readonly normal: { x: number }; readonly alt: { x: number } };
}

/** A change of height leaves the cursor where it is. With another width rows are cut anew, and the library's own place is kept. */
export function resizeInPlace(
  terminal: { readonly cols: number; resize(cols: number, rows: number): void },
  size: GridSize,
): void {
  const { normal, alt } = (terminal as unknown as { _core: Core })._core.buffers;
  const isSameWidth = size.cols === terminal.cols;
  const full = [normal, alt].filter(({ x }) => isSameWidth && x === size.cols);
  terminal.resize(size.cols, size.rows);
  for (const buffer of full) buffer.x = size.cols;
}
