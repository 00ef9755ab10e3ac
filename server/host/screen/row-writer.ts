// Draws rows of cells, one after the other, as terminal output that makes the same rows in an empty terminal: cells, attributes,
// background of erased cells, and which rows are continuations of the one above (SN1). Positions are relative to where the
// drawing begins, so the same bytes serve a fresh terminal and one that has just been given scrollback.
import { CellPen, type LinkLookup, type Look, plainLook, sameLook } from "./cell-pen.ts";
import { cellLook, cellText, cellWidth, hasContent, isErased } from "./cells.ts";
import {
  asciiKey,
  asciiState,
  type CharProperties,
  joinKey,
  joins,
  measure,
} from "./grapheme-state.ts";
import type { RawLine } from "./xterm-internals.ts";

/** A character two cells wide; overwriting one of its halves is the only way to an empty cell with attributes of its own. */
const wide = "\u4e2d";

/** Below are no wide characters but symbols, and terminals disagree about those. */
const firstWideScript = 0x2e80;

interface Grid {
  readonly cols: number;
  readonly rows: number;
}

export class RowWriter {
  readonly pen: CellPen;
  private readonly grid: Grid;
  private readonly charProperties: CharProperties;
  private out: string[] = [];
  private chars = 0;
  /** Column of the receiving cursor; `cols` is the pending wrap. */
  private x = 0;
  /** Whether empty cells right of `x` may hold something that must be erased. */
  private isDirty = false;
  private joinState = 0;
  /** The row above, whose last cell must become empty once this row has its first cell. */
  private owed: RawLine | undefined;
  private isSeam = false;

  /** `isForeign`: the receiving terminal may have other ideas of how wide clusters and symbols are. */
  constructor(
    grid: Grid,
    charProperties: CharProperties,
    linkOf: LinkLookup,
    private readonly isForeign = false,
  ) {
    this.grid = grid;
    this.charProperties = charProperties;
    this.pen = new CellPen(linkOf);
  }

  /** Characters written since the last `take`. */
  get length(): number {
    return this.chars;
  }

  take(): string {
    const all = this.out.join("");
    this.out = [];
    this.chars = 0;
    return all;
  }

  raw(sequence: string): void {
    if (sequence === "") return;
    this.out.push(sequence);
    this.chars += sequence.length;
    this.joinState = 0;
  }

  /**
   * For a first row that is a continuation although nothing is above it (its beginning was trimmed). The cursor is on the top
   * row, column 0; the row that a wrap made is moved up.
   */
  beginAsContinuation(): void {
    if (this.grid.rows < 2) return;
    this.raw(`\x1b[${this.grid.cols}G  \x1b[A\x1b[M`);
    this.isDirty = true;
  }

  /** To the beginning of a row of the screen (0-based), whose cells may hold anything; the pen is plain then. */
  moveToRow(y: number): void {
    this.raw(this.pen.moveTo(plainLook));
    this.raw(`\x1b[${y + 1};1H`);
    this.x = 0;
    this.isDirty = true;
  }

  /** Makes everything from column `x` (0-based) to the receiving terminal's edge blank and plain, on the cursor's row. */
  eraseFrom(x: number): void {
    this.raw(this.pen.moveTo(plainLook));
    this.raw(`\x1b[${x + 1}G\x1b[K`);
  }

  /**
   * Goes on where `above` stopped, in bytes that must also do without what `above` wrote: then the first row begins at the top of
   * an empty screen, and going up a row leads nowhere. Returns whether the saved cursor is used for that.
   */
  continueFrom(above: RowWriter): boolean {
    this.x = above.x;
    this.owed = above.owed;
    this.isSeam = above.owed !== undefined;
    return this.isSeam;
  }

  /**
   * One row. `next` is the row that follows in the same drawing or, with `isLast`, in the next one: a continuation is led over to,
   * anything else gets a line feed unless it is the last. `aside` may move the cursor on the row and must leave the pen plain; it
   * finds its place at an end that is not wrapped. Returns whether there was one.
   */
  row(line: RawLine, next: RawLine | undefined, isLast: boolean, aside = ""): boolean {
    const { cols } = this.grid;
    let isSaid = aside === "";
    if (this.x >= cols || this.owed) this.wrapInto(line);
    else if (!isSaid) {
      this.raw(this.pen.moveTo(plainLook));
      this.raw(`${aside}\r`);
      isSaid = true;
    }
    while (this.x < cols) {
      if (this.isDrawable(line, this.x)) this.content(line, this.x);
      else if (!this.empty(line, next)) break;
    }
    if (next?.isWrapped) this.leadOver(line, next);
    else if (!isLast) {
      if (!isSaid) {
        this.raw(this.pen.moveTo(plainLook));
        this.raw(aside);
        isSaid = true;
      }
      this.lineFeed();
    }
    return isSaid;
  }

  /** Narrowing the alternate screen cuts rows without a look: half a wide character at the edge cannot be drawn, it becomes empty. */
  private isDrawable(line: RawLine, x: number): boolean {
    return hasContent(line, x) && x + cellWidth(line, x) <= this.grid.cols;
  }

  private lineFeed(): void {
    this.raw(this.pen.moveToErase(0));
    this.raw("\r\n");
    this.x = 0;
    this.isDirty = false;
  }

