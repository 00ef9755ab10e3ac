// The box a terminal lives in: opens it when there is a real size, measures what would fit, and draws a foreign grid scaled,
// panned or letter-boxed (SZ1, SZ3). Never resizes the terminal: the grid is the session's.
import type { Terminal } from "@xterm/xterm";
import type { Clock } from "#lib/base/clock.ts";
import { type Disposable, DisposableStore, toDisposable } from "#lib/base/lifecycle.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import type { GridBox } from "./command-layout.ts";
import { type Box, boxOf, fits, fontSizeFor, gridFor, leastFontSize, missingPixel } from "./fit.ts";

export const fontFamily = '"JetBrains Mono Variable", "JetBrains Mono", ui-monospace, monospace';
/** At the left there is room for the marks of commands. */
const padding = { left: 16, right: 8, y: 10 };
/** A font that does not come must not keep the terminal closed. */
const fontWithinMs = 3_000;

export interface FrameHooks {
  opened(): void;
  /** What would fit at the preferred font size; null while nothing real can be measured. */
  measured(size: GridSize | null): void;
  shown(isShown: boolean): void;
  /** The grid may stand elsewhere in its box. */
  moved(): void;
  /** WebGL cuts the width of a cell down to whole device pixels, the DOM does not. */
  cutsCells(): boolean;
}

export class TerminalFrame implements Disposable {
  readonly root: HTMLElement;
  private readonly pan: HTMLElement;
  private readonly stage: HTMLElement;
  private readonly observer: ResizeObserver;
  private readonly store = new DisposableStore();
  private opening: "not_yet" | "waiting" | "done" = "not_yet";
  private baseFontSize = 13;
  private followsMe = false;
  private nextFrame = 0;
  private drawn: GridBox | null = null;
  private measuredCell: { key: string; cell: Box } | null = null;

  constructor(
    private readonly terminal: Terminal,
    private readonly document: Document,
    private readonly clock: Clock,
    private readonly hooks: FrameHooks,
  ) {
    this.root = document.createElement("div");
    this.pan = document.createElement("div");
    this.stage = document.createElement("div");
    Object.assign(this.root.style, { position: "relative", width: "100%", height: "100%" });
    Object.assign(this.pan.style, {
      position: "absolute",
      inset: `${padding.y}px ${padding.right}px ${padding.y}px ${padding.left}px`,
      overflow: "clip",
      // What stands beside the grid: whose typing a line is.
      overflowClipMargin: "8px",
    });
    // Not seen until a screen is drawn: the first painted frame is the end state (B124). By opacity, because an element that is
    // `visibility: hidden` takes no focus, and the keyboard is given to the terminal before its screen has come.
    Object.assign(this.stage.style, { margin: "0 auto", opacity: "0" });
    this.root.className = "cotty-terminal";
    this.root.append(this.pan);
    this.pan.append(this.stage);
    this.pan.addEventListener("scroll", () => {
      this.drawn = null;
      this.hooks.moved();
    });
    this.observer = new ResizeObserver(() => this.refit());
    this.observer.observe(this.root);
    this.store.add(
      toDisposable(() => {
        this.observer.disconnect();
        this.document.defaultView?.cancelAnimationFrame(this.nextFrame);
        this.root.remove();
      }),
    );
  }

  mount(container: HTMLElement): Disposable {
    container.append(this.root);
    this.refit();
    return toDisposable(() => {
      if (this.root.parentElement !== container) return;
      this.root.remove();
      this.refit();
    });
  }

  /** Where the grid is drawn; null while it is not. */
  get grid(): GridBox | null {
    if (this.opening !== "done" || !this.root.isConnected) return null;
    this.drawn ??= this.measureGrid();
    return this.drawn;
  }

  reveal(): void {
    this.stage.style.opacity = "1";
  }

  setFontSize(px: number): void {
    if (this.baseFontSize === px) return;
    this.baseFontSize = px;
    this.refit();
  }

  /** The session follows this view: a grid that does not fit will soon, so it is not scaled meanwhile. */
  setFollowsMe(followsMe: boolean): void {
    if (this.followsMe === followsMe) return;
    this.followsMe = followsMe;
    this.refit();
  }

  /** Another renderer rounds its cells differently. */
  cellsChanged(): void {
    this.measuredCell = null;
    this.refit();
  }

  /** The grid or the box changed. */
  refit(): void {
    this.layOut();
    // Once more when the browser has laid everything out: cells and boxes measured within one task may be stale (SZ3).
    const view = this.document.defaultView;
    view?.cancelAnimationFrame(this.nextFrame);
    this.nextFrame = view?.requestAnimationFrame(() => this.layOut()) ?? 0;
  }

  dispose(): void {
    this.store.dispose();
  }

  private measureGrid(): GridBox | null {
    const cell = cellOf(this.terminal);
    if (!cell || !this.box()) return null;
    const root = this.root.getBoundingClientRect();
    const stage = this.stage.getBoundingClientRect();
    return {
      left: stage.left - root.left,
      top: stage.top - root.top,
      cellWidth: cell.width,
      cellHeight: cell.height,
    };
  }

