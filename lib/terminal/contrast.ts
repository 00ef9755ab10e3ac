// Whether text can be told from its background (T88). Pure colour arithmetic after WCAG 2.2 (relative luminance, contrast ratio).

export type Rgb = readonly [number, number, number];

/**
 * Below this nobody reads it: the least legible pair that our palette has, black on the background, is 1.23, and programs use it on
 * purpose for what should be barely seen.
 */
const leastContrast = 1.15;

function luminance([r, g, b]: Rgb): number {
  const linear = (channel: number) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

export function contrastOf(a: Rgb, b: Rgb): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** Luminance alone would call red on an equally bright green invisible. */
export function isInvisible(text: Rgb, background: Rgb): boolean {
  const [r, g, b] = [text[0] - background[0], text[1] - background[1], text[2] - background[2]];
  return r * r + g * g + b * b < 64 * 64 && contrastOf(text, background) < leastContrast;
}

/** Half way between: how dim text is drawn. */
export function halfway(a: Rgb, b: Rgb): Rgb {
  return [(a[0] + b[0]) >> 1, (a[1] + b[1]) >> 1, (a[2] + b[2]) >> 1];
}
