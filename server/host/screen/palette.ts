// The colours that the terminal says it has (OSC 4, 10, 11, 12): our dark palette until the program sets others. Answers go by this, not
// by what a viewer's theme looks like, so that a program gets one answer whoever watches.

export type Rgb = readonly [number, number, number];

/** Indices after the 256 palette colours, as the emulator numbers them. */
export const foreground = 256;
export const background = 257;
export const cursorColor = 258;

const base16: readonly string[] = [
  "1f2530",
  "ff7a80",
  "5fd38d",
  "f2c14e",
  "7aa2ff",
  "d19bff",
  "5cd6e8",
  "c9d1dd",
  "7c879a",
  "ff9ea2",
  "86e5ac",
  "ffd97a",
  "a5c0ff",
  "e1bfff",
  "8fe7f3",
  "ffffff",
];
const special: readonly string[] = ["e6eaf2", "0e1116", "e6eaf2"];

function fromHex(hex: string): Rgb {
  const value = Number.parseInt(hex, 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** Colour `index` when the program has not set it: the 16, the 6x6x6 cube, the 24 greys, then foreground, background, cursor. */
export function defaultColor(index: number): Rgb {
  if (index < 16) return fromHex(base16[index] ?? "000000");
  if (index < 232) {
    const level = (n: number) => (n === 0 ? 0 : 55 + 40 * n);
    const cube = index - 16;
    return [level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)];
  }
  if (index < 256) {
    const grey = 8 + 10 * (index - 232);
    return [grey, grey, grey];
  }
  return fromHex(special[index - foreground] ?? "000000");
}

/** XParseColor's long form, as terminals report it. */
export function colorSpec([r, g, b]: Rgb): string {
  const twice = (n: number) => n.toString(16).padStart(2, "0").repeat(2);
  return `rgb:${twice(r)}/${twice(g)}/${twice(b)}`;
}

/** `4;n` or the number of the special colour. */
function target(index: number): string {
  return index < foreground ? `4;${index}` : String(index - foreground + 10);
}

/** What the program changed; at most 259 entries. */
export class Palette {
  private readonly changed = new Map<number, Rgb>();

  color(index: number): Rgb {
    return this.changed.get(index) ?? defaultColor(index);
  }

  set(index: number, color: Rgb): void {
    this.changed.set(index, color);
  }

  /** All palette colours when `index` is absent. */
  restore(index: number | undefined): void {
    if (index !== undefined) this.changed.delete(index);
    else for (const key of [...this.changed.keys()]) if (key < foreground) this.changed.delete(key);
  }

  /** The answer to a query of colour `index`. */
  report(index: number): string {
    return `\x1b]${target(index)};${colorSpec(this.color(index))}\x1b\\`;
  }

  /** The changes as terminal output, for a snapshot. */
  sequences(): string {
    let out = "";
    for (const [index, color] of this.changed) {
      out += `\x1b]${target(index)};${colorSpec(color)}\x1b\\`;
    }
    return out;
  }
}
