// The screen as the session sees it: one emulator, fed in order, read as text or as a snapshot (SC, SN). The emulator's library
// is imported by screen.ts alone.
import type { Event } from "#lib/base/emitter.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { Cursor } from "#lib/protocol/cursor.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import type { ByteOffset } from "#lib/protocol/ids.ts";
import type { Modes, ScreenText } from "#lib/protocol/screen.ts";
import type { Marker } from "#lib/terminal/osc-marker.ts";
import type { CursorLine } from "./cursor-line.ts";
import type { Located } from "./line-index.ts";
import type { OutputText } from "./output-text.ts";
import type { Printed } from "./printed-rows.ts";
import type { ScreenView } from "./screen-view.ts";

/** Facts the parse brings to light, in order, at the exact place in the stream. */
export type ScreenFact =
  | { kind: "title"; title: string }
  | { kind: "bell" }
  /** The terminal's own answer to a query: goes to the PTY as it is, with no actor (SC3). */
  | { kind: "reply"; bytes: Uint8Array }
  /** A shell's word about its commands (JR1), and where the cursor stood. Told inside the parse: `position`, `locate` and text up to there are exact, and nothing else is to be asked. */
  | { kind: "marker"; marker: Marker; at: Cursor; altScreen: boolean };

/** The screen serialised at one place of the log. */
export interface Snapshot {
  readonly at: ByteOffset;
  /** Log entries that are no bytes and lie before the snapshot (see OutputLogApi.readerAt). */
  readonly afterEntry: number;
  readonly size: GridSize;
  /** Restores a fresh terminal of `size` to the visible state: viewport, modes, cursor; without scrollback (SN1). */
  readonly screen: Uint8Array;
  /** Scrollback rows above it, oldest first, in pieces of about 64 KiB; `history` then `screen` written to a reset terminal restore everything. */
  readonly history: readonly Uint8Array[];
}

/** What a viewer can be shown before the scrollback is drawn (SN4): the same as in the whole snapshot that follows. */
export type EarlySnapshot = Omit<Snapshot, "history">;

export interface ScreenApi extends Disposable {
  readonly onFact: Event<ScreenFact>;
  readonly size: GridSize;
  readonly modes: Modes;
  /** Kitty keyboard modes that were pushed and not popped. */
  readonly keyboardPushes: number;
  readonly title: string;
  /** A full-screen program shows its own screen. */
  readonly isAlternate: boolean;
  /** Bytes applied so far. */
  readonly applied: ByteOffset;
  /**
   * Parses `bytes` (which follow `applied`); `done` is called inside the emulator's write callback, when all of them are on
   * the screen and nothing after them. Callers hand over at most a turn's worth and wait for `done` (see Pump).
   */
  write(bytes: Uint8Array, done: () => void): void;
  /** Only between writes. */
  resize(size: GridSize): void;
  /** Call only between writes (inside `done` or when none is pending). */
  view(): ScreenView;
  /** The same, yielding to the event loop; the caller feeds nothing until it resolves. */
  viewInSlices(): Promise<ScreenView>;
  /** The same as the whole text, as if the program still ran. */
  text(): ScreenText;
  /** End of the output: the normal buffer's cursor, also while the alternate one is shown (JR4). Its column is the width while a wrap is pending. */
  position(): Cursor;
  /** Number of the oldest line that is kept. */
  readonly oldestSeq: number;
  /** Rises with every change of the width that re-wrapped lines: all got new numbers, and `locate` leads from the old ones to the same text. */
  readonly reflows: number;
  /** Changes of width, also those after which every number is what it was: the cursor's own line may have lost its end (B060). */
  readonly widthChanges: number;
  /** Where a cursor of any age leads now. Does not ask whether that lies before the end. */
  locate(cursor: Cursor): Located;
  /** A row of the normal buffer, counted from the last resize (lib/protocol/written-lines.ts). */
  placeOf(row: number): number;
  /** The same of the lowest row. */
  readonly lowestPlace: number;
  /**
   * Text from one place up to another or to the end (see output-text.ts). In one piece: for small readings, between writes or when a
   * fact is told. `tail`: of that, the last so many lines.
   */
  outputBetween(from: Cursor, to: Cursor | null, maxBytes: number, tail?: number): OutputText;
  /** The same, yielding to the event loop; the caller feeds nothing until it resolves. */
  outputInSlices(
    from: Cursor,
    to: Cursor | null,
    maxBytes: number,
    tail?: number,
  ): Promise<OutputText>;
  /** Rows as a wait looks at them (see printed-rows.ts). Only between writes. */
  printedRows(fromSeq: number): Printed;
  /** A typed line of a few rows (see line-text.ts), cut at `maxBytes`. For use inside the parse. */
  lineText(from: Cursor, to: Cursor, maxBytes: number): string;
  /** Begins a snapshot of the present state; the caller feeds nothing until it resolves. Yields to the event loop at least every 10 ms (SN4). */
  snapshot(
    at: ByteOffset,
    afterEntry: number,
    /** Called at most once, before it resolves, when there is scrollback to wait for. */
    early?: (snapshot: EarlySnapshot) => void,
  ): Promise<Snapshot>;
  /** The same for those who must not have the values that are hidden in text: stars stand in their cells. */
  coveredSnapshot: ScreenApi["snapshot"];
  /** The line of the cursor, up to it. Exact inside the parse too. */
  cursorLine(): CursorLine;
  /** Whether the program said that it is in the middle of redrawing (mode 2026). */
  readonly isMidUpdate: boolean;
  /** The picture for a terminal of `view` (see frame.ts); the caller feeds nothing until it resolves, as for a snapshot. `isCovered`: as in `coveredSnapshot`. */
  frame(view: GridSize, isCovered?: boolean): Promise<Uint8Array>;
}
