// Numbers for the lines of a session's output that outlive scrolling (JR4): seq = lines that have left the scrollback + row, exact at any moment
// inside the parse. Knows rows, not what stands in them.
//
// What moves rows without scrolling is told apart from it, so that a number never comes to mean another line unnoticed:
// - A cleared screen (ED 2, ED from the home position) and a reset (RIS) begin new lines at the top: the numbers of the erased ones are skipped,
//   and a cursor among them leads to the first line after the clearing.
// - A change of width re-wraps lines: all lines get new numbers, cursors made before are led to the same text (see reflow-map.ts), `reflows` rises.
// Not noticed, as in any terminal: lines that a program moves or writes over by cursor motion, IL, DL, SU and SD.
import type { Terminal } from "@xterm/headless";
import { type Disposable, DisposableStore } from "#lib/base/lifecycle.ts";
import { type Cursor, compareCursors } from "#lib/protocol/cursor.ts";
import { contentEnd } from "./cells.ts";
import { ReflowMaps, type WidthChange } from "./reflow-map.ts";
import { coreOf, type RawBuffer, type RawCore, type RawLine } from "./xterm-internals.ts";

/** Lines from `row` on, counted from the first line ever, are numbered from `seq` on. */
interface Run {
  readonly row: number;
  readonly seq: number;
  /** End of what was erased when it began. */
  readonly end: Cursor;
}

export interface Located {
  readonly at: Cursor;
  /** Row of `at` in the normal buffer. */
  readonly row: number;
  /** Something between the cursor and `at` is gone. */
  readonly evicted: boolean;
  /** Lines were re-wrapped after the cursor was made. */
  readonly reflowed: boolean;
}

export class LineIndex implements Disposable {
  private readonly core: RawCore;
  private readonly store = new DisposableStore();
  private trims: Disposable;
  private readonly maps = new ReflowMaps();
  private buffer: RawBuffer;
  /** Rows that have left the front. */
  private gone = 0;
  /** The row that places are counted from (lib/protocol/written-lines.ts), counted from the first row ever. */
  private base: number;
  private runs: Run[] = [{ row: 0, seq: 0, end: { seq: 0, col: 0 } }];
  private reflowCount = 0;
  /** Somebody was told a number. Before that, renumbering needs no map. */
  private isObserved = false;

  constructor(private readonly terminal: Terminal) {
    this.core = coreOf(terminal);
    this.buffer = this.core.buffers.normal;
    this.base = this.buffer.lines.length - 1;
    this.trims = this.follow();
    this.store.add(
      terminal.buffer.onBufferChange(() => {
        // A reset makes new buffers; the alternate screen does not.
        if (this.core.buffers.normal !== this.buffer) this.restarted();
      }),
    );
    for (const prefix of [undefined, "?"]) {
      this.store.add(
        terminal.parser.registerCsiHandler(
          { final: "J", ...(prefix ? { prefix } : {}) },
          ([how]) => {
            this.erasing(how);
            return false;
          },
        ),
      );
    }
  }

  /** The normal buffer's cursor. */
  position(): Cursor {
    this.isObserved = true;
    const { ybase, x, y } = this.buffer;
    return { seq: this.seqOf(ybase + y), col: x };
  }

  get oldestSeq(): number {
    this.isObserved = true;
    return this.seqOf(0);
  }

  get reflows(): number {
    return this.reflowCount;
  }

  /** Number of a row of the normal buffer. */
  seqOf(row: number): number {
    const absolute = this.gone + row;
    const run = this.runs.findLast((one) => one.row <= absolute) ?? (this.runs[0] as Run);
    return run.seq + absolute - run.row;
  }

  locate(cursor: Cursor): Located {
    const mapped = this.maps.follow(cursor);
    const { reflowed } = mapped;
    const { seq, col } = mapped.at;
    const oldest = this.seqOf(0);
    // The run that the number belongs to, and the one after it.
    const after = this.runs.findIndex((one) => one.seq > seq);
    const run = this.runs[(after < 0 ? this.runs.length : after) - 1];
    const next = after < 0 ? undefined : this.runs[after];
    if (seq >= oldest && run) {
      const absolute = run.row + seq - run.seq;
      if (!next || absolute < next.row) {
        return { at: { seq, col }, row: absolute - this.gone, evicted: mapped.evicted, reflowed };
      }
    }
    if (next && next.row >= this.gone) {
      const evicted = mapped.evicted || compareCursors(mapped.at, next.end) < 0;
      return { at: { seq: next.seq, col: 0 }, row: next.row - this.gone, evicted, reflowed };
    }
    return { at: { seq: oldest, col: 0 }, row: 0, evicted: true, reflowed };
  }

