// A read-only look at the terminals of this page, for tests and for people with a question: `cottyTerminals.get(id).lines()`.
import type { IBuffer, IModes, Terminal } from "@xterm/xterm";
import type { Disposable } from "#lib/base/lifecycle.ts";

export interface TerminalLook {
  /** The screen (not the scrolled view), one right-trimmed string per row. */
  lines(): string[];
  cursor(): { x: number; y: number };
  /** Rows above the screen. */
  readonly scrollback: number;
  readonly cols: number;
  readonly rows: number;
  /** Bytes of output this page has; null before the first. */
  readonly offset: number | null;
  /** The active buffer: cells with their width and attributes. */
  readonly buffer: IBuffer;
  readonly modes: IModes;
}

declare global {
  // `var` is how TypeScript declares a property of globalThis.
  var cottyTerminals: Map<string, TerminalLook> | undefined;
}

export function registerTerminal(
  id: string,
  terminal: Terminal,
  offset: () => number | null,
): Disposable {
  globalThis.cottyTerminals ??= new Map();
  const registry = globalThis.cottyTerminals;
  const look: TerminalLook = {
    lines: () => {
      const { active } = terminal.buffer;
      return Array.from(
        { length: terminal.rows },
        (_, row) =>
          active
            .getLine(active.baseY + row)
            ?.translateToString(true)
            .trimEnd() ?? "",
      );
    },
    cursor: () => ({ x: terminal.buffer.active.cursorX, y: terminal.buffer.active.cursorY }),
    get scrollback() {
      return terminal.buffer.active.baseY;
    },
    get cols() {
      return terminal.cols;
    },
    get rows() {
      return terminal.rows;
    },
    get offset() {
      return offset();
    },
    get buffer() {
      return terminal.buffer.active;
    },
    get modes() {
      return terminal.modes;
    },
  };
  registry.set(id, look);
  return {
    dispose() {
      if (registry.get(id) === look) registry.delete(id);
    },
  };
}
