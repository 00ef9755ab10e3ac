// Carries out what an attachment says on a terminal, in order (SN5, AT2). xterm parses writes later but resets and resizes at once;
// here both wait their turn in its write queue, so that each takes effect at its own place in the stream.

import { concatBytes, utf8 } from "#lib/base/bytes.ts";
import type { AttachTarget } from "#lib/client/attach-target.ts";
import type { SnapshotMarks } from "#lib/protocol/attach.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import { resizeInPlace } from "#lib/terminal/resize-in-place.ts";

/** The part of xterm this needs; the headless one has it too. */
export interface WritableTerminal {
  readonly cols: number;
  readonly rows: number;
  write(data: Uint8Array, parsed?: () => void): void;
  reset(): void;
  resize(cols: number, rows: number): void;
}

export interface ScreenWriterHooks {
  isScrolledUp(): boolean;
  /** Everything is about to be thrown away. */
  beforeRestart(): void;
  /** A screen (false) or the whole snapshot (true) is parsed. */
  restored(isWhole: boolean): void;
  resized(size: GridSize): void;
  /** The rest of a whole snapshot was parsed, and nothing after it: what is where in it. */
  placed?(marks: SnapshotMarks): void;
  /** The session's size changed and nothing after that was parsed (LinePlace). */
  counted?(nth: number | undefined): void;
  /** Bytes of the program were parsed. */
  printed(): void;
}

/** Ends a sequence that the bytes before were in the middle of: `reset` does not touch the parser. */
const cancel = Uint8Array.of(0x18);
const nothing = new Uint8Array(0);
/** DEC mode 2026: paint nothing until the end, so that nobody sees the scrollback rush by (B124). */
const holdPaint = utf8("\x1b[?2026h");
const paint = utf8("\x1b[?2026l");

export class ScreenWriter implements AttachTarget {
  private isReplaying = false;

  constructor(
    private readonly terminal: WritableTerminal,
    private readonly hooks: ScreenWriterHooks,
  ) {}

  /** What is parsed now was printed earlier: it must not ask, ring or copy again. */
  get isRestoring(): boolean {
    return this.isReplaying;
  }

  showScreen(size: GridSize, screen: Uint8Array): void {
    // Scrolled up: what the person reads stays until the whole snapshot is here and their place can be found again.
    if (this.hooks.isScrolledUp()) return;
    this.restartLater(size);
    this.terminal.write(screen, () => this.replayed(false));
  }

  showSnapshot(
    size: GridSize,
    history: readonly Uint8Array[],
    screen: Uint8Array,
    drawn: () => void,
    marks: SnapshotMarks = {},
  ): void {
    this.restartLater(size);
    if (history.length > 0) this.terminal.write(holdPaint);
    for (const piece of history) this.terminal.write(piece);
    // One chunk, so one task: no frame can fall between the release and the screen. The release stands in front because the
    // screen part may end amid a sequence that the next bytes continue.
    this.terminal.write(history.length > 0 ? concatBytes([paint, screen]) : screen, () => {
      this.hooks.placed?.(marks);
      this.replayed(true);
      drawn();
    });
  }

  write(bytes: Uint8Array, drawn: () => void): void {
    this.terminal.write(bytes, () => {
      this.hooks.printed();
      drawn();
    });
  }

  resize(size: GridSize, nth?: number): void {
    this.terminal.write(nothing, () => {
      this.take(size);
      this.hooks.counted?.(nth);
    });
  }

  private restartLater(size: GridSize): void {
    this.terminal.write(cancel, () => {
      this.hooks.beforeRestart();
      this.isReplaying = true;
      this.terminal.reset();
      this.take(size);
    });
  }

  private replayed(isWhole: boolean): void {
    this.isReplaying = false;
    this.hooks.restored(isWhole);
  }

  private take(size: GridSize): void {
    const { terminal } = this;
    if (terminal.cols !== size.cols || terminal.rows !== size.rows) resizeInPlace(terminal, size);
    this.hooks.resized(size);
  }
}
