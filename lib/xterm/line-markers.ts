// Markers at lines that the host names by their place (lib/protocol/written-lines.ts). Counts rows as the host does, so nothing is guessed: a
// line that is not printed here yet is waited for, and one that has left the scrollback is left out.
import { type Disposable, DisposableStore } from "#lib/base/lifecycle.ts";
import type { LinePlace } from "#lib/protocol/written-lines.ts";
import { type LineMarker, markLine, type NormalBuffer, normalBuffer } from "./normal-buffer.ts";

/** The headless one too. */
interface MarkableTerminal {
  readonly buffer: { onBufferChange(listener: () => void): Disposable };
}

/** More than a snapshot brings and than is told in a second; beyond, the oldest are given up. */
const maxWaiting = 512;

export class LineMarkers<T extends LinePlace> implements Disposable {
  private readonly store = new DisposableStore();
  private buffer: NormalBuffer;
  private trims: Disposable;
  /** Rows that have left the front. */
  private gone = 0;
  /** Which change of size places are counted from; null: the host does not say, or a snapshot is on its way. */
  private nth: number | null = null;
  /** The row of place 0, counted from the first row ever. */
  private base = 0;
  private waiting: T[] = [];

  constructor(
    private readonly terminal: MarkableTerminal,
    private readonly hooks: {
      /** The line is there. The marker is the caller's. */
      found(marker: LineMarker, named: T): void;
      /** A reset: all lines are gone, and nobody tells the markers. */
      lost(): void;
    },
  ) {
    this.buffer = this.normal;
    this.trims = this.follow();
    this.store.add(
      terminal.buffer.onBufferChange(() => {
        // A reset makes new buffers; the alternate screen does not.
        if (this.normal === this.buffer) return;
        this.gone += this.buffer.lines.length;
        this.trims.dispose();
        this.buffer = this.normal;
        this.trims = this.follow();
        this.hooks.lost();
      }),
    );
  }

  /** A whole snapshot was parsed and nothing after it; `lowest`: the place of its lowest row, `named`: lines in it. */
  placed(lowest: LinePlace | undefined, named: readonly T[] = []): void {
    this.countFrom(lowest?.nth, lowest?.row ?? 0);
    this.waiting.push(...named);
    this.lookUpTo(this.buffer.lines.length - 1);
    this.look();
  }

  /** The session's size changed and nothing after that was parsed. */
  counted(nth: number | undefined): void {
    this.countFrom(nth, 0);
    this.look();
  }

  /** The buffer is about to be thrown away. What waits is for the one that comes. */
  restarting(): void {
    this.nth = null;
  }

  want(named: T): void {
    this.waiting.push(named);
    if (this.waiting.length > maxWaiting) this.waiting.shift();
    this.look();
  }

  /** Something was printed. Rows below the cursor are still to come: what wraps into which of them is not known yet. */
  look(): void {
    const { ybase, y } = this.buffer;
    this.lookUpTo(ybase + y);
  }

  dispose(): void {
    this.waiting = [];
    this.trims.dispose();
    this.store.dispose();
  }

  private lookUpTo(lowest: number): void {
    const { nth } = this;
    if (nth === null || this.waiting.length === 0) return;
    const named = this.waiting;
    this.waiting = [];
    for (const one of named) {
      const row = this.base + one.row - this.gone;
      // Counted from a change of size that has not come here yet, or not printed here yet.
      if (one.nth > nth || (one.nth === nth && row > lowest)) this.waiting.push(one);
      else if (one.nth === nth && row >= 0) this.hooks.found(markLine(this.buffer, row), one);
    }
  }

  private get normal(): NormalBuffer {
    return normalBuffer(this.terminal);
  }

  private follow(): Disposable {
    return this.buffer.lines.onTrim((count) => {
      this.gone += count;
    });
  }

  private countFrom(nth: number | undefined, lowest: number): void {
    this.nth = nth ?? null;
    this.base = this.gone + this.buffer.lines.length - 1 - lowest;
  }
}
