// One session's screen: an emulator fed in order (SC1-SC4). Parses in small slices and takes turns (SC7), reports what the stream says
// (title, bell, answers), and is read as text or as a snapshot. Knows no log, no viewers, no process.
import type { Terminal } from "@xterm/headless";
import { assert } from "#lib/base/assert.ts";
import { utf8 } from "#lib/base/bytes.ts";
import { type Clock, systemClock } from "#lib/base/clock.ts";
import { Emitter } from "#lib/base/emitter.ts";
import { DisposableStore } from "#lib/base/lifecycle.ts";
import type { Cursor } from "#lib/protocol/cursor.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import type { ByteOffset } from "#lib/protocol/ids.ts";
import { limits } from "#lib/protocol/limits.ts";
import { type Modes, type ScreenText, wholeScreen } from "#lib/protocol/screen.ts";
import { eraseAboveSafely } from "#lib/terminal/erase-above.ts";
import { keepLinks } from "#lib/terminal/link-table.ts";
import { Bells } from "./bells.ts";
import { type CursorLine, cursorLine } from "./cursor-line.ts";
import { createEmulator, resizeEmulator, scrollbackFor } from "./emulator.ts";
import { drawFrame } from "./frame.ts";
import { KeyboardPushes } from "./keyboard-pushes.ts";
import { LineIndex, type Located } from "./line-index.ts";
import { lineText } from "./line-text.ts";
import { readMarkers } from "./markers.ts";
import { ModeTracker } from "./modes.ts";
import { type OutputRange, type OutputText, outputText } from "./output-text.ts";
import { Palette } from "./palette.ts";
import { ParseQueue } from "./parse-queue.ts";
import { type Printed, printedRows } from "./printed-rows.ts";
import { answerQueries } from "./replies.ts";
import type { EarlySnapshot, ScreenApi, ScreenFact, Snapshot } from "./screen-api.ts";
import { screenReply } from "./screen-reply.ts";
import { ScreenSnapshots } from "./screen-snapshots.ts";
import { type ScreenView, ScreenViews } from "./screen-view.ts";
import { shownCore, starredCore, type TextMask } from "./shown-core.ts";
import { finish, finishInSlices } from "./slices.ts";
import { Titles } from "./titles.ts";
import { UnfinishedInput } from "./unfinished-input.ts";
import { coreOf, parserStateOf } from "./xterm-internals.ts";

export interface ScreenOptions {
  readonly size: GridSize;
  /** Lines wanted; fewer are kept where `limits.screenCells` says so. */
  readonly scrollback?: number;
  readonly clock?: Clock;
  /** What must not be read in its text (SX1, CR3). */
  readonly mask?: TextMask | undefined;
}

export class Screen implements ScreenApi {
  /** For tests and measurements; everybody else reads `text` and `snapshot`. */
  readonly emulator: Terminal;
  private readonly clock: Clock;
  private readonly wantedScrollback: number;
  private readonly facts = new Emitter<ScreenFact>();
  private readonly palette = new Palette();
  private readonly titles: Titles;
  private readonly modeTracker: ModeTracker;
  private readonly pushes: KeyboardPushes;
  private readonly store = new DisposableStore();
  private readonly index: LineIndex;
  private readonly unfinished = new UnfinishedInput();
  private readonly queue: ParseQueue;
  private appliedBytes = 0;
  private widthCount = 0;
  /** Of everything, also of what does not show; the version that agents see is `view().version`. */
  private changes = 0;
  private readonly views: ScreenViews;
  private readonly mask: TextMask | undefined;
  private readonly bells: Bells;
  private readonly snapshots: ScreenSnapshots;

  readonly onFact = this.facts.event;

  constructor(options: ScreenOptions) {
    const { size, scrollback = limits.scrollbackLines.default, clock = systemClock } = options;
    this.clock = clock;
    this.wantedScrollback = scrollback;
    const terminal = createEmulator(size, scrollbackFor(size, scrollback));
    this.emulator = terminal;
    keepLinks(terminal);
    this.mask = options.mask;
    this.views = new ScreenViews(
      terminal,
      this.palette,
      () => ({ title: this.mask?.hide(this.title) ?? this.title, modes: this.modes }),
      this.mask,
    );
    this.store.add(terminal);
    this.store.add(this.facts);
    this.queue = this.store.add(
      new ParseQueue(terminal, clock, (parsed, consumed) => {
        this.appliedBytes += consumed;
        this.unfinished.parsed(parsed, parserStateOf(terminal));
        this.changed();
      }),
    );
    this.store.add(
      answerQueries(terminal, this.palette, (text) =>
        this.facts.fire({ kind: "reply", bytes: utf8(text) }),
      ),
    );
    this.titles = this.store.add(
      new Titles(terminal, (title) => this.facts.fire({ kind: "title", title })),
    );
    this.modeTracker = this.store.add(new ModeTracker(terminal));
    this.pushes = this.store.add(new KeyboardPushes(terminal));
    this.bells = this.store.add(new Bells(terminal, () => this.facts.fire({ kind: "bell" })));
    this.store.add(eraseAboveSafely(terminal));
    this.index = this.store.add(new LineIndex(terminal));
    const { queue, unfinished, titles, palette, modeTracker: modes } = this;
    this.snapshots = new ScreenSnapshots({
      terminal,
      clock,
      queue,
      unfinished,
      titles,
      palette,
      modes,
    });
    this.store.add(
      readMarkers(terminal, (marker) => {
        const at = this.index.position();
        this.facts.fire({ kind: "marker", marker, at, altScreen: this.isAlternate });
      }),
    );
  }

