// Which code points are drawn into the cell of the one before (UAX 29, roughly, and never less than an emulator joins), so that the
// guard can bound what one cell holds. Counting too much is harmless: it is only read against a bound far above any script's use.
import { limits } from "#lib/protocol/limits.ts";
import { Ration } from "./ration.ts";

/** A character that starts a cell of its own. */
const starts = 0;
/** Joins the character before it. */
const extends_ = 1;
/** Joins the one before and pulls the next one in: zero-width joiner, viramas. */
const links = 2;
/** Starts a cell and pulls the next one in (GB9b). */
const prepends = 3;
/** Hangul leading consonant: starts a cell, and pulls in further leading consonants and syllables. */
const leads = 4;

const marks = /[\p{M}\p{Cf}\p{Emoji_Modifier}\p{Grapheme_Extend}]/u;
const viramas = new Set([
  0x200d, 0x94d, 0x9cd, 0xa4d, 0xacd, 0xb4d, 0xc4d, 0xd4d, 0x1039, 0x17d2, 0x1a60, 0x1b44, 0x1bab,
  0xa9c0, 0xaaf6, 0x10a3f, 0x11133, 0x113d0, 0x1193e, 0x11a47, 0x11a99, 0x11f42,
]);
const prepended: readonly [number, number][] = [
  [0x600, 0x605],
  [0x6dd, 0x6dd],
  [0x70f, 0x70f],
  [0x890, 0x891],
  [0x8e2, 0x8e2],
  [0xd4e, 0xd4e],
  [0x110bd, 0x110bd],
  [0x110cd, 0x110cd],
  [0x111c2, 0x111c3],
  [0x113d1, 0x113d1],
  [0x1193f, 0x1193f],
  [0x11941, 0x11941],
  [0x11a3a, 0x11a3a],
  [0x11a84, 0x11a89],
  [0x11d46, 0x11d46],
  [0x11f02, 0x11f02],
];

function inRange(codePoint: number, low: number, high: number): boolean {
  return codePoint >= low && codePoint <= high;
}

function classify(codePoint: number): number {
  if (viramas.has(codePoint)) return links;
  if (prepended.some(([low, high]) => inRange(codePoint, low, high))) return prepends;
  if (inRange(codePoint, 0x1100, 0x115f) || inRange(codePoint, 0xa960, 0xa97c)) return leads;
  // Thai and Lao AM are letters that join.
  if (codePoint === 0xe33 || codePoint === 0xeb3) return extends_;
  if (inRange(codePoint, 0x1160, 0x11ff) || inRange(codePoint, 0xd7b0, 0xd7fb)) return extends_;
  return marks.test(String.fromCodePoint(codePoint)) ? extends_ : starts;
}

// Filled a page of 256 at first sight: the properties come from the engine, and most sessions see five scripts.
const pages: (Uint8Array | undefined)[] = [];

function clusterClass(codePoint: number): number {
  const index = codePoint >> 8;
  let page = pages[index];
  if (!page) {
    page = new Uint8Array(256);
    for (let i = 0; i < 256; i++) page[i] = classify((index << 8) | i);
    pages[index] = page;
  }
  return page[codePoint & 0xff] as number;
}

/** Follows a stream of non-ASCII characters and refuses those that would make one cell too long. ASCII: call `reset`. */
export class ClusterCount {
  private readonly ration = new Ration(
    limits.marksPerCell.ration,
    limits.marksPerCell.rationPerSecond,
  );
  private joined = 0;
  private isLinking = false;
  private isAfterLead = false;

  /** Code points in the cell being built. */
  get length(): number {
    return this.joined + 1;
  }

  reset(): void {
    this.joined = 0;
    this.isLinking = false;
    this.isAfterLead = false;
  }

  /** Whether the character may go on. A refused one leaves the count as if it had not been there. */
  admit(codePoint: number, nowMs: number): boolean {
    const { free, max } = limits.marksPerCell;
    const kind = clusterClass(codePoint);
    const joins =
      kind === extends_ ||
      kind === links ||
      this.isLinking ||
      (this.isAfterLead && (kind === leads || inRange(codePoint, 0xac00, 0xd7a3)));
    const pulls = kind === links || kind === prepends || (kind === extends_ && this.isLinking);
    if (joins) {
      // The last place is kept for a character that ends the pull: nothing could stop it from joining.
      if (this.joined + 1 > max - (pulls ? 1 : 0)) return false;
      if (this.joined >= free && !this.ration.take(1, nowMs)) return false;
      this.joined++;
    } else {
      this.joined = 0;
    }
    this.isLinking = pulls;
    this.isAfterLead = kind === leads;
    return true;
  }
}
