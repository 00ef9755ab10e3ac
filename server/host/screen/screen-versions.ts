// Which screens of a session were looked at (SC1, SC5): a version that rises when anything looks different than at the last reading, and the
// rows of a bounded number of them as hashes, so that a difference to an earlier one is exact. Nothing happens while nobody looks.
import { limits } from "#lib/protocol/limits.ts";
import type { StyledRow } from "./styled-rows.ts";
import { Hash, hashNumber } from "./text-hash.ts";

export interface ScreenVersion {
  readonly version: number;
  readonly cols: number;
  readonly altScreen: boolean;
  readonly title: string;
  /** Of each row's text as agents get it. */
  readonly texts: Float64Array;
  /** Of each row's text and colours as they are. */
  readonly looks: Float64Array;
}

export interface LookedAt {
  readonly cols: number;
  readonly altScreen: boolean;
  readonly title: string;
  /** Everything else that is shown beside the rows. */
  readonly rest: string;
  readonly lines: readonly string[];
  /** See fingerprint. */
  readonly looks: Float64Array;
}

export class ScreenVersions {
  /** Oldest first; the last one is the present screen as of the last reading. */
  private readonly kept: (ScreenVersion & { readonly rest: string })[] = [];
  private rowsKept = 0;
  private version = 0;

  look(at: LookedAt): ScreenVersion {
    const { cols, altScreen, title, rest, looks } = at;
    const last = this.kept.at(-1);
    const isSame =
      last !== undefined &&
      last.cols === cols &&
      last.altScreen === altScreen &&
      last.title === title &&
      last.rest === rest &&
      sameNumbers(last.looks, looks);
    if (isSame) return last;
    const texts = Float64Array.from(at.lines, hashNumber);
    this.version++;
    const made = { version: this.version, cols, altScreen, title, rest, texts, looks };
    this.kept.push(made);
    this.rowsKept += looks.length;
    const { count, rows } = limits.screenVersions;
    while (this.kept.length > 1 && (this.kept.length > count || this.rowsKept > rows)) {
      this.rowsKept -= this.kept.shift()?.looks.length ?? 0;
    }
    return made;
  }

  /** Absent when it is too old, or was never given out. */
  find(version: number): ScreenVersion | undefined {
    return this.kept.find((kept) => kept.version === version);
  }
}

/** Of a row's text and everything that makes it look as it does. */
export function fingerprint(row: StyledRow): number {
  const hash = new Hash();
  hash.text(row.text);
  hash.number(row.isContinuation ? 1 : 0);
  for (const { start, look, link } of row.runs) {
    hash.number(start);
    hash.number(look.fg);
    hash.number(look.bg);
    hash.number(look.flags | (look.underline << 8));
    hash.number(look.underlineColor);
    if (link !== undefined) hash.text(link);
  }
  return hash.value;
}

function sameNumbers(a: Float64Array, b: Float64Array): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}
