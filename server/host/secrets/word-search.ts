// Where any of many words stands in a text, in one pass (Wu and Manber, "A fast algorithm for multi-pattern searching", 1994): two characters
// tell how far the search may go on at once, so that sixty words cost hardly more than one. Knows no secrets.

/** Every word has at least `minChars` UTF-16 units, two or more. */
export class WordSearch {
  private readonly shifts: Uint8Array;
  /** Words that may end their first `minChars` units with the pair. */
  private readonly candidates = new Map<number, string[]>();

  constructor(
    words: readonly string[],
    private readonly minChars: number,
  ) {
    this.shifts = new Uint8Array(pairs).fill(Math.min(255, minChars - 1));
    for (const word of words) {
      for (let at = 1; at < minChars; at++) {
        const pair = pairAt(word, at);
        this.shifts[pair] = Math.min(this.shifts[pair] as number, minChars - 1 - at);
      }
      const last = pairAt(word, minChars - 1);
      this.candidates.set(last, [...(this.candidates.get(last) ?? []), word]);
    }
  }

  /** Every place of every word, ordered by where it begins. */
  eachIn(text: string, found: (word: string, at: number) => void): void {
    const { shifts, candidates, minChars } = this;
    for (let end = minChars - 1; end < text.length; ) {
      const pair = pairAt(text, end);
      const shift = shifts[pair] as number;
      if (shift > 0) {
        end += shift;
        continue;
      }
      const at = end - minChars + 1;
      for (const word of candidates.get(pair) ?? []) if (text.startsWith(word, at)) found(word, at);
      end += 1;
    }
  }
}

const pairs = 4_096;

function pairAt(text: string, at: number): number {
  return ((text.charCodeAt(at - 1) << 5) ^ text.charCodeAt(at)) & (pairs - 1);
}