  /** Rows from the one that was the lowest right after the last resize: a number that means the same to every viewer (AU2). */
  placeOf(row: number): number {
    return this.gone + row - this.base;
  }

  get lowestPlace(): number {
    return this.placeOf(this.buffer.lines.length - 1);
  }

  /** Call after each resize, also one that changed nothing. */
  resized(): void {
    this.base = this.gone + this.buffer.lines.length - 1;
  }

  /** Call around a change of width: before, and what it returns after. */
  changeWidth(): () => void {
    if (!this.isObserved) return () => {};
    const { lines, ybase, y } = this.buffer;
    const change = this.maps.begin({
      lines,
      cursorRow: ybase + y,
      cols: this.terminal.cols,
      seqOf: (row) => this.seqOf(row),
    });
    const gone = this.gone;
    return () => this.changedWidth(change, gone);
  }

  dispose(): void {
    this.trims.dispose();
    this.store.dispose();
  }

  private changedWidth(change: WidthChange, goneBefore: number): void {
    const { lines } = this.buffer;
    const first = change.lastSeq + 1;
    const isNew = this.maps.end(change, {
      lines,
      cols: this.terminal.cols,
      seqOf: (row) => first + row,
      trimmed: this.gone - goneBefore,
    });
    if (!isNew) return;
    this.reflowCount++;
    this.runs = [{ row: this.gone, seq: first, end: { seq: first, col: 0 } }];
  }

  private follow(): Disposable {
    return this.buffer.lines.onTrim((count) => {
      this.gone += count;
    });
  }

  private restarted(): void {
    const { length } = this.buffer.lines;
    const end = this.contentEnd();
    const seq = this.seqOf(length - 1) + 1;
    this.gone += length;
    this.runs = [{ row: this.gone, seq, end }];
    this.buffer = this.core.buffers.normal;
    this.trims.dispose();
    this.trims = this.follow();
  }

  /** Before the library erases. */
  private erasing(how: number | readonly number[] | undefined): void {
    const { buffer } = this;
    if (!this.isObserved || this.core.buffers.active !== buffer) return;
    const isWhole = how === 2 || ((how ?? 0) === 0 && buffer.x === 0 && buffer.y === 0);
    if (!isWhole) return;
    const row = this.gone + buffer.ybase;
    const last = this.runs.at(-1) as Run;
    const end = this.contentEnd();
    const isBlank = compareCursors(end, { seq: this.seqOf(buffer.ybase), col: 0 }) <= 0;
    const run = {
      row,
      seq: this.seqOf(buffer.lines.length - 1) + 1,
      // Cleared twice in a row: what is lost was lost the first time.
      end: isBlank && last.row === row ? last.end : end,
    };
    this.runs = [...this.kept(row), run];
  }

  /** Runs that still have lines in the buffer before `row`. */
  private kept(row: number): Run[] {
    return this.runs.filter(
      (one, i) => one.row < row && (this.runs[i + 1]?.row ?? row) > this.gone,
    );
  }

  /** Behind the last cell of the viewport that was written; the top of the viewport when none was. */
  private contentEnd(): Cursor {
    const { lines, ybase } = this.buffer;
    let blank: RawLine | undefined;
    for (let row = lines.length - 1; row >= ybase; row--) {
      const line = lines.get(row);
      // A flood of clearings finds large screens blank: rows like a blank one need no look at each cell.
      if (!line || (blank && isSame(line, blank))) continue;
      const col = contentEnd(line);
      if (col > 0) return { seq: this.seqOf(row), col };
      blank = line;
    }
    return { seq: this.seqOf(ybase), col: 0 };
  }
}

function isSame({ _data: a }: RawLine, { _data: b }: RawLine): boolean {
  return Buffer.compare(bytesOf(a), bytesOf(b)) === 0;
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
