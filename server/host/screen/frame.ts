// One whole picture of a screen for a terminal of another size (AT6): what is shown now in its top left corner, blank beside and below.
// Absolute and complete: whatever was there is gone, nothing wraps, nothing scrolls, and the terminal is asked nothing.
import { utf8 } from "#lib/base/bytes.ts";
import type { Clock } from "#lib/base/clock.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import { RowWriter } from "./row-writer.ts";
import { cursorShape } from "./state-writer.ts";
import type { RawCore } from "./xterm-internals.ts";

/** Longest work in one go, as for snapshots (SN4). */
const sliceMs = 6;

/** What is painted between these two appears at once where the terminal knows synchronized output; elsewhere they do nothing. */
const beginUpdate = "\x1b[?2026h";
const endUpdate = "\x1b[?2026l";
/** No cursor running about; origin, insert mode, autowrap and charset as the drawing needs them; a plain pen. */
const clean = "\x1b[?25l\x1b[?6l\x1b[4l\x1b[?7h\x1b(B\x0f\x1b[m\x1b]8;;\x1b\\";

/** The part of `view` that tells frames apart: all terminals larger than the screen get the same one. */
export function clippedView(view: GridSize, screen: GridSize): GridSize {
  return {
    cols: Math.min(view.cols, screen.cols + 1),
    rows: Math.min(view.rows, screen.rows + 1),
  };
}

/** The terminal must not change until this resolves. A smaller `view` shows the top left part. */
export async function drawFrame(
  core: RawCore,
  screen: GridSize,
  view: GridSize,
  clock: Clock,
): Promise<Uint8Array> {
  const buffer = core.buffers.active;
  const grid = {
    cols: Math.min(view.cols, screen.cols),
    rows: Math.min(view.rows, screen.rows),
  };
  const writer = new RowWriter(
    grid,
    (code, before) => core.unicodeService.charProperties(code, before),
    (urlId) => core._oscLinkService.getLinkData(urlId),
    true,
  );
  let sliceEnds = clock.monotonic() + sliceMs;
  writer.raw(beginUpdate + clean);
  for (let y = 0; y < grid.rows; y++) {
    writer.moveToRow(y);
    const line = buffer.lines.get(buffer.ybase + y);
    if (line) writer.row(line, undefined, true);
    // The cursor may wait at the edge for a wrap, so it is told where the edge is.
    if (view.cols > grid.cols) writer.eraseFrom(grid.cols);
    if (clock.monotonic() > sliceEnds) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      sliceEnds = clock.monotonic() + sliceMs;
    }
  }
  if (view.rows > grid.rows) {
    writer.moveToRow(grid.rows);
    writer.raw("\x1b[J");
  }
  const x = Math.min(buffer.x, screen.cols - 1);
  const isShown = !core.coreService.isCursorHidden && x < grid.cols && buffer.y < grid.rows;
  writer.moveToRow(Math.min(buffer.y, grid.rows - 1));
  writer.raw(`\x1b[${Math.min(x, grid.cols - 1) + 1}G\x1b[${cursorShape(core)} q`);
  if (isShown) writer.raw("\x1b[?25h");
  writer.raw(endUpdate);
  return utf8(writer.take());
}
