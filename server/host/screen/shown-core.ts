// The emulator's rows as readers of text are shown them: the library's own, but where a value that must not be read stands (SX1, CR3). It may be
// wrapped, by the terminal or by a program at the edge. Its cells become one wide cell with the value's name, so that every other cell
// stays where it is, and cursors with it. Snapshots and frames are drawn from the rows themselves, and for agents' viewers from rows with a star in each such cell.
import type { Terminal } from "@xterm/headless";
import { cellText, cellWidth, contentEnd } from "./cells.ts";
import { plainText } from "./row-text.ts";
import {
  coreOf,
  type RawBuffer,
  type RawCore,
  type RawLine,
  type RawLines,
} from "./xterm-internals.ts";

/** Finds what must not be read (server/host/secrets). */
export interface TextMask {
  readonly isEmpty: boolean;
  /** Rises when a text that was read before might read otherwise now. */
  readonly version: number;
  /** UTF-16 units of the longest value. */
  readonly longest: number;
  /** In order and apart from each other. `end`: what is printed next comes there. */
  find(text: string, end?: number): readonly MaskedSpan[];
  hide(text: string): string;
  /** Bytes of a sequence that was begun, covered likewise. */
  cover(bytes: Uint8Array): Uint8Array;
}
export interface MaskedSpan {
  readonly from: number;
  readonly to: number;
  /** In its place. */
  readonly label: string;
}

const combinedBit = 0x200000;
const widthShift = 22;
/** One star, one cell wide. */
const starCell = 0x2a | (1 << widthShift);

/** For one reading: the terminal must not change meanwhile. */
export function shownCore(terminal: Terminal, mask: TextMask | undefined): RawCore {
  return coveredCore(terminal, mask, "name");
}

/** The same for a drawing, in which every cell is one: a star in its own colours. */
export function starredCore(terminal: Terminal, mask: TextMask | undefined): RawCore {
  return coveredCore(terminal, mask, "stars");
}

type Covering = "name" | "stars";

function coveredCore(terminal: Terminal, mask: TextMask | undefined, how: Covering): RawCore {
  const core = coreOf(terminal);
  if (!mask || mask.isEmpty) return core;
  const shown = (buffer: RawBuffer): RawBuffer =>
    Object.create(buffer, { lines: { value: new ShownLines(buffer, terminal.cols, mask, how) } });
  const { normal, alt, active } = core.buffers;
  const own = shown(normal);
  const other = shown(alt);
  const buffers = { normal: own, alt: other, active: active === normal ? own : other };
  const links: RawCore["_oscLinkService"] = {
    getLinkData: (id) => {
      const link = core._oscLinkService.getLinkData(id);
      return link && { ...link, uri: mask.hide(link.uri) };
    },
  };
  return Object.create(core, { buffers: { value: buffers }, _oscLinkService: { value: links } });
}

/** A row's part of a text that goes over several. */
interface RowText {
  readonly row: number;
  readonly text: string;
  /** Cell of each UTF-16 unit; null where they are the same number. */
  readonly columns: readonly number[] | null;
}

const always = () => true;

class ShownLines implements RawLines {
  private readonly known = new Map<number, RawLine>();
  private readonly texts = new Map<number, RowText>();

  constructor(
    private readonly buffer: RawBuffer,
    private readonly cols: number,
    private readonly mask: TextMask,
    private readonly how: Covering,
  ) {}

  get length(): number {
    return this.buffer.lines.length;
  }

  get(row: number): RawLine | undefined {
    const line = this.buffer.lines.get(row);
    if (!line) return undefined;
    let shown = this.known.get(row);
    if (!shown) {
      shown = this.shown(row, line);
      this.known.set(row, shown);
    }
    return shown;
  }

  onTrim(listener: (count: number) => void) {
    return this.buffer.lines.onTrim(listener);
  }

  private shown(row: number, line: RawLine): RawLine {
    const own = this.textOf(row);
    const { text, start, end } = this.textAround(row, own.text);
    const spans = this.mask.find(text, end);
    let masked: MaskedLine | null = null;
    for (const { from, to, label } of spans) {
      const first = Math.max(from, start) - start;
      const last = Math.min(to, start + own.text.length) - start - 1;
      if (last < first) continue;
      masked ??= new MaskedLine(line);
      const x = cellOf(own, first);
      const edge = cellOf(own, last);
      const width = edge + Math.max(1, cellWidth(line, edge)) - x;
      if (this.how === "stars") masked.star(x, width);
      else masked.cover(x, width, from >= start ? label : "•");
    }
    return masked ?? line;
  }

