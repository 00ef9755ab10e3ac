// How many cells of a terminal a text takes, and cutting it to fewer: letters of East Asia and pictures take two, marks on a letter none.

/** Made where it is needed: its tables take longer to load than most commands take to run. */
let segmenter: Intl.Segmenter | undefined;

function lettersOf(text: string): Iterable<{ readonly segment: string }> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return segmenter.segment(text);
}

const plainLetters = /^[\u0020-\u007e]*$/;
const wide =
  /^(?![\uff61-\uffdc])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6\p{Emoji_Presentation}]|^\p{Emoji}\ufe0f/u;
const none = /^[\p{Mark}\p{Cf}]+$/u;

function widthOfLetter(letter: string): number {
  if (wide.test(letter)) return 2;
  return none.test(letter) ? 0 : 1;
}

/** In cells. `text` has no control characters. */
export function widthOf(text: string): number {
  if (plainLetters.test(text)) return text.length;
  let cells = 0;
  for (const { segment } of lettersOf(text)) cells += widthOfLetter(segment);
  return cells;
}

/** At most `cells` wide; what was cut ends with a sign of it. */
export function shorten(text: string, cells: number): string {
  if (widthOf(text) <= cells) return text;
  if (plainLetters.test(text)) return `${text.slice(0, Math.max(0, cells - 1))}…`;
  let kept = "";
  let left = cells - 1;
  for (const { segment } of lettersOf(text)) {
    left -= widthOfLetter(segment);
    if (left < 0) break;
    kept += segment;
  }
  return `${kept}…`;
}

export function padded(text: string, cells: number): string {
  return text + " ".repeat(Math.max(0, cells - widthOf(text)));
}
