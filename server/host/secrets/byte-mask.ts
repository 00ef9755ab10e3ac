// Covers values in a terminal's output byte by byte, for viewers that must not have them (CR3): every byte of a value becomes a star, so that what comes
// out is as long as what went in and every offset stays true. A value is found whatever stands between its characters that shows
// nothing (colours, line breaks, moves of the cursor), and in strings (titles, links). Nothing is let through that may begin a value
// until it is known whether it does, or until its owner says that there is no more time. Knows no clock, no log and no viewer.
import { concatBytes, emptyBytes, utf8 } from "#lib/base/bytes.ts";
import { limits } from "#lib/protocol/limits.ts";
import { beginsString } from "#lib/terminal/control-scan.ts";
import { type TreeState, WordTree } from "./word-tree.ts";

const star = 0x2a;
const bell = 0x07;
const escapeByte = 0x1b;
const space = 0x20;
const deleteByte = 0x7f;
/** In front of a C1 control (U+0080 to U+009F). */
const controlLead = 0xc2;

type Parse = "ground" | "escape" | "intermediate" | "control" | "string" | "string escape";

/** Values as they are and as shells write them into strings: 633;E escapes, `cmdline_url` is percent-encoded. */
export function treeOf(words: readonly string[]): WordTree {
  const forms = words.flatMap((word) => [
    word,
    word.replace(/\\/g, "\\\\").replace(/;/g, "\\x3b"),
    percentEncoded(word),
  ]);
  return new WordTree([...new Set(forms)]);
}

export class ByteMask {
  /** Came in and not out yet, from `base` on. */
  private held: Uint8Array = emptyBytes;
  private base = 0;
  private parse: Parse = "ground";
  /** A byte that may be the first half of a control; no part of the text before the next one is there. */
  private lead: number | null = null;
  private readonly text: Run;
  private readonly payload: Run;

  constructor(tree: WordTree) {
    this.text = new Run(tree);
    this.payload = new Run(tree);
  }

  /** Bytes that are held back: they come out first. */
  get heldBytes(): number {
    return this.held.length;
  }

  /** What came before, which somebody else has had already: a value may have begun in it. */
  prime(bytes: Uint8Array): void {
    this.push(bytes);
    this.takeHeld();
  }

  /** Returns what may be let through now; the same array where nothing in it is covered or held back. Never writes to `bytes`. */
  push(bytes: Uint8Array): Uint8Array {
    const isOwn = this.held.length > 0;
    let all = isOwn ? concatBytes([this.held, bytes]) : bytes;
    const { base } = this;
    const end = base + all.length;
    let isCopy = isOwn;
    const cover = (place: number) => {
      if (place < base) return;
      // A Buffer's own `slice` copies nothing.
      if (!isCopy) all = Uint8Array.from(all);
      isCopy = true;
      all[place - base] = star;
    };
    for (let place = base + this.held.length; place < end; place++)
      this.take(all[place - base] as number, place, cover);
    const open = Math.min(this.text.openFrom(base), this.payload.openFrom(base), end);
    this.held = open === end ? emptyBytes : Uint8Array.from(all.subarray(open - base));
    this.base = open;
    const out = open === end ? all : all.subarray(0, open - base);
    if (this.held.length <= limits.coveredHold.bytes) return out;
    return concatBytes([out, this.release()]);
  }

  /** There is no more time: what is held back is let through. Of a value's beginning a few characters may be met by chance, more are covered. */
  release(): Uint8Array {
    const out = this.held;
    const cover = (place: number) => {
      if (place >= this.base) out[place - this.base] = star;
    };
    this.text.giveUp(cover);
    this.payload.giveUp(cover);
    this.base += out.length;
    this.held = emptyBytes;
    return out;
  }

  /** What is held back is somebody else's to cover. */
  takeHeld(): Uint8Array {
    const { held } = this;
    this.base += held.length;
    this.held = emptyBytes;
    return held;
  }

  private take(byte: number, place: number, cover: (place: number) => void): void {
    if (this.lead !== null) {
      const { lead } = this;
      this.lead = null;
      if (byte >= 0x80 && byte <= 0x9f) {
        this.control(byte - 0x40);
        return;
      }
      this.shows(controlLead, lead, cover);
    }
    const { parse } = this;
    if (byte === controlLead && (parse === "ground" || parse === "string")) this.lead = place;
    else if (byte === escapeByte) this.parse = parse === "string" ? "string escape" : "escape";
    else if (byte === 0x18 || byte === 0x1a) this.parse = "ground";
    else if (parse === "ground" || parse === "string") {
      if (parse === "string" && byte === bell) this.parse = "ground";
      else this.shows(byte, place, cover);
    } else if (parse === "escape") this.control(byte);
    else if (parse === "control") {
      if (byte >= 0x40) this.parse = "ground";
    } else if (parse === "intermediate") {
      if (byte >= 0x30) this.parse = "ground";
    } else if (byte === 0x5c) this.parse = "ground";
    else this.control(byte);
  }

  /** What follows ESC, or the same as one control. */
  private control(byte: number): void {
    if (beginsString(byte)) {
      this.parse = "string";
      this.payload.reset();
    } else if (byte === 0x5b) this.parse = "control";
    else if (byte > 0x2f) this.parse = "ground";
    else if (byte >= space) this.parse = "intermediate";
  }

  private shows(byte: number, place: number, cover: (place: number) => void): void {
    if (byte < space || byte === deleteByte) return;
    (this.parse === "string" ? this.payload : this.text).take(byte, place, cover);
  }
}

/** One text in the stream, and how much of a value stands at its end. */
class Run {
  private state: TreeState = 0;
  /** Where the bytes of that beginning stand, and which of them are covered already. */
  private places: number[] = [];
  private covered = 0;

  constructor(private readonly tree: WordTree) {}

  take(byte: number, place: number, cover: (place: number) => void): void {
    const { tree } = this;
    if (this.state === 0 && !tree.begins(byte)) return;
    this.state = tree.step(this.state, byte);
    this.places.push(place);
    this.trim(tree.depth(this.state));
    const bytes = tree.wordBytes(this.state);
    if (bytes === 0) return;
    for (const each of this.places.slice(-bytes)) cover(each);
    // What stands before a value within a longer one that has begun is still open.
    if (bytes >= this.places.length - this.covered) this.covered = this.places.length;
  }

  /** The first place that nobody has had and that is not decided; infinity: all are. */
  openFrom(base: number): number {
    for (let n = this.covered; n < this.places.length; n++)
      if ((this.places[n] as number) >= base) return this.places[n] as number;
    return Number.POSITIVE_INFINITY;
  }

  giveUp(cover: (place: number) => void): void {
    if (this.tree.charactersOf(this.state) >= limits.secretBegunChars)
      for (const each of this.places) cover(each);
    this.covered = this.places.length;
  }

  reset(): void {
    this.state = 0;
    this.trim(0);
  }

  private trim(depth: number): void {
    const surplus = this.places.length - depth;
    if (surplus <= 0) return;
    this.places.splice(0, surplus);
    this.covered = Math.max(0, this.covered - surplus);
  }
}

function percentEncoded(word: string): string {
  // Half of a pair of surrogates has no encoding: through bytes and back it is a character that has one.
  return encodeURIComponent(new TextDecoder().decode(utf8(word)));
}
