// The attributes a receiving terminal draws with, and the shortest sequences that change them: SGR, DECSCA and OSC 8. Pure; knows
// the emulator's bit layout (src/common/buffer/Constants.ts of the library) and no positions.
import type { RawAttributes, RawExtended } from "./xterm-internals.ts";

const colorModeMask = 0x3000000;
const palette16 = 0x1000000;
const palette256 = 0x2000000;
const rgbMask = 0xffffff;

const fgFlag = {
  inverse: 0x4000000,
  bold: 0x8000000,
  underline: 0x10000000,
  blink: 0x20000000,
  invisible: 0x40000000,
  strikethrough: 0x80000000,
} as const;

const bgFlag = {
  italic: 0x4000000,
  dim: 0x8000000,
  extended: 0x10000000,
  protected: 0x20000000,
  overline: 0x40000000,
} as const;

/** The background word says that a cell has more than two words of attributes: a link, an underline's style or colour. */
export const extendedFlag: number = bgFlag.extended;

/** Longest link that is worth passing on (T84). */
const maxLinkChars = 2_083;

/** A cell's looks with nothing in it that does not show: colours without leftovers of earlier ones, one word per flag set. */
export interface Look {
  /** Colour mode and value only. */
  readonly fg: number;
  readonly bg: number;
  readonly underline: number;
  readonly underlineColor: number;
  /** bold italic dim inverse invisible blink strikethrough overline protected, one bit each. */
  readonly flags: number;
  readonly urlId: number;
}

export const plainLook: Look = {
  fg: 0,
  bg: 0,
  underline: 0,
  underlineColor: 0,
  flags: 0,
  urlId: 0,
};

/** Colour bits without the leftovers that a palette colour set over an RGB one leaves in the word. */
function colorOf(word: number): number {
  const mode = word & colorModeMask;
  if (mode === 0) return 0;
  return mode | (word & (mode === colorModeMask ? rgbMask : 0xff));
}

const sgrOfFlag: readonly string[] = ["1", "3", "2", "7", "8", "5", "9", "53"];
const protectedFlag = 1 << 8;

/** `extended` counts only where the background word says so. */
export function lookOf(fg: number, bg: number, extended: RawExtended | undefined): Look {
  if (fg === 0 && bg === 0) return plainLook;
  const counted = (bg & bgFlag.extended) !== 0 ? extended : undefined;
  const style = counted ? (counted._ext >>> 26) & 7 : 0;
  const underline = fg & fgFlag.underline ? style || 1 : 0;
  return {
    fg: colorOf(fg),
    bg: colorOf(bg),
    underline,
    underlineColor: counted && underline ? colorOf(counted.underlineColor) : 0,
    flags:
      (fg & fgFlag.bold ? 1 : 0) |
      (bg & bgFlag.italic ? 2 : 0) |
      (bg & bgFlag.dim ? 4 : 0) |
      (fg & fgFlag.inverse ? 8 : 0) |
      (fg & fgFlag.invisible ? 16 : 0) |
      (fg & fgFlag.blink ? 32 : 0) |
      (fg & fgFlag.strikethrough ? 64 : 0) |
      (bg & bgFlag.overline ? 128 : 0) |
      (bg & bgFlag.protected ? protectedFlag : 0),
    urlId: counted?.urlId ?? 0,
  };
}

/** The pen's look. Unlike a cell it may keep an underline colour for an underline that comes later. */
export function penLook({ fg, bg, extended }: RawAttributes): Look {
  return { ...lookOf(fg, bg, extended), underlineColor: colorOf(extended.underlineColor) };
}

export function sameLook(a: Look, b: Look): boolean {
  return (
    a === b ||
    (a.fg === b.fg &&
      a.bg === b.bg &&
      a.flags === b.flags &&
      a.underline === b.underline &&
      a.underlineColor === b.underlineColor &&
      a.urlId === b.urlId)
  );
}

function colorSgr(color: number, base: 30 | 40): string {
  const value = color & rgbMask;
  switch (color & colorModeMask) {
    case palette16:
      return String(value < 8 ? base + value : base + 60 + value - 8);
    case palette256:
      return `${base + 8};5;${value}`;
    default:
      return `${base + 8};2;${value >> 16};${(value >> 8) & 255};${value & 255}`;
  }
}

/** The parameters of the SGR that makes a default pen look so, without the leading 0. Empty for a plain one. */
export function sgrParameters(look: Look): string[] {
  const parts: string[] = [];
  for (let bit = 0; bit < sgrOfFlag.length; bit++) {
    if (look.flags & (1 << bit)) parts.push(sgrOfFlag[bit] as string);
  }
  if (look.underline === 1) parts.push("4");
  else if (look.underline > 1) parts.push(`4:${look.underline}`);
  if (look.fg) parts.push(colorSgr(look.fg, 30));
  if (look.bg) parts.push(colorSgr(look.bg, 40));
  if (look.underlineColor) {
    const value = look.underlineColor & rgbMask;
    const isRgb = (look.underlineColor & colorModeMask) === colorModeMask;
    parts.push(
      isRgb ? `58;2;${value >> 16};${(value >> 8) & 255};${value & 255}` : `58;5;${value}`,
    );
  }
  return parts;
}

export type LinkLookup = (
  urlId: number,
) => { readonly id?: string; readonly uri: string } | undefined;

export class CellPen {
  private look: Look = plainLook;
  private readonly linkOf: LinkLookup;

  constructor(linkOf: LinkLookup) {
    this.linkOf = linkOf;
  }

  /** Colour that erasing and scrolling would leave behind now. */
  get eraseBackground(): number {
    return this.look.bg;
  }

  /** The sequences that take the pen to `next`; empty when it is there. */
  moveTo(next: Look): string {
    const now = this.look;
    if (sameLook(now, next)) return "";
    this.look = next;
    let out = "";
    if (now.urlId !== next.urlId) out += this.linkSequence(next.urlId);
    if (
      now.flags === next.flags &&
      now.underline === next.underline &&
      now.underlineColor === next.underlineColor
    ) {
      // Most changes of a coloured row are of one colour only.
      const parts: string[] = [];
      if (now.fg !== next.fg) parts.push(next.fg ? colorSgr(next.fg, 30) : "39");
      if (now.bg !== next.bg) parts.push(next.bg ? colorSgr(next.bg, 40) : "49");
      return parts.length === 0 ? out : `${out}\x1b[${parts.join(";")}m`;
    }
    const parts = sgrParameters(next);
    out += parts.length === 0 ? "\x1b[m" : `\x1b[0;${parts.join(";")}m`;
    // SGR 0 ends protection too in this emulator, so it is set anew each time.
    if (next.flags & protectedFlag) out += '\x1b[1"q';
    return out;
  }

  /** After DECRC, which brings back what the pen was: the sequences that make it plain. */
  restored(): string {
    this.look = plainLook;
    return "\x1b[m\x1b]8;;\x1b\\";
  }

  /** The pen for erasing: nothing but a background. */
  moveToErase(bg: number): string {
    return this.look.bg === bg ? "" : this.moveTo(bg === 0 ? plainLook : { ...plainLook, bg });
  }

  private linkSequence(urlId: number): string {
    const link = urlId === 0 ? undefined : this.linkOf(urlId);
    if (!link || link.uri.length > maxLinkChars) return "\x1b]8;;\x1b\\";
    // An id keeps the cells of one link together although the drawing opens it again for each run.
    return `\x1b]8;id=${link.id ?? `cotty-${urlId}`};${link.uri}\x1b\\`;
  }
}
