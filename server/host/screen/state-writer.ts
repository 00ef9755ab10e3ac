// Everything of a terminal's state that is not cells, as terminal output: scroll regions, tab stops, saved cursors, modes,
// charsets, the cursor with its pending wrap, the pen (SN1). Absolute positions: the rows are drawn already.
import {
  CellPen,
  type LinkLookup,
  type Look,
  lookOf,
  penLook,
  plainLook,
  sameLook,
} from "./cell-pen.ts";
import { cellLook, cellText, cellWidth, hasContent } from "./cells.ts";
import { charsetFinal } from "./charset-names.ts";
import { type CharProperties, joinKey, measure } from "./grapheme-state.ts";
import type { RawBuffer, RawCore, RawLine } from "./xterm-internals.ts";

/** ST outside of a string: does nothing, but what is printed next joins nothing. */
const nothing = "\x1b\\";

interface Grid {
  readonly cols: number;
  readonly rows: number;
}

const tabWidth = 8;

function cup(y: number, x: number): string {
  return `\x1b[${y + 1};${x + 1}H`;
}

/** Tab stops, when they are not the usual ones. Moves the cursor. */
export function tabStops(buffer: RawBuffer, cols: number): string {
  const stops: number[] = [];
  let isUsual = true;
  for (let x = 0; x < cols; x++) {
    const isStop = buffer.tabs[x] === true;
    if (isStop) stops.push(x);
    if (isStop !== (x % tabWidth === 0)) isUsual = false;
  }
  if (isUsual) return "";
  return `\x1b[3g${stops.map((x) => `\x1b[${x + 1}G\x1bH`).join("")}`;
}

export function scrollRegion(buffer: RawBuffer, rows: number): string {
  if (buffer.scrollTop === 0 && buffer.scrollBottom === rows - 1) return "";
  return `\x1b[${buffer.scrollTop + 1};${buffer.scrollBottom + 1}r`;
}

/** Bit of the background word that says the cell has extended attributes; DECSC keeps the bit but not what it stands for. */
const extendedBit = 0x10000000;

/** Whether DECSC was ever done in `buffer`, or looks so. */
function hasSaved(buffer: RawBuffer): boolean {
  const { savedX, savedY, savedCurAttrData: saved, savedCharset } = buffer;
  return savedX !== 0 || savedY !== 0 || saved.fg !== 0 || saved.bg !== 0 || !!savedCharset;
}

/**
 * Puts the cursor of the normal screen in the column that was saved. A pending wrap was saved as one, which shows when the grid is
 * widened: changing buffers copies the cursor as it is, so the alternate screen, cleared on the way back, serves to make it.
 */
function savedColumn(buffer: RawBuffer, cols: number): string {
  if (buffer.savedX < cols) return `\x1b[${buffer.savedX + 1}G`;
  return `\x1b[?47h\x1b[${cols}G \x1b[?47l`;
}

function savedRow(buffer: RawBuffer, rows: number): string {
  return cup(Math.min(Math.max(buffer.savedY - buffer.ybase, 0), rows - 1), 0);
}

/** DECSC with the pen and charset that were saved. Leaves the pen plain and G0 as US-ASCII. */
function save({ savedCurAttrData: saved, savedCharset }: RawBuffer): string {
  const look = lookOf(saved.fg, saved.bg, undefined);
  // A link that was open then is not part of what is saved, but that there was one is.
  const hadLink = (saved.bg & extendedBit) !== 0 && look.underline === 0;
  let out = hadLink ? "\x1b]8;;about:blank\x1b\\" : "";
  out += new CellPen(() => undefined).moveTo(look);
  if (savedCharset) out += `\x1b(${charsetFinal(savedCharset)}`;
  out += "\x1b7";
  if (savedCharset) out += "\x1b(B";
  if (hadLink) out += "\x1b]8;;\x1b\\";
  return `${out}\x1b[m`;
}

/** DECSC as the program did it on the normal screen, which is shown; "" when it never did. Moves the cursor. */
export function savedCursor(normal: RawBuffer, grid: Grid): string {
  return hasSaved(normal) ? savedRow(normal, grid.rows) + savedHere(normal, grid) : "";
}

/** The same for a cursor that is on the right row already. */
export function savedHere(normal: RawBuffer, grid: Grid): string {
  return hasSaved(normal) ? savedColumn(normal, grid.cols) + save(normal) : "";
}

/** The same for the alternate screen, which is neither shown before nor after. */
export function savedOnAlternate(alt: RawBuffer, grid: Grid): string {
  if (!hasSaved(alt)) return "";
  return `${savedRow(alt, grid.rows)}${savedColumn(alt, grid.cols)}\x1b[?47h${save(alt)}\x1b[?47l`;
}

const mouseProtocols: Readonly<Record<string, number>> = {
  X10: 9,
  VT200: 1000,
  DRAG: 1002,
  ANY: 1003,
};
const mouseEncodings: Readonly<Record<string, number>> = { SGR: 1006, SGR_PIXELS: 1016 };
const cursorShapes = { block: 2, underline: 4, bar: 6 } as const;

/** DECSCUSR's number; 0 when the program left the shape to the viewer. */
export function cursorShape(core: RawCore): number {
  const { cursorStyle, cursorBlink } = core.coreService.decPrivateModes;
  return cursorStyle === undefined ? 0 : cursorShapes[cursorStyle] - (cursorBlink ? 1 : 0);
}

/** Modes that move no cursor. `isEolConverted` (LNM) and cursor visibility are told always: a reset leaves them as they are. */
export function modes(core: RawCore, isEolConverted: boolean): string {
  const { decPrivateModes: dec, modes: ansi, isCursorHidden } = core.coreService;
  const set: number[] = [];
  if (dec.applicationCursorKeys) set.push(1);
  if (dec.reverseWraparound) set.push(45);
  if (dec.applicationKeypad) set.push(66);
  const protocol = mouseProtocols[core.coreMouseService.activeProtocol];
  if (protocol) set.push(protocol);
  const encoding = mouseEncodings[core.coreMouseService.activeEncoding];
  if (encoding) set.push(encoding);
  if (dec.sendFocus) set.push(1004);
  if (dec.bracketedPasteMode) set.push(2004);
  if (dec.synchronizedOutput) set.push(2026);
  let out = isCursorHidden ? "\x1b[?25l" : "\x1b[?25h";
  if (set.length > 0) out += `\x1b[?${set.join(";")}h`;
  if (!dec.wraparound) out += "\x1b[?7l";
  if (ansi.insertMode) out += "\x1b[4h";
  out += isEolConverted ? "\x1b[20h" : "\x1b[20l";
  const shape = cursorShape(core);
  return shape === 0 ? out : `${out}\x1b[${shape} q`;
}

const shiftOf = ["\x0f", "\x0e", "\x1bn", "\x1bo"] as const;

/** G0 to G3 and which of them is in use. */
function charsets(core: RawCore): string {
  const { _charsets, glevel } = core._charsetService;
  let out = "";
  for (let g = 0; g < 4; g++) {
    const final = charsetFinal(_charsets[g]);
    if (final !== "B") out += `\x1b${"()*+"[g]}${final}`;
  }
  return glevel === 0 ? out : out + (shiftOf[glevel] ?? "");
}

/** The character before the cursor, if drawing it again would leave the cursor where it is now. */
function drawnLast(
  core: RawCore,
  line: RawLine,
  x: number,
): { head: number; text: string; firstWidth: number; look: Look; state: number } | undefined {
  if (x === 0) return undefined;
  const head = cellWidth(line, x - 1) === 0 && x > 1 ? x - 2 : x - 1;
  const text = cellText(line, head);
  if (text === "" || head + cellWidth(line, head) !== x) return undefined;
  const charProperties: CharProperties = (code, before) =>
    core.unicodeService.charProperties(code, before);
  const { state, width } = measure(text, charProperties);
  if (head + width !== x) return undefined;
  // A mark that widens a character takes a cell without inserting one.
  const firstWidth = measure(String.fromCodePoint(text.codePointAt(0) ?? 0), charProperties).width;
  return { head, text, firstWidth, look: cellLook(line, head), state: joinKey(state) };
}

function isEmptyRow(line: RawLine, cols: number): boolean {
  const look = cellLook(line, 0);
  for (let x = 0; x < cols; x++) {
    if (hasContent(line, x) || !sameLook(cellLook(line, x), look)) return false;
  }
  return sameLook(look, { ...plainLook, bg: look.bg });
}

/** Origin mode, charsets, cursor, pen: in the order in which none of them disturbs another. Ends exactly as the terminal stands. */
export function cursorAndPen(core: RawCore, grid: Grid, linkOf: LinkLookup): string {
  const buffer = core.buffers.active;
  const { cols, rows } = grid;
  const { x, y } = buffer;
  const isOrigin = core.coreService.decPrivateModes.origin;
  const isInsert = core.coreService.modes.insertMode;
  const line = buffer.lines.get(buffer.ybase + y);
  const look = penLook(core._inputHandler._curAttrData);
  const pen = new CellPen(linkOf);
  const state = joinKey(core._inputHandler._parser.precedingJoinState);
  const last = line && drawnLast(core, line, x);
  const top = isOrigin ? buffer.scrollTop : 0;
  const isReachable = !isOrigin || (y >= buffer.scrollTop && y <= buffer.scrollBottom);
  const at = (column: number) => cup(y - top, column);

  const isPending = x >= cols;
  let out = isOrigin ? "\x1b[?6h" : "";
  let isDrawn = false;
  const { charset, _charsets, glevel } = core._charsetService;
  if (charset !== _charsets[glevel] && charset === buffer.savedCharset) {
    // DECRC brought back a charset that is none of G0 to G3; it will again.
    out += `${charsets(core)}\x1b8\x1b[m`;
  } else if (isPending && isReachable && last && last.state !== state) {
    // Designations move no cursor, so they can follow a character that they would have changed.
    out += `${at(last.head)}${pen.moveTo(last.look)}${last.text}${charsets(core)}`;
    isDrawn = true;
  } else out += charsets(core);
  if (isDrawn) return `${out}${pen.moveTo(look)}${nothing}`;

  if (state !== 0 && last && last.state === state && isReachable) {
    // The last thing was this character: printed again at the very end, a combining mark or REP that follows finds it (SN2).
    if (
      sameLook(
        { ...last.look, urlId: 0 },
        { ...look, underlineColor: last.look.underlineColor, urlId: 0 },
      )
    ) {
      out += at(last.head);
      // In insert mode printing pushes the row to the right, so the cell makes room first.
      if (isInsert && x < cols) out += `\x1b[${last.firstWidth}P`;
      return out + pen.moveTo(look) + last.text;
    }
  }
  if (x < cols && isReachable) return out + at(x) + pen.moveTo(look);
  if (isPending && isReachable && last) {
    return out + at(last.head) + pen.moveTo(last.look) + last.text + pen.moveTo(look) + nothing;
  }
  if (isPending && isReachable && line && isEmptyRow(line, cols)) {
    const bg = cellLook(line, 0).bg;
    return `${out}${at(cols - 1)}${pen.moveToErase(bg)} \x1b[1K${pen.moveTo(look)}`;
  }
  if (buffer === core.buffers.normal) {
    // Changing buffers copies the cursor as it is, pending wrap and all, and the alternate screen is cleared on the way back.
    const there = `${cup(y, Math.min(x, cols - 1))}${isPending ? " " : ""}`;
    return `${out}\x1b[?47h${there}\x1b[?47l${pen.moveTo(look)}`;
  }
  return `${out}${cup(Math.min(Math.max(y - top, 0), rows - 1), Math.min(x, cols - 1))}${pen.moveTo(look)}`;
}