  private layOut(): void {
    if (this.store.isDisposed) return;
    this.drawn = null;
    this.layOutGrid();
    this.hooks.moved();
  }

  private layOutGrid(): void {
    const box = this.box();
    this.hooks.shown(box !== null && this.opening === "done");
    if (!box) {
      this.hooks.measured(null);
      return;
    }
    if (this.opening !== "done") {
      if (this.opening === "not_yet") void this.open();
      return;
    }
    const cell = this.baseCell();
    if (!cell) {
      this.hooks.measured(null);
      return;
    }
    const mine = gridFor(box, cell);
    this.hooks.measured(mine);
    this.draw(box, cell, this.followsMe && mine !== null);
  }

  /** A cell at the preferred font size. Measuring sets that size, so it is not done again while nothing it depends on changed. */
  private baseCell(): Box | null {
    const key = `${this.baseFontSize} ${this.document.defaultView?.devicePixelRatio}`;
    if (this.measuredCell?.key === key) return this.measuredCell.cell;
    this.applyFontSize(this.baseFontSize);
    const cell = cellOf(this.terminal);
    this.measuredCell = cell && { key, cell };
    return cell;
  }

  private draw(box: Box, baseCell: Box, isUnscaled: boolean): void {
    const { cols, rows } = this.terminal;
    const grid = { cols, rows };
    let cell = baseCell;
    let size = isUnscaled ? this.baseFontSize : fontSizeFor(grid, this.baseFontSize, baseCell, box);
    this.applyFontSize(size);
    if (size !== this.baseFontSize) {
      cell = cellOf(this.terminal) ?? cell;
      while (!fits(grid, cell, box) && size - 0.5 >= Math.min(leastFontSize, this.baseFontSize)) {
        size -= 0.5;
        this.applyFontSize(size);
        cell = cellOf(this.terminal) ?? cell;
      }
    }
    const need = boxOf(grid, cell);
    const isPanned = !isUnscaled && !fits(grid, cell, box);
    this.stage.style.width = `${need.width}px`;
    this.stage.style.height = `${need.height}px`;
    // A grid of our own stays at the left edge, so that a window being dragged does not shake it; a foreign one is centred.
    this.stage.style.margin = isUnscaled ? "0" : "0 auto";
    this.pan.style.overflow = isPanned ? "auto" : "clip";
    const { dataset } = this.root;
    dataset.cols = String(cols);
    dataset.rows = String(rows);
    dataset.fit = isPanned
      ? "panned"
      : this.terminal.options.fontSize === this.baseFontSize
        ? "full"
        : "scaled";
  }

  private applyFontSize(px: number): void {
    const { options } = this.terminal;
    if (options.fontSize !== px) options.fontSize = px;
    const ratio = this.document.defaultView?.devicePixelRatio ?? 1;
    const spacing = this.hooks.cutsCells() ? missingPixel(charWidthOf(this.terminal) * ratio) : 0;
    if (options.letterSpacing !== spacing) options.letterSpacing = spacing;
  }

  /** Room for the grid; null while hidden, detached or without size. */
  private box(): Box | null {
    if (!this.root.isConnected) return null;
    const width = this.root.clientWidth - padding.left - padding.right;
    const height = this.root.clientHeight - 2 * padding.y;
    return width > 0 && height > 0 ? { width, height } : null;
  }

  private async open(): Promise<void> {
    this.opening = "waiting";
    // xterm measures its cells once, at open: with the fallback font they would stay wrong.
    const { fonts } = this.document;
    const family = '"JetBrains Mono Variable"';
    const loaded = Promise.allSettled([
      fonts.load(`13px ${family}`),
      fonts.load(`bold 13px ${family}`),
    ]);
    await Promise.race([
      loaded,
      new Promise<void>((resolve) => this.store.add(this.clock.after(fontWithinMs, resolve))),
    ]);
    if (this.store.isDisposed) return;
    if (!this.box()) {
      // Hidden meanwhile; the observer calls again when there is a size.
      this.opening = "not_yet";
      return;
    }
    this.terminal.options.fontSize = this.baseFontSize;
    this.terminal.open(this.stage);
    this.opening = "done";
    this.hooks.opened();
    this.refit();
  }
}

interface WithCore {
  _core?: {
    _renderService?: { dimensions?: { css?: { cell?: Box } } };
    _charSizeService?: { width?: number };
  };
}

/** xterm has no public way to ask for its cell size; its own fit add-on reads the same place (xterm 6.0.0, pinned). */
function cellOf(terminal: Terminal): Box | null {
  const cell = (terminal as unknown as WithCore)._core?._renderService?.dimensions?.css?.cell;
  return cell && cell.width > 0 && cell.height > 0
    ? { width: cell.width, height: cell.height }
    : null;
}

/** CSS pixels, before any rounding; 0 while not measured. */
function charWidthOf(terminal: Terminal): number {
  return (terminal as unknown as WithCore)._core?._charSizeService?.width ?? 0;
}
