// What a browser's terminal may send that nobody typed (AT3): mouse and focus reports, and only those the program asked for.
// Everything else claiming to be a report is a way around the rules for typing, and nothing of it is written.
import type { Modes } from "#lib/protocol/screen.ts";

type ReportModes = Pick<Modes, "mouse" | "mouse_encoding" | "focus_reporting">;

const sgr = /^\x1b\[<(\d{1,4});(\d{1,5});(\d{1,5})([Mm])/;
const urxvt = /^\x1b\[(\d{1,4});(\d{1,5});(\d{1,5})M/;
/** Button and coordinates as one byte each, 32 added; nothing below is a report, and it could be a control. */
const x10 = /^\x1b\[M([\x20-\xff])([\x21-\xff])([\x21-\xff])/;
/** Coordinates as UTF-8 (mode 1005), here as one character per byte. */
const utf8Mouse =
  /^\x1b\[M([\x20-\x7f]|[\xc2-\xdf][\x80-\xbf])([\x21-\x7f]|[\xc2-\xdf][\x80-\xbf])([\x21-\x7f]|[\xc2-\xdf][\x80-\xbf])/;
const focus = /^\x1b\[[IO]/;

/** The bytes of `data` (one character per byte, one or more reports) or null when any part is not a report the program asked for. */
export function reportBytes(data: string, modes: ReportModes): Uint8Array | null {
  if (data.length === 0) return null;
  let rest = data;
  while (rest.length > 0) {
    const length = reportLength(rest, modes);
    if (length === 0) return null;
    rest = rest.slice(length);
  }
  return Uint8Array.from(data, (character) => character.charCodeAt(0));
}

/** Focus reports and nothing else: a terminal sends them without anybody's doing. */
export function isFocusReport(data: string): boolean {
  return /^(?:\x1b\[[IO])+$/.test(data);
}

/** Length of the report that `text` begins with; 0 when there is none. */
function reportLength(text: string, modes: ReportModes): number {
  if (modes.focus_reporting && focus.test(text)) return 3;
  if (modes.mouse === "off") return 0;
  switch (modes.mouse_encoding) {
    case "sgr":
    case "sgr_pixels": {
      const match = sgr.exec(text);
      if (!match || !isAsked(Number(match[1]), match[4] === "m", modes)) return 0;
      return match[0].length;
    }
    case "urxvt": {
      const match = urxvt.exec(text);
      if (!match || !isAsked(Number(match[1]) - 32, (Number(match[1]) & 3) === 3, modes)) return 0;
      return match[0].length;
    }
    case "default":
    case "utf8": {
      const match = (modes.mouse_encoding === "utf8" ? utf8Mouse : x10).exec(text);
      if (!match?.[1]) return 0;
      const code = codeOf(match[1]) - 32;
      return isAsked(code, (code & 3) === 3, modes) ? match[0].length : 0;
    }
  }
}

/** One character per byte: a single byte, or two of UTF-8. */
function codeOf(bytes: string): number {
  if (bytes.length === 1) return bytes.charCodeAt(0);
  return ((bytes.charCodeAt(0) & 0x1f) << 6) | (bytes.charCodeAt(1) & 0x3f);
}

/** Whether the tracking mode reports this event. `code`: bits 0-1 button (3: none), 2-4 modifiers, 5 motion, 6-7 wheel and more. */
function isAsked(code: number, isRelease: boolean, modes: ReportModes): boolean {
  if (code < 0) return false;
  const isMotion = (code & 32) !== 0;
  const isWheel = (code & 192) !== 0;
  switch (modes.mouse) {
    case "off":
      return false;
    case "x10":
      return code < 3 && !isRelease;
    case "normal":
      return !isMotion;
    case "button_event":
      return !isMotion || isWheel || (code & 3) !== 3;
    case "any_event":
      return true;
  }
}
