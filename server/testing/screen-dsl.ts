// Screens in tests: make one from bytes, make a viewer from a snapshot, and say in words where two terminals differ. The viewer is the
// library as a browser has it: none of our hooks but the ones a viewer must have.
import type { Terminal } from "@xterm/headless";
import { concatBytes, emptyBytes, utf8 } from "#lib/base/bytes.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import { eraseAboveSafely } from "#lib/terminal/erase-above.ts";
import { keepLinks } from "#lib/terminal/link-table.ts";
import {
  type LinkLookup,
  type Look,
  lookOf,
  penLook,
  sameLook,
} from "#server/host/screen/cell-pen.ts";
import { cellLook, cellText, cellWidth } from "#server/host/screen/cells.ts";
import { createEmulator, scrollbackFor } from "#server/host/screen/emulator.ts";
import { joinKey } from "#server/host/screen/grapheme-state.ts";
import { Screen } from "#server/host/screen/screen.ts";
import type { Snapshot } from "#server/host/screen/screen-api.ts";
import { incompleteUtf8Tail } from "#server/host/screen/utf8-boundary.ts";
import { coreOf, type RawBuffer, type RawLine } from "#server/host/screen/xterm-internals.ts";

const defaultScrollback = 1_000;

function bytesOf(data: string | Uint8Array): Uint8Array {
  return typeof data === "string" ? utf8(data) : data;
}

/** Writes and waits until all of it is on the screen. */
export function feed(screen: Screen, data: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => screen.write(bytesOf(data), resolve));
}

/** A screen that has parsed `data`. Dispose it. */
export async function screenOf(
  data: string | Uint8Array,
  size: GridSize,
  scrollback = defaultScrollback,
): Promise<Screen> {
  const screen = new Screen({ size, scrollback });
  await feed(screen, data);
  return screen;
}

/** A terminal as a browser has it. Written to synchronously. */
export class Viewer {
  readonly terminal: Terminal;
  /** Whatever the terminal answered by itself; a browser would have to swallow it. */
  answered = "";
  private heldBack: Uint8Array = emptyBytes;

  constructor(size: GridSize, scrollback = defaultScrollback) {
    this.terminal = createEmulator(size, scrollbackFor(size, scrollback));
    this.terminal.onData((data) => {
      this.answered += data;
    });
    eraseAboveSafely(this.terminal);
    keepLinks(this.terminal);
  }

  write(data: string | Uint8Array): void {
    const all = concatBytes([this.heldBack, bytesOf(data)]);
    const end = all.length - incompleteUtf8Tail(all);
    this.heldBack = all.slice(end);
    if (end === 0) return;
    this.terminal.input("", true);
    this.terminal.write(all.subarray(0, end));
  }

  dispose(): void {
    this.terminal.dispose();
  }
}

/** A viewer that was given `snapshot`; `screenOnly` leaves the scrollback out. Dispose it. */
export function viewerOf(
  snapshot: Snapshot,
  options: { scrollback?: number; screenOnly?: boolean } = {},
): Viewer {
  const viewer = new Viewer(snapshot.size, options.scrollback);
  viewer.terminal.reset();
  if (!options.screenOnly) for (const piece of snapshot.history) viewer.write(piece);
  viewer.write(snapshot.screen);
  return viewer;
}

type Comparable = Screen | Viewer | Terminal;

function terminalOf(side: Comparable): Terminal {
  if (side instanceof Screen) return side.emulator;
  return side instanceof Viewer ? side.terminal : side;
}

export interface CompareOptions {
  /** Compare the viewport only, not the scrollback. */
  readonly screenOnly?: boolean;
  /** At most so many differences are listed. */
  readonly limit?: number;
}

