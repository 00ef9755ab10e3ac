// What has changed between two screens, row by row, and how far the rows moved up meanwhile. Pure; works on hashes.
import type { ScreenVersion } from "./screen-versions.ts";
import { hashNumber } from "./text-hash.ts";

export interface ScreenDifference {
  /** Rows to move up first; blank rows come in at the bottom. */
  readonly scrolled: number;
  /** Rows whose text differs after that. */
  readonly changed: readonly number[];
  /** Rows with the same text in other colours. */
  readonly restyled: readonly number[];
}

const blank = hashNumber("");

/** Nothing when the two have no rows in common to speak of: another size, or the other buffer. */
export function differenceOf(from: ScreenVersion, to: ScreenVersion): ScreenDifference | undefined {
  const rows = to.texts.length;
  const isComparable =
    from.cols === to.cols && from.texts.length === rows && from.altScreen === to.altScreen;
  if (!isComparable) return undefined;
  let scrolled = 0;
  let fewest = countChanged(from, to, 0, rows);
  // A move costs the reader a thought: it must save two rows at least.
  for (let by = 1; by < rows && fewest > 2; by++) {
    const most = scrolled === 0 ? fewest - 2 : fewest - 1;
    const count = countChanged(from, to, by, most + 1);
    if (count > most) continue;
    scrolled = by;
    fewest = count;
  }
  const changed: number[] = [];
  const restyled: number[] = [];
  for (let y = 0; y < rows; y++) {
    if (textAt(from, y + scrolled) !== to.texts[y]) changed.push(y);
    else if (y + scrolled < rows && from.looks[y + scrolled] !== to.looks[y]) restyled.push(y);
  }
  return { scrolled, changed, restyled };
}

function textAt(screen: ScreenVersion, y: number): number {
  return y < screen.texts.length ? (screen.texts[y] as number) : blank;
}

/** Stops counting at `enough`. */
function countChanged(from: ScreenVersion, to: ScreenVersion, by: number, enough: number): number {
  let count = 0;
  for (let y = 0; y < to.texts.length && count < enough; y++) {
    if (textAt(from, y + by) !== to.texts[y]) count++;
  }
  return count;
}
