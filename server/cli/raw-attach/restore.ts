// What is written to a person's terminal before a session is drawn on it and after it, so that it is as it was. Pure.
import type { GuestFacts } from "#lib/terminal/guest-stream.ts";

/** How the session is drawn: its own bytes on the person's screen, or pictures on the alternate one. */
export type ViewKind = "live" | "frames";

const keepTitle = "\x1b[22;0t";
const titleBack = "\x1b[23;0t";

/**
 * Everything a program may have set, off: an unfinished sequence, synchronised output, mouse, focus and paste reports, application keys, insert and
 * newline mode, reverse video, wrapping on, colours and links, character sets, keyboard protocols; the cursor shown in its own shape. Moves nothing.
 */
export const modesOff = [
  "\x18\x1b[?2026l",
  "\x1b[?1;5;9;45;66;1000;1001;1002;1003;1004;1005;1006;1015;1016;2004l",
  "\x1b>\x1b[4;20l\x1b[?7h",
  "\x1b[m\x1b]8;;\x1b\\\x1b(B\x1b)B\x0f",
  "\x1b[ q\x1b[?25h",
].join("");

/** At the very beginning. The title is put on the terminal's stack. */
export function begun(): string {
  return keepTitle;
}

/** What is on the screen moves into the scrollback, where the person finds it again. */
export function screenKept(rows: number): string {
  return `\x1b[${rows};1H${"\n".repeat(rows)}\x1b[H`;
}

/** Before a snapshot is drawn, which counts on a terminal as after a reset. */
export function blank(facts: GuestFacts): string {
  const alternate = facts.isAlternate ? "\x1b[?1049l" : "";
  return `${alternate}${modesOff}\x1b[?69l\x1b[r\x1b[?6l\x1b[H\x1b[2J`;
}

/** After the last byte of a view. */
export function viewEnded(kind: ViewKind, facts: GuestFacts, rows: number): string {
  if (kind === "frames") return `${modesOff}\x1b[?1049l${modesOff}`;
  const screen = facts.isAlternate ? "\x1b[?1049l" : "";
  // Margins cannot be undone without moving the cursor; without any it stays where the program left it.
  const margins = facts.hasMargins ? `\x1b[?69l\x1b[r\x1b[?6l\x1b[${rows};1H` : "";
  const colours = facts.hasColours
    ? "\x1b]104\x1b\\\x1b]110\x1b\\\x1b]111\x1b\\\x1b]112\x1b\\"
    : "";
  return `${modesOff}${screen}${modesOff}${margins}${colours}`;
}

/**
 * At the very end. After a session's own bytes the shell goes on below them: a row of blanks leads to the beginning of the next row, or of this
 * one when the cursor stands there already.
 */
export function ended(kind: ViewKind | null, cols: number): string {
  return `${titleBack}${kind === "live" ? `${" ".repeat(cols)}\r\x1b[J` : ""}`;
}

export function framesBegun(): string {
  return "\x1b[?1049h\x1b[H\x1b[2J";
}

/** In the bottom row; the next picture or snapshot draws over it. */
export function notice(text: string, size: { cols: number; rows: number }): string {
  const shown = ` ${text} `.slice(0, Math.max(0, size.cols - 1));
  return `\x1b7\x1b[?6l\x1b[${size.rows};1H\x1b[0;7m${shown}\x1b[0m\x1b[K\x1b8`;
}
