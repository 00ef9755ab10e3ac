// Serialises an emulator (SN1): output that, written to a freshly reset terminal of the same size, makes the same terminal. Says in
// which order; rows and state have their own files. Contains no query and no clipboard request (T8D).
import type { Terminal } from "@xterm/headless";
import { concatBytes, utf8 } from "#lib/base/bytes.ts";
import type { Clock } from "#lib/base/clock.ts";
import type { LinkLookup } from "./cell-pen.ts";
import { RowWriter } from "./row-writer.ts";
import {
  cursorAndPen,
  modes,
  savedCursor,
  savedHere,
  savedOnAlternate,
  scrollRegion,
  tabStops,
} from "./state-writer.ts";
import type { RawBuffer, RawCore } from "./xterm-internals.ts";

/** Size of one piece of scrollback, in characters of its sequences. */
const pieceChars = 64 * 1024;
/** Longest work in one go; the promise is 10 ms, and one row more can cost a few (SN4). */
const sliceMs = 6;

export interface SnapshotSource {
  readonly terminal: Terminal;
  /** Of the terminal, as it is to be shown. */
  readonly core: RawCore;
  readonly clock: Clock;
  /** Sequences for what the emulator's own state does not hold: title, colours, modes it does not support. */
  readonly extras: string;
  /** Bytes of a sequence or character that has begun (see UnfinishedInput). */
  readonly unfinished: Uint8Array;
}

export interface SerialisedTerminal {
  readonly screen: Uint8Array;
  readonly history: readonly Uint8Array[];
}

/** Longer lines than this are not looked through twice. */
const longestLineRows = 64;

/** CAN ends whatever the receiving parser was in the middle of; the rest is the plain pen. None of it moves the cursor. */
const begin = "\x18\x1b[m\x1b]8;;\x1b\\";

/**
 * The terminal must not change until this resolves. `early` is given the screen as soon as it is known, while the scrollback above it
 * (much more work) is still to be drawn; it is not called when there is none, or when the screen cannot be told before it.
 */
