// How our xterm differs from one out of the box, and which of its options follow the person's preferences.
import { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";
import { type ITerminalOptions, Terminal } from "@xterm/xterm";
import { limits } from "#lib/protocol/limits.ts";
import { eraseAboveSafely } from "#lib/terminal/erase-above.ts";
import { keepLinks } from "#lib/terminal/link-table.ts";
import { fontFamily } from "./terminal-frame.ts";
import type { TerminalPreferences } from "./terminal-status.ts";
import { contrastFloor, themes } from "./themes.ts";

export function newTerminal(preferences: TerminalPreferences): Terminal {
  const terminal = new Terminal({
    // The unicode add-on and decorations are "proposed" in xterm's words; the version is pinned.
    allowProposedApi: true,
    logLevel: "off",
    // A click is no typing (LS2): it must not send arrow keys.
    altClickMovesCursor: false,
    scrollback: limits.scrollbackLines.default,
    fontFamily,
    lineHeight: 1.2,
    rightClickSelectsWord: false,
    macOptionClickForcesSelection: true,
    cursorBlink: false,
    smoothScrollDuration: 0,
    ...optionsFor(preferences),
  });
  // Before the first byte: the widths of what is already drawn do not change any more (SC4).
  terminal.loadAddon(new UnicodeGraphemesAddon());
  eraseAboveSafely(terminal);
  keepLinks(terminal);
  return terminal;
}

export function optionsFor(preferences: TerminalPreferences): ITerminalOptions {
  return {
    theme: themes[preferences.theme],
    minimumContrastRatio: contrastFloor[preferences.theme],
    screenReaderMode: preferences.screenReader,
  };
}
