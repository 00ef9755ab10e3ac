// The modes that decide what a terminal sends for keys, pastes, the mouse and focus, as output that brings any terminal to them. Pure.
import type { Modes } from "#lib/protocol/screen.ts";

const tracking = { off: 0, x10: 9, normal: 1000, button_event: 1002, any_event: 1003 } as const;
const encodings = { default: 0, utf8: 1005, sgr: 1006, urxvt: 1015, sgr_pixels: 1016 } as const;

/** No reports of the mouse, in no encoding: setting one does not end the others everywhere. */
export const mouseOff =
  "\x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?1016l";

/** Absolute: whatever was set before. Says nothing about how things look. */
export function inputModes(modes: Modes): string {
  const mouse = tracking[modes.mouse];
  const encoding = encodings[modes.mouse_encoding];
  const set = (number: number, isSet: boolean) => `\x1b[?${number}${isSet ? "h" : "l"}`;
  return (
    set(1, modes.app_cursor_keys) +
    (modes.app_keypad ? "\x1b=" : "\x1b>") +
    set(2004, modes.bracketed_paste) +
    set(1004, modes.focus_reporting) +
    mouseOff +
    (mouse ? set(mouse, true) : "") +
    (encoding ? set(encoding, true) : "")
  );
}
