// How many cells of a terminal a text takes, and cutting it to fewer: letters of East Asia and pictures take two, marks on a letter none.

const letters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

const wide =
  /^(?![\uff61-\uffdc])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6\p{Emoji_Presentation}]|^\p{Emoji}\ufe0f/u;
const none = /^[\p{Mark}\p{Cf}]+$/u;

function widthOfLetter(letter: string): number {
  if (wide.test(letter)) return 2;
  return none.test(letter) ? 0 : 1;
}

/** In cells. `text` has no control characters. */
export function widthOf(text: string): number {
  let cells = 0;
  for (const { segment } of letters.segment(text)) cells += widthOfLetter(segment);
  return cells;
}

/** At most `cells` wide; what was cut ends with a sign of it. */
export function shorten(text: string, cells: number): string {
  if (widthOf(text) <= cells) return text;
  let kept = "";
  let left = cells - 1;
  for (const { segment } of letters.segment(text)) {
    left -= widthOfLetter(segment);
    if (left < 0) break;
    kept += segment;
  }
  return `${kept}…`;
}

export function padded(text: string, cells: number): string {
  return text + " ".repeat(Math.max(0, cells - widthOf(text)));
}
