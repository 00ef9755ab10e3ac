// What the output pane shows: a terminal of our own that draws what a session prints, and its rows as text with colours, as far up as its
// scrollback goes. Asks nobody, answers nobody: queries of programs were answered by the host.

import { Emitter } from "#lib/base/emitter.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { AttachTarget } from "#lib/client/attach-target.ts";
import { type GridSize, sameSize } from "#lib/protocol/geometry.ts";
import { limits } from "#lib/protocol/limits.ts";
import { resizeInPlace } from "#lib/terminal/resize-in-place.ts";
import { createEmulator, scrollbackFor } from "#server/host/screen/emulator.ts";
import { rawRow } from "#server/host/screen/screen-raw.ts";
import { type StyledRow, splitCells, styledRow } from "#server/host/screen/styled-rows.ts";
import { coreOf } from "#server/host/screen/xterm-internals.ts";

export class PaneScreen implements AttachTarget, Disposable {
  private readonly changes = new Emitter<void>();
  private readonly terminal: ReturnType<typeof createEmulator>;
  private isDisposed = false;

  /** Something may look different. */
  readonly onChange = this.changes.event;

  constructor(size: GridSize) {
    this.terminal = createEmulator(size, scrollbackFor(size, limits.scrollbackLines.default));
  }

  get size(): GridSize {
    return { cols: this.terminal.cols, rows: this.terminal.rows };
  }

  /** A full-screen program shows its own screen. */
  get isAlternate(): boolean {
    return this.terminal.buffer.active.type === "alternate";
  }

  get isBracketedPaste(): boolean {
    return this.terminal.modes.bracketedPasteMode;
  }

  get hasAppCursorKeys(): boolean {
    return this.terminal.modes.applicationCursorKeysMode;
  }

  /** Rows above the screen. */
  get linesAbove(): number {
    return this.terminal.buffer.active.baseY;
  }

  /** Shown with its history a moment later. */
  showScreen(): void {}

  showSnapshot(
    size: GridSize,
    history: readonly Uint8Array[],
    screen: Uint8Array,
    drawn: () => void,
  ): void {
    // A reset through the parser stays in order with what was written before.
    this.feed(Uint8Array.of(0x18, 0x1b, 0x63), () => this.resizeNow(size));
    for (const piece of history) this.feed(piece);
    this.feed(screen, drawn);
  }

  write(bytes: Uint8Array | string, drawn: () => void = () => {}): void {
    this.feed(bytes, drawn);
  }

  resize(size: GridSize): void {
    // In order with the bytes: everything before it was printed at the old size.
    this.feed("", () => this.resizeNow(size));
  }

  /**
   * `rows` strings for a pane of that height, `above` lines further up than the end. The bottom of a screen that is higher than the pane,
   * the left of one that is wider. `isPlain`: without colours.
   */
  rows(view: GridSize, above: number, wish: { isPlain: boolean; hasCursor: boolean }): string[] {
    const core = coreOf(this.terminal);
    const { ybase, lines, x, y } = core.buffers.active;
    const cols = Math.min(view.cols, this.terminal.cols);
    const bottom = ybase + this.bottomRow(view) - above;
    const first = Math.max(0, bottom - view.rows + 1);
    const shown: string[] = [];
    for (let at = first; at <= first + view.rows - 1; at++) {
      const line = at > ybase + this.terminal.rows - 1 ? undefined : lines.get(at);
      const row = line ? styledRow(core, line, undefined, cols) : undefined;
      const isHere = wish.hasCursor && at === ybase + y && !core.coreService.isCursorHidden;
      const cursor = isHere ? Math.min(x, cols - 1) : null;
      shown.push(row ? written(row, cursor, wish.isPlain) : "");
    }
    return shown;
  }

  dispose(): void {
    this.isDisposed = true;
    this.changes.dispose();
    this.terminal.dispose();
  }

  /** Of a screen higher than the pane the part with the cursor matters, and else the top as everywhere. */
  private bottomRow(view: GridSize): number {
    const { rows } = this.terminal;
    if (rows <= view.rows) return view.rows - 1;
    return Math.min(rows - 1, Math.max(view.rows - 1, this.terminal.buffer.active.cursorY));
  }

  private feed(bytes: Uint8Array | string, done: () => void = () => {}): void {
    if (this.isDisposed) return;
    this.terminal.write(bytes, () => {
      if (this.isDisposed) return;
      done();
      this.changes.fire();
    });
  }

  private resizeNow(size: GridSize): void {
    if (!sameSize(size, this.size)) resizeInPlace(this.terminal, size);
  }
}

function written(row: StyledRow, cursor: number | null, isPlain: boolean): string {
  if (cursor === null) return isPlain ? row.text : rawRow(row);
  let text = "";
  for (const run of row.runs)
    for (const cell of splitCells(row, run)) {
      if (cell.x === cursor) text += inverse(cell.text);
      else
        text += isPlain
          ? cell.text
          : rawRow({
              ...row,
              runs: [{ ...run, start: 0, end: cell.text.length }],
              text: cell.text,
            });
    }
  const missing = cursor - row.cells;
  return missing < 0 ? text : text + " ".repeat(missing) + inverse(" ");
}

function inverse(text: string): string {
  return `\x1b[7m${text}\x1b[27m`;
}
