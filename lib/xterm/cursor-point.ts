// Where the cursor is on a terminal's view, in pixels of that view.
import type { Terminal } from "@xterm/xterm";
import type { CursorPoint } from "./terminal-status.ts";

/** Null: it is not to be seen. */
export function cursorPoint(
  { rows, cols, buffer }: Pick<Terminal, "rows" | "cols" | "buffer">,
  root: HTMLElement,
): CursorPoint | null {
  const screen = root.querySelector(".xterm-screen")?.getBoundingClientRect();
  const { width, height, left, top } = root.getBoundingClientRect();
  const { cursorX, cursorY, viewportY, baseY } = buffer.active;
  // Scrolled up, the cursor may be below what is shown.
  const row = cursorY + baseY - viewportY;
  if (!screen || width === 0 || row >= rows) return null;
  const line = screen.height / rows;
  const x = screen.left - left + (cursorX * screen.width) / cols;
  return { x, y: screen.top - top + row * line, line, width, height };
}
