// From the emulator's colour words to what is drawn. Pure; what a palette index looks like is the caller's.
import { halfway, isInvisible, type Rgb } from "#lib/terminal/contrast.ts";
import type { Hiding } from "#lib/terminal/hygiene.ts";
import type { Look } from "./cell-pen.ts";
import { background, foreground } from "./palette.ts";

const modeMask = 0x3000000;
const rgbMode = 0x3000000;

export function colorMode(word: number): "default" | "palette" | "rgb" {
  const mode = word & modeMask;
  if (mode === 0) return "default";
  return mode === rgbMode ? "rgb" : "palette";
}

export function rgbOf(word: number): Rgb {
  return [(word >> 16) & 255, (word >> 8) & 255, word & 255];
}

export interface DrawnColors {
  readonly foreground: Rgb;
  readonly background: Rgb;
}

const dim = 4;
const inverse = 8;

/** After inversion and dimming, as the browser draws them. */
export function drawnColors(look: Look, paletteColor: (index: number) => Rgb): DrawnColors {
  const resolve = (word: number, otherwise: number): Rgb => {
    switch (colorMode(word)) {
      case "default":
        return paletteColor(otherwise);
      case "palette":
        return paletteColor(word & 0xff);
      case "rgb":
        return rgbOf(word);
    }
  };
  const own = resolve(look.fg, foreground);
  const behind = resolve(look.bg, background);
  const [text, ground] = look.flags & inverse ? [behind, own] : [own, behind];
  return { foreground: look.flags & dim ? halfway(text, ground) : text, background: ground };
}

const concealed = 16;
/** Colour pairs remembered by one check; screens with more of them are rare and merely slower. */
const maxPairs = 4_096;

/** Tells how a look hides text, if it does. Good for one reading: the palette may change. */
export function hidingCheck(
  paletteColor: (index: number) => Rgb,
): (run: { readonly look: Look }) => Hiding | undefined {
  const known = new Map<number, boolean>();
  return ({ look }) => {
    if (look.flags & concealed) return "concealed_text";
    const { fg, bg, flags } = look;
    // Two words of 26 bits: exact in a double. Dim and inverse pairs are few and not remembered.
    const isKept = (flags & (dim | inverse)) === 0;
    const pair = fg * 0x4000000 + bg;
    let isHidden = isKept ? known.get(pair) : undefined;
    if (isHidden === undefined) {
      const drawn = drawnColors(look, paletteColor);
      isHidden = isInvisible(drawn.foreground, drawn.background);
      if (isKept && known.size < maxPairs) known.set(pair, isHidden);
    }
    return isHidden ? "invisible_text" : undefined;
  };
}
