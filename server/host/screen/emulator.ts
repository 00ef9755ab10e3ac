// Makes emulators: @xterm/headless with our options and width tables (SC4). The only file that loads the library's code.
import { createRequire } from "node:module";
import type { Terminal } from "@xterm/headless";
import { assert } from "#lib/base/assert.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import { limits } from "#lib/protocol/limits.ts";
import { resizeInPlace } from "#lib/terminal/resize-in-place.ts";

// `require` and not `import`: an import would be hoisted above the line that sets the pool size, in the bundle too.
const require = createRequire(import.meta.url);
const xterm = require("@xterm/headless") as typeof import("@xterm/headless");

// The add-on reads its table's header from the start of the memory block under a Buffer; Node hands out small Buffers in the
// middle of a shared one, so the header is garbage unless pooling is off while the module loads (B046). Remove when the
// add-on honours byteOffset.
const pooledBytes = Buffer.poolSize;
Buffer.poolSize = 0;
const graphemes =
  require("@xterm/addon-unicode-graphemes") as typeof import("@xterm/addon-unicode-graphemes");
Buffer.poolSize = pooledBytes;

/** The name under which the add-on registers its table; browsers activate the same one. */
export const unicodeVersion = "15-graphemes";

/**
 * Scrollback lines that a grid of `size` may keep: as asked, but never more cells than `limits.screenCells` in all, and at least
 * one: with none the library's reflow loses a row of the viewport and throws at the next line feed (6.0.0).
 */
export function scrollbackFor(size: GridSize, wanted: number): number {
  const lines = Math.floor(limits.screenCells / size.cols) - size.rows;
  return Math.max(1, Math.min(wanted, limits.scrollbackLines.max, lines));
}

export function createEmulator(size: GridSize, scrollback: number): Terminal {
  const terminal = new xterm.Terminal({
    cols: size.cols,
    rows: size.rows,
    scrollback,
    allowProposedApi: true,
    logLevel: "off",
    // Without these the library drops the sequences before our own handlers see them (see replies.ts, titles.ts).
    windowOptions: { getWinSizeChars: true, pushTitle: true, popTitle: true },
  });
  // The add-on's typings name the browser's Terminal; it uses nothing but `unicode`.
  terminal.loadAddon(new graphemes.UnicodeGraphemesAddon() as never);
  assert(
    terminal.unicode.activeVersion === unicodeVersion,
    "the grapheme add-on names its table 15-graphemes",
  );
  return terminal;
}

/** `wanted`: lines of scrollback, as at its making. */
export function resizeEmulator(terminal: Terminal, size: GridSize, wanted: number): void {
  const scrollback = scrollbackFor(size, wanted);
  // Lines are given up before they grow and added after they shrank, so that the cells never exceed the limit.
  if (scrollback < (terminal.options.scrollback ?? 0)) terminal.options.scrollback = scrollback;
  resizeInPlace(terminal, size);
  terminal.options.scrollback = scrollback;
}
