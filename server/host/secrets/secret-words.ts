// Values that must not be read in any text of one session, as long as it lives: those it was started with (SX1), and those that people typed
// at password prompts (CR3). Finds them in a text. Kept in memory only; never told to anybody, not even how long they are.
import { concatBytes } from "#lib/base/bytes.ts";
import { limits } from "#lib/protocol/limits.ts";
import { ByteMask, treeOf } from "./byte-mask.ts";
import { WordSearch } from "./word-search.ts";
import type { WordTree } from "./word-tree.ts";

/** A stretch of a text, and what is shown in its place. */
export interface HiddenSpan {
  readonly from: number;
  readonly to: number;
  readonly label: string;
}

/** Of a name nobody gave: a password's length is nobody's business. */
const typedLabel = "••••••";
/** Between these a value is printed in pieces: each piece is looked for by itself. */
const breaks = /[\u0000-\u001f\u007f-\u009f]+/;

export class SecretWords {
  /** What is looked for, the longest first, and what is shown in its place: the name of the whole where one value is a part of another. */
  private labels: ReadonlyMap<string, string> = new Map();
  private search: WordSearch | null = null;
  /** For bytes; made when the first viewer needs it. */
  private tree: WordTree | null = null;
  private readonly launched: readonly (readonly [piece: string, label: string])[];
  /** Values as they were typed, the newest last. */
  private readonly typedValues = new Set<string>();
  private longestUnits = 0;
  private changes = 0;

  /** `launched`: by name. */
  constructor(launched: Readonly<Record<string, string>>) {
    this.launched = Object.entries(launched)
      .flatMap(([name, value]) => piecesOf(value).map((piece) => [piece, labelOf(name)] as const))
      .sort(([a], [b]) => b.length - a.length)
      .slice(0, limits.secretPieces);
    this.changed();
  }

  get isEmpty(): boolean {
    return this.labels.size === 0;
  }

  /** Rises when a text that was read before might read otherwise now. */
  get version(): number {
    return this.changes;
  }

  /** UTF-16 units of the longest. */
  get longest(): number {
    return this.longestUnits;
  }

  /** Typed at a password prompt. False: it is hidden already, or too short to be. */
  typed(value: string): boolean {
    if (piecesOf(value).length === 0) return false;
    const isNew = !this.typedValues.delete(value);
    this.typedValues.add(value);
    if (!isNew) return false;
    for (const oldest of this.typedValues) {
      if (this.typedValues.size <= limits.typedSecrets) break;
      this.typedValues.delete(oldest);
    }
    this.changed();
    return true;
  }

  /** A person said that these were none. */
  forget(values: Iterable<string>): void {
    for (const value of values) this.typedValues.delete(value);
    this.changed();
  }

  /**
   * In order and apart from each other. `end`: up to where the text is there already; a value whose beginning stands right before it is
   * being printed.
   */
  find(text: string, end?: number): readonly HiddenSpan[] {
    const found: HiddenSpan[] = [];
    this.search?.eachIn(text, (word, at) => {
      const label = this.labels.get(word) as string;
      found.push({ from: at, to: at + word.length, label });
    });
    if (end !== undefined)
      for (const [word, label] of this.labels) {
        const begun = begunBefore(text, end, word);
        if (begun > 0) found.push({ from: end - begun, to: end, label });
      }
    return merged(found);
  }

  /** The text with every value in it hidden. */
  hide(text: string): string {
    if (this.isEmpty) return text;
    let out = "";
    let at = 0;
    for (const { from, to, label } of this.find(text)) {
      out += text.slice(at, from) + label;
      at = to;
    }
    return at === 0 ? text : out + text.slice(at);
  }

  /** Bytes with every value in them covered, also one that has begun. */
  cover(bytes: Uint8Array): Uint8Array {
    if (bytes.length === 0) return bytes;
    const mask = this.byteMask();
    return concatBytes([mask.push(bytes), mask.release()]);
  }

  /** For one stream of output: covers what is to be hidden now. */
  byteMask(): ByteMask {
    this.tree ??= treeOf([...this.labels.keys()]);
    return new ByteMask(this.tree);
  }

  dispose(): void {
    this.typedValues.clear();
    this.labels = new Map();
    this.search = null;
    this.tree = null;
  }

  private changed(): void {
    const typed = [...this.typedValues].flatMap((value) =>
      piecesOf(value).map((piece) => [piece, typedLabel] as const),
    );
    // A name says more than bullets: where a launch has the same value its own is shown.
    const all = [...typed, ...this.launched].sort(([a], [b]) => b.length - a.length);
    this.labels = new Map(all);
    this.longestUnits = all[0]?.[0].length ?? 0;
    const texts = [...this.labels.keys()];
    this.search = texts.length === 0 ? null : new WordSearch(texts, limits.secretMinChars);
    this.tree = null;
    this.changes += 1;
  }
}

export function labelOf(name: string): string {
  return `•••${name}•••`;
}

function piecesOf(value: string): readonly string[] {
  return value.split(breaks).filter((piece) => piece.length >= limits.secretMinChars);
}

function begunBefore(text: string, end: number, word: string): number {
  for (let length = Math.min(word.length - 1, end); length >= limits.secretBegunChars; length--)
    if (text.startsWith(word.slice(0, length), end - length)) return length;
  return 0;
}

function merged(found: readonly HiddenSpan[]): readonly HiddenSpan[] {
  if (found.length < 2) return found;
  const spans: HiddenSpan[] = [];
  for (const span of [...found].sort((a, b) => a.from - b.from || b.to - a.to)) {
    const last = spans.at(-1);
    if (last && span.from < last.to)
      spans[spans.length - 1] = { ...last, to: Math.max(last.to, span.to) };
    else spans.push(span);
  }
  return spans;
}
