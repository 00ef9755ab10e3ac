// The emulator's grapheme state: what the character printed last means for the next (joins it or not, and how wide it was). Knows the
// layout of the library's UnicodeCharProperties: kind from bit 3, width in bits 1-2, "joined" in bit 0.

export type CharProperties = (codepoint: number, preceding: number) => number;

const kindMask = 0xf;

/** The part of a state that makes a difference later: 0 for none, else kind and width. Several states mean the same. */
export function joinKey(state: number): number {
  return state === 0 ? 0 : 0x100 | (((state >> 3) & kindMask) << 2) | ((state >> 1) & 3);
}

/** State after a plain ASCII character. */
export const asciiState = 1 << 1;
export const asciiKey = joinKey(asciiState);

export function joins(properties: number): boolean {
  return (properties & 1) !== 0;
}

/** State and width after printing `text` with nothing before it. */
export function measure(
  text: string,
  charProperties: CharProperties,
): { state: number; width: number } {
  let state = 0;
  let width = 0;
  for (const char of text) {
    const next = charProperties(char.codePointAt(0) ?? 0, state);
    width += ((next >> 1) & 3) - (joins(next) ? (state >> 1) & 3 : 0);
    state = next;
  }
  return { state, width };
}