/** Where two terminals differ, one sentence each; empty when they are the same in everything that can be seen or felt later. */
export function compareTerminals(
  left: Comparable,
  right: Comparable,
  options: CompareOptions = {},
): string[] {
  const a = terminalOf(left);
  const b = terminalOf(right);
  const found: string[] = [];
  const note = (what: string, x: unknown, y: unknown) => {
    const [p, q] = [JSON.stringify(x), JSON.stringify(y)];
    if (p !== q) found.push(`${what}: ${p} / ${q}`);
  };
  const [coreA, coreB] = [coreOf(a), coreOf(b)];
  note("size", [a.cols, a.rows], [b.cols, b.rows]);
  note("active buffer", a.buffer.active.type, b.buffer.active.type);
  note("modes", a.modes, b.modes);
  const rest = (terminal: Terminal) => {
    const core = coreOf(terminal);
    const { cursorStyle, cursorBlink } = core.coreService.decPrivateModes;
    return {
      hidden: core.coreService.isCursorHidden,
      shape: [cursorStyle ?? null, cursorBlink ?? null],
      encoding: core.coreMouseService.activeEncoding,
      glevel: core._charsetService.glevel,
      charset: core._charsetService.charset ?? null,
      charsets: [0, 1, 2, 3].map((g) => core._charsetService._charsets[g] ?? null),
      eol: terminal.options.convertEol,
      join: joinKey(core._inputHandler._parser.precedingJoinState),
      parser: core._inputHandler._parser.currentState,
    };
  };
  note("state", rest(a), rest(b));
  const penOf = (terminal: Terminal) => {
    const core = coreOf(terminal);
    return withUri(penLook(core._inputHandler._curAttrData), (id) =>
      core._oscLinkService.getLinkData(id),
    );
  };
  note("pen", penOf(a), penOf(b));
  for (const name of ["normal", "alt"] as const) {
    const [bufferA, bufferB] = [coreA.buffers[name], coreB.buffers[name]];
    // A line saved above or below the viewport cannot be told without the scrollback.
    const savedAt = bufferA.savedY - bufferA.ybase;
    const withSaved = !options.screenOnly || (savedAt >= 0 && savedAt < a.rows);
    note(`${name} state`, stateOf(bufferA, a, withSaved), stateOf(bufferB, b, withSaved));
    if (name === "alt" && coreA.buffers.active !== coreA.buffers.alt) continue;
    const viewportOnly = name === "alt" || options.screenOnly === true;
    compareRows(name, [bufferA, a], [bufferB, b], viewportOnly, found);
  }
  const { limit = 12 } = options;
  return found.length > limit
    ? [...found.slice(0, limit), `... and ${found.length - limit} more`]
    : found;
}

function withUri(look: Look, linkOf: LinkLookup): unknown {
  const { urlId, ...shown } = look;
  return { ...shown, uri: (urlId && linkOf(urlId)?.uri) || null };
}

function stateOf(buffer: RawBuffer, terminal: Terminal, withSaved: boolean): unknown {
  const core = coreOf(terminal);
  const isActive = buffer === core.buffers.active;
  const saved = buffer.savedCurAttrData;
  return {
    // The cursor of the buffer that is not shown is overwritten before it matters.
    cursor: isActive ? [buffer.x, buffer.y] : null,
    region: [buffer.scrollTop, buffer.scrollBottom],
    tabs: Array.from({ length: terminal.cols }, (_, x) => (buffer.tabs[x] ? "T" : ".")).join(""),
    saved: withSaved && [
      Math.min(buffer.savedX, terminal.cols - 1),
      Math.min(Math.max(buffer.savedY - buffer.ybase, 0), terminal.rows - 1),
      lookOf(saved.fg, saved.bg, undefined),
      buffer.savedCharset ?? null,
    ],
  };
}

function compareRows(
  name: string,
  [a, terminalA]: [RawBuffer, Terminal],
  [b, terminalB]: [RawBuffer, Terminal],
  viewportOnly: boolean,
  found: string[],
): void {
  if (!viewportOnly && a.lines.length !== b.lines.length) {
    found.push(`${name} lines: ${a.lines.length} / ${b.lines.length}`);
    return;
  }
  const count = viewportOnly ? terminalA.rows : a.lines.length;
  for (let i = 0; i < count; i++) {
    const rowA = a.lines.get(viewportOnly ? a.ybase + i : i);
    const rowB = b.lines.get(viewportOnly ? b.ybase + i : i);
    if (!rowA || !rowB) {
      found.push(`${name} row ${i} is missing`);
      continue;
    }
    const where = `${name} row ${viewportOnly ? i : i - a.ybase}`;
    if (rowA.isWrapped !== rowB.isWrapped && !(viewportOnly && i === 0)) {
      found.push(`${where} wrapped: ${rowA.isWrapped} / ${rowB.isWrapped}`);
    }
    for (let x = 0; x < terminalA.cols; x++) compareCell(where, x, rowA, rowB);
  }
  function compareCell(where: string, x: number, rowA: RawLine, rowB: RawLine): void {
    const [textA, textB] = [cellText(rowA, x), cellText(rowB, x)];
    const [widthA, widthB] = [cellWidth(rowA, x), cellWidth(rowB, x)];
    if (textA !== textB || widthA !== widthB) {
      found.push(
        `${where} cell ${x}: ${JSON.stringify(textA)} (${widthA}) / ${JSON.stringify(textB)} (${widthB})`,
      );
    }
    const [lookA, lookB] = [cellLook(rowA, x), cellLook(rowB, x)];
    if (lookA.urlId === 0 && lookB.urlId === 0 && sameLook(lookA, lookB)) return;
    const shown = (look: Look, terminal: Terminal) =>
      JSON.stringify(withUri(look, (id) => coreOf(terminal)._oscLinkService.getLinkData(id)));
    const [p, q] = [shown(lookA, terminalA), shown(lookB, terminalB)];
    if (p !== q) found.push(`${where} cell ${x} look: ${p} / ${q}`);
  }
}