  /**
   * The row's text with as much before and behind it as a value that reaches into it may cover. `start`: where the row begins in it; `end`:
   * where the cursor stands, if that is near enough to matter.
   */
  private textAround(row: number, own: string): { text: string; start: number; end?: number } {
    const reach = this.mask.longest - 1;
    const { ybase, x: cursorX, y: cursorY } = this.buffer;
    let before = "";
    for (let each = row - 1; before.length < reach && this.isJoined(each); each--)
      before = this.textOf(each).text + before;
    before = before.slice(Math.max(0, before.length - reach));
    const start = before.length;
    let text = before + own;
    const most = text.length + reach;
    let end: number | undefined;
    for (let each = row; ; each++) {
      const one = this.textOf(each);
      if (each > row) text += one.text;
      if (each === ybase + cursorY) end = text.length - one.text.length + unitsBefore(one, cursorX);
      if (text.length >= most || !this.isJoined(each)) break;
    }
    text = text.slice(0, most);
    return end === undefined || end > text.length ? { text, start } : { text, start, end };
  }

  private textOf(row: number): RowText {
    let known = this.texts.get(row);
    if (!known) {
      known = this.readText(row);
      this.texts.set(row, known);
    }
    return known;
  }

  private readText(row: number): RowText {
    const line = this.buffer.lines.get(row);
    if (!line) return { row, text: "", columns: null };
    const { ybase, x: cursorX, y: cursorY } = this.buffer;
    // What will be printed goes on right behind what is there.
    const isCursors = row === ybase + cursorY;
    const length = Math.min(this.cols, line.length);
    const edge = isCursors ? Math.min(length, Math.max(cursorX, contentEnd(line))) : length;
    const isCut = this.isLeftEmpty(row);
    const plain = isCut ? undefined : plainText(line, 0, edge, always);
    if (plain !== undefined) return { row, text: plain, columns: null };
    let text = "";
    const columns: number[] = [];
    for (let x = 0; x < edge; x++) {
      const cell = cellText(line, x);
      // The right half of a wide character; or the cell that one left empty when it went to the next row.
      if (cell === "" && (cellWidth(line, x) === 0 || (isCut && x === this.cols - 1))) continue;
      text += cell === "" ? " " : cell;
      while (columns.length < text.length) columns.push(x);
    }
    return { row, text, columns };
  }

  /** The row below goes on where this one ends at the edge. */
  private isJoined(row: number): boolean {
    const line = this.buffer.lines.get(row);
    const below = this.buffer.lines.get(row + 1);
    if (!line || !below) return false;
    const edge = Math.min(this.cols, line.length) - 1;
    return below.isWrapped || cellText(line, edge).trim() !== "" || cellWidth(line, edge) === 0;
  }

  private isLeftEmpty(row: number): boolean {
    const below = this.buffer.lines.get(row + 1);
    return below?.isWrapped === true && cellWidth(below, 0) === 2;
  }
}

function cellOf({ columns }: RowText, unit: number): number {
  return columns?.[unit] ?? unit;
}

function unitsBefore({ text, columns }: RowText, x: number): number {
  if (!columns) return Math.min(x, text.length);
  const unit = columns.findIndex((column) => column >= x);
  return unit < 0 ? text.length : unit;
}

/** A copy of a row of which some cells are covered. */
class MaskedLine implements RawLine {
  readonly length: number;
  readonly isWrapped: boolean;
  readonly _data: Uint32Array;
  readonly _combined: Record<number, string>;
  readonly _extendedAttrs: RawLine["_extendedAttrs"];

  constructor(line: RawLine) {
    this.length = line.length;
    this.isWrapped = line.isWrapped;
    this._data = line._data.slice();
    this._combined = { ...line._combined };
    this._extendedAttrs = line._extendedAttrs;
  }

  cover(first: number, width: number, label: string): void {
    this._data[first * 3] = combinedBit | (width << widthShift);
    this._combined[first] = label;
    for (let x = first + 1; x < first + width; x++) {
      this._data[x * 3] = 0;
      delete this._combined[x];
    }
  }

  star(first: number, width: number): void {
    for (let x = first; x < first + width; x++) {
      this._data[x * 3] = starCell;
      delete this._combined[x];
    }
  }
}
