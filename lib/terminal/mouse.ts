// Mouse events to the bytes a terminal reports them with (MS1, MS2), in the encoding that is really on, or the reason why there are none.
// https://invisible-island.net/xterm/ctlseqs/ctlseqs.html#h2-Mouse-Tracking
import { assertNever } from "#lib/base/assert.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import type { MouseEvent, MouseReason } from "#lib/protocol/mouse.ts";
import type { Modes } from "#lib/protocol/screen.ts";

export type MouseModes = Pick<Modes, "mouse" | "mouse_encoding">;

export type EncodedMouse =
  | {
      kind: "bytes";
      /** One report, or two for a click. */
      bytes: Uint8Array;
      reports: 1 | 2;
    }
  | { kind: "refused"; reason: MouseReason; detail: string }
  /** The cell is not on the screen. */
  | { kind: "outside"; field: "x" | "y"; detail: string };

/** One report before it is encoded. `code`: button, 3 for none; 4 8 16 modifiers; 32 motion; 64 wheel. */
interface Report {
  code: number;
  isRelease: boolean;
}

const buttons = { left: 0, middle: 1, right: 2, "wheel-up": 64, "wheel-down": 65 } as const;
const modifierBits = { shift: 4, alt: 8, ctrl: 16 } as const;
const motion = 32;
const noButton = 3;

/** `modes` and `size` are those of the moment at which the bytes are written. */
export function encodeMouse(event: MouseEvent, modes: MouseModes, size: GridSize): EncodedMouse {
  if (event.x >= size.cols) return outside("x", event.x, `${size.cols} columns`);
  if (event.y >= size.rows) return outside("y", event.y, `${size.rows} rows`);
  const unreported = whyUnreported(event, modes);
  if (unreported) return unreported;
  const parts: number[] = [];
  const reports = reportsOf(event);
  for (const report of reports) {
    const bytes = reportBytes(report, event, modes.mouse_encoding);
    if (!bytes) return refused("cell_not_encodable", `${where(event)} ${notEncodable(modes)}`);
    parts.push(...bytes);
  }
  return { kind: "bytes", bytes: Uint8Array.from(parts), reports: reports.length === 2 ? 2 : 1 };
}

function reportsOf({ type, button = "left", modifiers = [] }: MouseEvent): Report[] {
  const held = modifiers.reduce((bits, modifier) => bits | modifierBits[modifier], 0);
  const code = buttons[button] | held;
  const press = { code, isRelease: false };
  const release = { code, isRelease: true };
  switch (type) {
    case "press":
    case "scroll":
      return [press];
    case "release":
      return [release];
    case "click":
      return [press, release];
    case "drag":
      return [{ code: code | motion, isRelease: false }];
    case "move":
      return [{ code: noButton | held | motion, isRelease: false }];
    default:
      return assertNever(type);
  }
}

function whyUnreported(event: MouseEvent, { mouse, mouse_encoding }: MouseModes) {
  const { type, modifiers = [] } = event;
  if (mouse === "off") {
    return refused("tracking_off", "the program asked for no mouse events");
  }
  if (mouse === "x10" && (type !== "press" || modifiers.length > 0)) {
    const what = type === "press" ? "no modifiers" : `no ${type}`;
    return refused("presses_only", `X10 tracking reports presses alone, and ${what}`);
  }
  if (type === "move" && mouse !== "any_event") {
    return refused("move_not_reported", "the program asked for no moves without a button (1003)");
  }
  if (type === "drag" && mouse === "normal") {
    return refused("drag_not_reported", "the program asked for no drags (1002 or 1003)");
  }
  if (mouse_encoding === "sgr_pixels") {
    return refused("pixels_wanted", "the program asked for pixels (1016); cells here have no size");
  }
  return null;
}

/** Null when the encoding has no form for the cell. */
function reportBytes(
  { code, isRelease }: Report,
  { x, y }: { x: number; y: number },
  encoding: Modes["mouse_encoding"],
): readonly number[] | null {
  // Only the SGR encodings say which button was released.
  const old = (isRelease ? (code & ~3) | noButton : code) + 32;
  switch (encoding) {
    case "sgr":
    case "sgr_pixels":
      return ascii(`\x1b[<${code};${x + 1};${y + 1}${isRelease ? "m" : "M"}`);
    case "urxvt":
      return ascii(`\x1b[${old};${x + 1};${y + 1}M`);
    case "default":
      // One raw byte each, never UTF-8 (B074).
      return x > 222 || y > 222 ? null : [...ascii("\x1b[M"), old, x + 33, y + 33];
    case "utf8":
      // Two bytes end at 2,047; no screen is that large, but the bound is the encoding's.
      if (x + 33 > 0x7ff || y + 33 > 0x7ff) return null;
      return [...ascii("\x1b[M"), old, ...utf8Of(x + 33), ...utf8Of(y + 33)];
    default:
      return assertNever(encoding);
  }
}

function utf8Of(value: number): number[] {
  return value < 0x80 ? [value] : [0xc0 | (value >> 6), 0x80 | (value & 0x3f)];
}

function ascii(text: string): number[] {
  return Array.from(text, (character) => character.charCodeAt(0));
}

function where({ x, y }: MouseEvent): string {
  return `column ${x}, row ${y}`;
}

function notEncodable({ mouse_encoding }: MouseModes): string {
  return mouse_encoding === "default"
    ? "lies beyond 222, the last that the program's encoding can name (it did not ask for SGR, 1006)"
    : "lies beyond what the program's encoding can name";
}

function refused(reason: MouseReason, detail: string): EncodedMouse & { kind: "refused" } {
  return { kind: "refused", reason, detail };
}

function outside(field: "x" | "y", value: number, size: string): EncodedMouse {
  return { kind: "outside", field, detail: `must be below ${size}, not ${value}` };
}
