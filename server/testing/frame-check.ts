// Says in words where a viewer of `view=render` shows anything but the session in its top left corner and nothing around it (AT6).
import type { Terminal } from "@xterm/headless";
import { type Look, plainLook, sameLook } from "#server/host/screen/cell-pen.ts";
import { cellLook, cellText, cellWidth } from "#server/host/screen/cells.ts";
import { coreOf, type RawLine } from "#server/host/screen/xterm-internals.ts";

const listed = 12;

/** Empty when `viewer` is a true picture of `session`. A viewer smaller than the session shows its top left part. */
export function compareFrame(session: Terminal, viewer: Terminal): string[] {
  const found: string[] = [];
  const [coreS, coreV] = [coreOf(session), coreOf(viewer)];
  const [shown, painted] = [coreS.buffers.active, coreV.buffers.active];
  const shape = (look: Look, core: typeof coreS) => {
    const { urlId, ...rest } = look;
    return JSON.stringify({
      ...rest,
      uri: (urlId && core._oscLinkService.getLinkData(urlId)?.uri) || null,
    });
  };
  const cell = (line: RawLine, x: number) => ({
    text: cellText(line, x),
    width: cellWidth(line, x),
  });
  for (let y = 0; y < viewer.rows; y++) {
    const row = painted.lines.get(painted.ybase + y);
    const from = y < session.rows ? shown.lines.get(shown.ybase + y) : undefined;
    for (let x = 0; row && x < viewer.cols; x++) {
      const where = `row ${y} cell ${x}`;
      const is = cell(row, x);
      const look = cellLook(row, x);
      const inside = from !== undefined && x < session.cols;
      // Half of a wide character cannot be shown at the viewer's edge.
      const isCut = inside && x + cellWidth(from, x) > viewer.cols;
      const due = inside && !isCut ? cell(from, x) : { text: "", width: 1 };
      if (is.text !== due.text || is.width !== due.width)
        found.push(`${where}: ${JSON.stringify(due)} / ${JSON.stringify(is)}`);
      const dueLook = inside ? cellLook(from, x) : plainLook;
      if (isCut) continue;
      if (!sameLook(dueLook, look) || dueLook.urlId !== 0) {
        const [a, b] = [shape(dueLook, coreS), shape(look, coreV)];
        if (a !== b) found.push(`${where} look: ${a} / ${b}`);
      }
    }
  }
  const x = Math.min(shown.x, session.cols - 1);
  const isVisible = !coreS.coreService.isCursorHidden && x < viewer.cols && shown.y < viewer.rows;
  const cursors = [
    isVisible ? [x, shown.y] : "hidden",
    coreV.coreService.isCursorHidden ? "hidden" : [painted.x, painted.y],
  ].map((cursor) => JSON.stringify(cursor));
  if (cursors[0] !== cursors[1]) found.push(`cursor: ${cursors.join(" / ")}`);
  const style = (core: typeof coreS) => {
    const { cursorStyle, cursorBlink } = core.coreService.decPrivateModes;
    return JSON.stringify([cursorStyle ?? null, cursorBlink ?? null]);
  };
  if (style(coreS) !== style(coreV)) found.push(`cursor shape: ${style(coreS)} / ${style(coreV)}`);
  if (coreV.coreService.decPrivateModes.synchronizedOutput) found.push("the update was not ended");
  return found.length > listed ? [...found.slice(0, listed), `... of ${found.length}`] : found;
}

/** Whether the row can be made by output: no half of a wide character stands alone in it. */
export function isWholeRow(line: RawLine, cols: number): boolean {
  for (let x = 0; x < cols; x++) {
    const width = cellWidth(line, x);
    if (width === 2 && (x + 1 >= cols || cellWidth(line, x + 1) !== 0)) return false;
    if (width === 0 && (x === 0 || cellWidth(line, x - 1) !== 2)) return false;
  }
  return true;
}