  get size(): GridSize {
    return { cols: this.emulator.cols, rows: this.emulator.rows };
  }

  get modes(): Modes {
    return this.modeTracker.current;
  }

  get keyboardPushes(): number {
    return this.pushes.current;
  }

  get title(): string {
    return this.titles.current;
  }

  get applied(): ByteOffset {
    return this.appliedBytes;
  }

  /** Writes in which the emulator threw; the rest of such a slice was given up. */
  get faults(): number {
    return this.queue.faults;
  }

  /** Never calls `done` before it returns. Writes made before an earlier one is done wait their turn. */
  write(bytes: Uint8Array, done: () => void): void {
    this.queue.add(bytes, () => {
      this.bells.written();
      done();
    });
  }

  /**
   * The library's reflow is kept as it is: wrapped rows are joined and cut anew, except those of the cursor's line, which lose what
   * does not fit when the grid narrows (B060). Browsers run the same code on the same rows, so both stay equal, and a shell
   * repaints its own line; the option that keeps the text puts the cursor in another place than the shell believes.
   */
  resize(size: GridSize): void {
    assert(this.queue.isEmpty, "a screen is resized between writes");
    assert(!this.queue.isHeld, "a screen is not resized during a snapshot");
    if (size.cols !== this.emulator.cols || size.rows !== this.emulator.rows) this.take(size);
    this.index.resized();
  }

  private take(size: GridSize): void {
    const widthChanged = size.cols === this.emulator.cols ? undefined : this.index.changeWidth();
    if (size.cols !== this.emulator.cols) this.widthCount++;
    resizeEmulator(this.emulator, size, this.wantedScrollback);
    widthChanged?.();
    this.changed();
  }

  view(): ScreenView {
    return this.views.view();
  }

  viewInSlices(): Promise<ScreenView> {
    return this.views.viewInSlices(this.clock);
  }

  text(): ScreenText {
    return wholeScreen(screenReply(this.view(), {}, undefined));
  }

  position(): Cursor {
    return this.index.position();
  }

  get oldestSeq(): number {
    return this.index.oldestSeq;
  }

  get reflows(): number {
    return this.index.reflows;
  }

  get widthChanges(): number {
    return this.widthCount;
  }

  locate(cursor: Cursor): Located {
    return this.index.locate(cursor);
  }

  placeOf(row: number): number {
    return this.index.placeOf(row);
  }

  get lowestPlace(): number {
    return this.index.lowestPlace;
  }

  outputBetween(from: Cursor, to: Cursor | null, maxBytes: number, tail?: number): OutputText {
    return finish(this.output({ from, to, maxBytes, tail }));
  }

  async outputInSlices(
    from: Cursor,
    to: Cursor | null,
    maxBytes: number,
    tail?: number,
  ): Promise<OutputText> {
    const hold = this.queue.hold();
    try {
      return await finishInSlices(this.output({ from, to, maxBytes, tail }), this.clock);
    } finally {
      hold.dispose();
    }
  }

  printedRows(fromSeq: number): Printed {
    return printedRows(this.emulator, this.index, fromSeq, this.mask);
  }

  lineText(from: Cursor, to: Cursor, maxBytes: number): string {
    const { lines } = shownCore(this.emulator, this.mask).buffers.normal;
    const place = ({ row, at }: Located) => ({ row, col: at.col });
    const [first, end] = [this.locate(from), this.locate(to)];
    return lineText((row) => lines.get(row), place(first), place(end), maxBytes);
  }

  async snapshot(
    at: ByteOffset,
    afterEntry: number,
    early: (snapshot: EarlySnapshot) => void = () => {},
  ): Promise<Snapshot> {
    const place = { at, afterEntry, size: this.size };
    return this.snapshots.take(this.changes, place, undefined, early);
  }

  async coveredSnapshot(
    at: ByteOffset,
    afterEntry: number,
    early: (snapshot: EarlySnapshot) => void = () => {},
  ): Promise<Snapshot> {
    const mask = this.mask?.isEmpty === false ? this.mask : undefined;
    const place = { at, afterEntry, size: this.size };
    return this.snapshots.take(this.changes, place, mask, early);
  }

  get isAlternate(): boolean {
    return this.emulator.buffer.active.type === "alternate";
  }

  cursorLine(): CursorLine {
    return cursorLine(shownCore(this.emulator, this.mask).buffers);
  }

  get isMidUpdate(): boolean {
    return coreOf(this.emulator).coreService.decPrivateModes.synchronizedOutput;
  }

  async frame(view: GridSize, isCovered = false): Promise<Uint8Array> {
    const hold = this.queue.hold();
    try {
      const core = isCovered ? starredCore(this.emulator, this.mask) : coreOf(this.emulator);
      return await drawFrame(core, this.size, view, this.clock);
    } finally {
      hold.dispose();
    }
  }

  dispose(): void {
    this.store.dispose();
  }

  private output(range: OutputRange) {
    const paletteColor = (index: number) => this.palette.color(index);
    return outputText(this.emulator, this.index, paletteColor, range, this.mask);
  }

  private changed(): void {
    this.changes++;
    this.views.forget();
  }
}
