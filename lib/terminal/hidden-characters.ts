// Characters that carry meaning for a machine and nothing for an eye (T88): which of them a line of text may keep because its script or
// emoji needs them (UAX 29, UTS 51, UTR 36), and which are taken out. Knows text only; looks.ts and hygiene.ts know colours and cells.

export type HiddenKind =
  | "bidi_control"
  | "zero_width"
  | "tag_characters"
  | "variation_selectors"
  /** Taken out and not worth a word: soft hyphens, direction marks, line breaks of scripts without spaces. */
  | "harmless";

export interface HiddenRun {
  readonly kind: HiddenKind;
  /** UTF-16 units of the text as it was. */
  readonly start: number;
  readonly end: number;
  /** Code points. */
  readonly count: number;
}

export interface CleanText {
  readonly text: string;
  /** What was taken out, in order; neighbours of one kind are one run. */
  readonly removed: readonly HiddenRun[];
}

/** Everything that is drawn as nothing. What the rules below do not save is taken out. */
const candidate = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Zl}\p{Zp}\p{Cs}\ufff9-\ufffb]/u;
const emojiBase = /\p{Emoji}/u;
const pictograph = /\p{Extended_Pictographic}/u;
const modifier = /\p{Emoji_Modifier}/u;
const mark = /\p{M}/u;
const han = /\p{Script=Han}/u;
const mongolian = /\p{Script=Mongolian}/u;
/** Symbols and letters with a registered variant of their own (StandardizedVariants.txt, without the emoji). */
const variedSymbol = /[\p{Sm}\p{So}\p{Po}\p{Script=Myanmar}\p{Script=Phags_Pa}]/u;
/** Cursive scripts: a joiner chooses the form of one letter, also at the end of a word. */
const cursive = /[\p{scx=Arabic}\p{scx=Syriac}\p{scx=Nko}\p{scx=Mongolian}]/u;
/** Scripts in which a joiner between two letters says how they combine. */
const indic =
  /[\p{scx=Devanagari}\p{scx=Bengali}\p{scx=Gurmukhi}\p{scx=Gujarati}\p{scx=Oriya}\p{scx=Tamil}\p{scx=Telugu}\p{scx=Kannada}\p{scx=Malayalam}\p{scx=Sinhala}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Balinese}\p{scx=Javanese}\p{scx=Tibetan}]/u;
/** Scripts that break lines at a zero-width space. */
const withoutSpaces = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** The only flags that are made with tags: England, Scotland, Wales. */
const tagFlag =
  /^\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/u;

const nonJoiner = 0x200c;
const joiner = 0x200d;
const keycap = 0x20e3;

function isIn(code: number, low: number, high: number): boolean {
  return code >= low && code <= high;
}

/** A line, or lines: LF and tab are text. Cleaning what is clean changes nothing. */
export function cleanText(text: string): CleanText {
  if (!candidate.test(text)) return { text, removed: [] };
  const all = [...text];
  const why: (HiddenKind | undefined)[] = [];
  let left = [...all.keys()];
  for (;;) {
    // Again: what was needed beside something that is gone may not be needed where it stands now.
    const points = left.map((place) => all[place] as string);
    const unneeded = unneededOf(points);
    for (const [index, kind] of unneeded) why[left[index] as number] = kind;
    if (unneeded.size === 0) return { text: points.join(""), removed: runsOf(all, why) };
    left = left.filter((_, index) => !unneeded.has(index));
  }
}

/** By their index. */
function unneededOf(points: readonly string[]): ReadonlyMap<number, HiddenKind> {
  const found = new Map<number, HiddenKind>();
  /** Code points of a tag flag that are still to come. */
  let flagLeft = 0;
  for (const [index, point] of points.entries()) {
    if (point === "\u{1f3f4}") {
      const flag = tagFlag.exec(points.slice(index, index + 7).join(""));
      flagLeft = flag ? [...flag[0]].length : 1;
    }
    if (flagLeft > 0) flagLeft--;
    else if (candidate.test(point) && !isNeeded(points, index))
      found.set(index, kindOf(points, index));
  }
  return found;
}

function runsOf(
  all: readonly string[],
  why: readonly (HiddenKind | undefined)[],
): readonly HiddenRun[] {
  const runs: { kind: HiddenKind; start: number; end: number; count: number }[] = [];
  let at = 0;
  for (const [index, point] of all.entries()) {
    const start = at;
    at += point.length;
    const kind = why[index];
    if (kind === undefined) continue;
    const last = runs.at(-1);
    if (last?.end === start && last.kind === kind) {
      last.end = at;
      last.count++;
    } else runs.push({ kind, start, end: at, count: 1 });
  }
  return runs;
}

function isNeeded(points: readonly string[], index: number): boolean {
  const code = points[index]?.codePointAt(0) ?? 0;
  if (code === 0x0a || code === 0x09) return true;
  // A hidden character needs no other hidden character, but for those handled by code.
  const before = seen(points[index - 1]);
  const after = seen(points[index + 1]);
  const last = points[index - 1]?.codePointAt(0) ?? 0;
  const next = points[index + 1]?.codePointAt(0) ?? 0;
  if (code === joiner && joinsEmoji(points, index)) return true;
  if (code === joiner || code === nonJoiner) {
    if (next === joiner || next === nonJoiner) return false;
    if (cursive.test(before) || (code === joiner && cursive.test(after))) return true;
    return indic.test(before) && (indic.test(after) || (code === joiner && mark.test(before)));
  }
  if (code === 0xfe0f || code === 0xfe0e) {
    if (!emojiBase.test(before)) return code === 0xfe0e && variedSymbol.test(before);
    // Digits, # and * are emoji only as keycaps.
    return before > "\x7f" || next === keycap;
  }
  if (isIn(code, 0xfe00, 0xfe02)) return han.test(before) || variedSymbol.test(before);
  if (isIn(code, 0xe0100, 0xe01ef)) return han.test(before);
  if (isIn(code, 0x180b, 0x180f)) return mongolian.test(before);
  if (code === 0x034f) return mark.test(before) && mark.test(after);
  // Old Hangul writes a syllable without its first or second part with a filler in its place.
  if (code === 0x115f) return isIn(next, 0x1160, 0x11a7);
  if (code === 0x1160) return isIn(last, 0x1100, 0x115f);
  return false;
}

function seen(point: string | undefined): string {
  return point === undefined || candidate.test(point) ? "" : point;
}

/** UTS 51: between two pictographs, the first perhaps with a skin tone or a selector. */
function joinsEmoji(points: readonly string[], index: number): boolean {
  if (!pictograph.test(points[index + 1] ?? "")) return false;
  const before = points[index - 1] ?? "";
  const base = before === "\ufe0f" || modifier.test(before) ? points[index - 2] : before;
  return pictograph.test(base ?? "");
}

function kindOf(points: readonly string[], index: number): HiddenKind {
  const code = points[index]?.codePointAt(0) ?? 0;
  if (isIn(code, 0x202a, 0x202e) || isIn(code, 0x2066, 0x2069)) return "bidi_control";
  if (isIn(code, 0xe0000, 0xe007f)) return "tag_characters";
  if (isIn(code, 0xfe00, 0xfe0f) || isIn(code, 0xe0100, 0xe01ef)) return "variation_selectors";
  if (code === 0xad || code === 0x200e || code === 0x200f || code === 0x61c) return "harmless";
  if (code === 0x200b) {
    const isBreak = withoutSpaces.test(points[index - 1] ?? "");
    return isBreak && withoutSpaces.test(points[index + 1] ?? "") ? "harmless" : "zero_width";
  }
  return "zero_width";
}
