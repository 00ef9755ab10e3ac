// Many words looked for in a stream of bytes that never ends: after each byte it is known which word ended there, and how much of one may have
// begun (Aho and Corasick, 1975). Knows nothing of terminals.
import { utf8 } from "#lib/base/bytes.ts";

/** A place in the tree: 0 is where nothing has begun. */
export type TreeState = number;

export class WordTree {
  /** By state and byte: `state * 256 + byte`. */
  private readonly next = new Map<number, TreeState>();
  /** Where the search goes on when a state has no way further: the longest end of what it stands for that may begin a word. */
  private readonly fallback: TreeState[] = [0];
  private readonly depths = [0];
  private readonly ended = [0];
  private readonly characters = [0];
  private readonly first = new Uint8Array(256);

  constructor(words: readonly string[]) {
    for (const word of words) this.add(utf8(word));
    this.link();
  }

  step(from: TreeState, byte: number): TreeState {
    if (from === 0) return this.first[byte] === 0 ? 0 : (this.next.get(byte) as TreeState);
    let state = from;
    for (;;) {
      const next = this.next.get(state * 256 + byte);
      if (next !== undefined) return next;
      if (state === 0) return 0;
      state = this.fallback[state] as TreeState;
    }
  }

  /** Whether a word begins with the byte. */
  begins(byte: number): boolean {
    return this.first[byte] !== 0;
  }

  /** Bytes of what may have begun. */
  depth(state: TreeState): number {
    return this.depths[state] as number;
  }

  /** The same in characters. */
  charactersOf(state: TreeState): number {
    return this.characters[state] as number;
  }

  /** Bytes of the longest word that ends here; 0: none does. */
  wordBytes(state: TreeState): number {
    return this.ended[state] as number;
  }

  private add(word: Uint8Array): void {
    let state = 0;
    for (const [at, byte] of word.entries()) {
      if (at === 0) this.first[byte] = 1;
      let next = this.next.get(state * 256 + byte);
      if (next === undefined) {
        next = this.depths.push(at + 1) - 1;
        const isContinuation = (byte & 0xc0) === 0x80;
        this.characters.push((this.characters[state] as number) + (isContinuation ? 0 : 1));
        this.ended.push(0);
        this.fallback.push(0);
        this.next.set(state * 256 + byte, next);
      }
      state = next;
    }
    this.ended[state] = word.length;
  }

  /** By depth: what a state falls back to is shorter, and complete by then. */
  private link(): void {
    const ways = [...this.next].sort(
      ([, a], [, b]) => (this.depths[a] as number) - (this.depths[b] as number),
    );
    for (const [key, state] of ways) {
      const parent = Math.floor(key / 256);
      const to = parent === 0 ? 0 : this.step(this.fallback[parent] as TreeState, key % 256);
      this.fallback[state] = to;
      this.ended[state] = Math.max(this.ended[state] as number, this.ended[to] as number);
    }
  }
}