  /** First cell of a continuation: printing it makes the wrap; then the cell it was printed past is put right. */
  private wrapInto(line: RawLine): void {
    const { owed } = this;
    this.owed = undefined;
    if (hasContent(line, 0)) {
      this.x = 0;
      this.isDirty = false;
      this.content(line, 0);
      this.isDirty ||= this.pen.eraseBackground !== 0;
    } else {
      this.raw(this.pen.moveTo(plainLook));
      this.raw(" ");
      this.x = 1;
    }
    if (owed) {
      const { x } = this;
      this.raw(this.isSeam ? "\x1b7\x1b[A" : "\x1b[A");
      this.emptyLastCell(owed);
      this.raw(this.isSeam ? `\x1b8${this.pen.restored()}` : `\x1b[B\x1b[${x + 1}G`);
      this.x = x;
      this.isDirty ||= this.isSeam;
      this.isSeam = false;
    }
    if (!hasContent(line, 0)) {
      this.raw("\r");
      this.x = 0;
      this.isDirty = true;
    }
  }

  /** Leaves the cursor so that the next character printed begins a continuation. */
  private leadOver(line: RawLine, next: RawLine): void {
    const { cols } = this.grid;
    const last = cols - 1;
    if (this.x >= cols) return;
    const look = cellLook(line, last);
    if (cellWidth(next, 0) === 2 && sameLook(look, cellLook(next, 0)) && hasContent(next, 0)) {
      // A wide character that did not fit left this cell behind; it will again.
      this.raw(`\x1b[${cols}G`);
      this.x = cols;
      return;
    }
    this.raw(`\x1b[${cols}G`);
    this.raw(this.pen.moveTo(plainLook));
    this.print(" ", asciiState);
    this.x = cols;
    // On a grid of one row the cell is out of reach by then; it stays a space.
    if (this.grid.rows > 1) this.owed = line;
  }

  private content(line: RawLine, x: number): void {
    const text = cellText(line, x);
    const width = cellWidth(line, x);
    this.raw(this.pen.moveTo(cellLook(line, x)));
    const first = text.charCodeAt(0);
    const key = joinKey(this.joinState);
    if (text.length === 1 && first < 0x7f && (key === 0 || key === asciiKey)) {
      this.print(text, asciiState);
      this.x = x + 1;
    } else {
      // A cell of its own must not join the one before.
      const properties = this.charProperties(text.codePointAt(0) ?? 0, this.joinState);
      if (joins(properties)) this.raw("\x1b\\");
      const measured = measure(text, this.charProperties);
      const isUnsure =
        this.isForeign && (text.length > 1 || (width === 2 && first < firstWideScript));
      if (isUnsure) this.raw(`\x1b[${Math.max(1, width)}X`);
      this.print(text, measured.state);
      this.x = x + Math.max(1, width);
      if ((isUnsure || measured.width !== width) && this.x < this.grid.cols) {
        this.raw(`\x1b[${this.x + 1}G`);
        this.isDirty = true;
      }
    }
  }

  private print(text: string, state: number): void {
    this.out.push(text);
    this.chars += text.length;
    this.joinState = state;
  }

  /** A run of empty cells from `x`. Returns false when the rest of the row needs nothing more. */
  private empty(line: RawLine, next: RawLine | undefined): boolean {
    const { cols } = this.grid;
    const start = this.x;
    const look = cellLook(line, start);
    if (!isErased(look)) {
      if (start < cols - 1) {
        this.emptyWithLook(start, look);
        return true;
      }
      // Leading over to a continuation makes this cell later.
      if (next?.isWrapped) return false;
      this.emptyLastCell(line);
      return false;
    }
    let end = start + 1;
    while (end < cols && !hasContent(line, end) && sameLook(cellLook(line, end), look)) end++;
    const mustErase = look.bg !== 0 || this.isDirty;
    if (mustErase) this.raw(this.pen.moveToErase(look.bg));
    if (end < cols) {
      if (mustErase) this.raw(`\x1b[${end - start}X`);
      this.raw(`\x1b[${end - start}C`);
      this.x = end;
      return true;
    }
    // Erasing to the end from column 0 would also say that the row is no continuation.
    if (mustErase) this.raw(start === 0 ? `\x1b[${cols}X` : "\x1b[K");
    if (!next?.isWrapped) this.x = end;
    return false;
  }

  private emptyWithLook(x: number, look: Look): void {
    // The space takes the right half; the left half becomes the empty cell, with the space's attributes.
    this.raw(`${wide}\x1b[${x + 2}G`);
    this.raw(this.pen.moveTo(look));
    this.raw(` \x1b[${x + 2}G`);
    this.x = x + 1;
    this.isDirty = true;
  }

  /** Makes the last cell of the cursor's row empty, as it is in `line`. Leaves the cursor anywhere on that row. */
  private emptyLastCell(line: RawLine): void {
    const last = this.grid.cols - 1;
    const look = cellLook(line, last);
    this.raw(`\x1b[${last + 1}G`);
    if (isErased(look)) {
      this.raw(this.pen.moveToErase(look.bg));
      this.raw("\x1b[X");
      return;
    }
    this.emptyFromRight(line, last, look);
  }

  /** Mirror image of emptyWithLook: the left half is overwritten, and what belongs there is drawn again, from right to left. */
  private emptyFromRight(line: RawLine, x: number, look: Look): void {
    this.raw(`\x1b[${x}G${wide}\x1b[${x}G`);
    this.raw(this.pen.moveTo(look));
    this.raw(" ");
    const head = cellWidth(line, x - 1) === 0 && x > 1 ? x - 2 : x - 1;
    const headLook = cellLook(line, head);
    if (this.isDrawable(line, head)) {
      this.raw(`\x1b[${head + 1}G`);
      this.content(line, head);
    } else if (isErased(headLook)) {
      this.raw(`\x1b[${head + 1}G`);
      this.raw(this.pen.moveToErase(headLook.bg));
      this.raw("\x1b[X");
    } else if (head > 0) this.emptyFromRight(line, head, headLook);
    // At the left edge the space stays; it shows the same.
  }
}