export async function serialise(
  source: SnapshotSource,
  early: (screen: Uint8Array) => void = () => {},
): Promise<SerialisedTerminal> {
  const { terminal, core, clock } = source;
  const grid = { cols: terminal.cols, rows: terminal.rows };
  const { normal, alt, active } = core.buffers;
  const linkOf: LinkLookup = (urlId) => core._oscLinkService.getLinkData(urlId);
  const newWriter = () =>
    new RowWriter(grid, (code, before) => core.unicodeService.charProperties(code, before), linkOf);

  let sliceEnds = clock.monotonic() + sliceMs;
  const breathe = async () => {
    await new Promise<void>((resolve) => setImmediate(resolve));
    sliceEnds = clock.monotonic() + sliceMs;
  };
  const drawRow = (
    writer: RowWriter,
    buffer: RawBuffer,
    index: number,
    isLast: boolean,
    aside = "",
  ): boolean => {
    const line = buffer.lines.get(index);
    // Past its end the library's ring of lines begins again.
    const next = index + 1 < buffer.lines.length ? buffer.lines.get(index + 1) : undefined;
    return line !== undefined && writer.row(line, next, isLast, aside);
  };
  const beginRows = (writer: RowWriter, buffer: RawBuffer) => {
    const first = buffer === normal ? 0 : buffer.ybase;
    if (buffer.lines.get(first)?.isWrapped) writer.beginAsContinuation();
  };

  // What DECSC saved is a line counted from the oldest one. It can be in the scrollback, or below the screen after the scrollback was
  // cleared; the viewport alone cannot say either, so then the row is made where it is (or was).
  const isSavedAbove = normal.savedY < normal.ybase;
  const isSavedBelow = normal.savedY >= normal.ybase + grid.rows;
  let isSaved = false;
  const saveBelow = () => {
    isSaved = isSavedBelow;
    if (!isSavedBelow) return "";
    return `${"\n".repeat(normal.savedY)}${savedHere(normal, grid)}\x1b[3J\x1b[2J\x1b[H`;
  };

  /** A row of the scrollback; where the saved cursor stands on it, that is said in passing. */
  const drawAbove = (target: RowWriter, index: number): void => {
    const isHere = isSavedAbove && index === normal.savedY;
    const isSaid = drawRow(target, normal, index, false, isHere ? savedHere(normal, grid) : "");
    if (isHere) isSaved = isSaid;
  };
  const drawHistory = async (): Promise<{ above: RowWriter; history: Uint8Array[] }> => {
    const history: Uint8Array[] = [];
    const above = newWriter();
    if (normal.ybase === 0) return { above, history };
    above.raw(begin + saveBelow());
    beginRows(above, normal);
    for (let index = 0; index < normal.ybase; index++) {
      drawAbove(above, index);
      if (above.length >= pieceChars) history.push(utf8(above.take()));
      if (clock.monotonic() > sliceEnds) await breathe();
    }
    history.push(utf8(above.take()));
    return { above, history };
  };
  /** First row of the line that `index` belongs to, or null when it is too far up to look for. */
  const lineStart = (index: number): number | null => {
    for (let at = index; index - at < longestLineRows; at--)
      if (at === 0 || !normal.lines.get(at)?.isWrapped) return at;
    return null;
  };
  /** Draws, for nothing, only the line that ends at `index`: that alone decides how the drawing stands behind it. */
  const drawLineUpTo = (index: number): RowWriter | null => {
    const start = lineStart(index);
    if (start === null) return null;
    const rehearsal = newWriter();
    if (start === 0) beginRows(rehearsal, normal);
    for (let at = start; at <= index; at++) drawAbove(rehearsal, at);
    return rehearsal;
  };
  /** How the drawing of the scrollback will end, without it: where its last line ends, and whether it said the saved cursor. */
  const rehearseHistory = (): RowWriter | null => {
    if (isSavedBelow) isSaved = true;
    if (isSavedAbove && !drawLineUpTo(normal.savedY)) return null;
    return drawLineUpTo(normal.ybase - 1);
  };

  const rehearsed = normal.ybase > 0 ? rehearseHistory() : null;
  if (rehearsed) {
    const screen = await drawAll(rehearsed);
    early(screen);
    return { screen, history: (await drawHistory()).history };
  }
  const { above, history } = await drawHistory();
  return { screen: await drawAll(above), history };

  async function drawAll(end: RowWriter): Promise<Uint8Array> {
    const writer = newWriter();
    const usedSavedCursor = writer.continueFrom(end);
    writer.raw(begin);
    if (normal.ybase === 0) {
      writer.raw(saveBelow());
      beginRows(writer, normal);
    }
    const drawScreen = async (target: RowWriter, buffer: RawBuffer) => {
      for (let y = 0; y < grid.rows; y++) {
        drawRow(target, buffer, buffer.ybase + y, y === grid.rows - 1);
        if (clock.monotonic() > sliceEnds) await breathe();
      }
      target.raw(begin.slice(1));
    };
    /** Tab stops before the region: setting that is what moves the cursor home. */
    const bufferState = (buffer: RawBuffer) =>
      tabStops(buffer, grid.cols) + scrollRegion(buffer, grid.rows);

    await drawScreen(writer, normal);
    if (usedSavedCursor) writer.raw(savedCursor(normal, grid) || "\x1b[H\x1b7");
    else if (!isSaved) writer.raw(savedCursor(normal, grid));
    writer.raw(savedOnAlternate(alt, grid));
    writer.raw(bufferState(normal));
    if (active === alt) {
      // The cursor of the normal screen is overwritten on the way back, but a resize goes by its row.
      writer.raw(`\x1b[${normal.y + 1};${Math.min(normal.x, grid.cols - 1) + 1}H\x1b[?47h\x1b[H`);
      const front = newWriter();
      beginRows(front, alt);
      await drawScreen(front, alt);
      writer.raw(front.take());
      writer.raw(bufferState(alt));
    }
    writer.raw(source.extras);
    writer.raw(modes(core, terminal.options.convertEol === true));
    if (terminal.options.cursorBlink) writer.raw("\x1b[?12h");
    writer.raw(cursorAndPen(core, grid, linkOf));
    return concatBytes([utf8(writer.take()), source.unfinished]);
  }
}
