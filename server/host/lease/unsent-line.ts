// Whose text may stand unsent on the line (DR1), by what was typed: who, whether anything since the last Enter, C-c or C-u, and what an
// Enter left open. Whether there is a line at all, and what stands on it, is known elsewhere. Never keeps the text.
import type { Sight } from "./line-sight.ts";
import { Unfinished } from "./unfinished.ts";

/** What ended the keys that count: an Enter sends the line or opens the next row of it, C-c drops it, C-u cuts what is before the cursor. */
export type LineEnd = "enter" | "interrupt" | "cut";

/** Inside a paste these are text. So is an Enter with Alt: editors open a row with it, and where they do not the screen will show it. */
const ends: ReadonlyMap<number, LineEnd> = new Map([
  [0x03, "interrupt"],
  [0x0a, "enter"],
  [0x0d, "enter"],
  [0x15, "cut"],
]);
const esc = 0x1b;
const pasteBegins = [0x1b, 0x5b, 0x32, 0x30, 0x30, 0x7e];
const pasteEnds = [0x1b, 0x5b, 0x32, 0x30, 0x31, 0x7e];

export class UnsentLine {
  private person: { readonly touchedMs: number } | null = null;
  private program: string | null = null;
  /** An agent typed something behind the last Enter. */
  private isProgramBehind = false;
  private isPasting = false;
  /** Bytes of a paste's mark that have come so far. */
  private matched = 0;
  private readonly words = new Unfinished();

  /** Something was typed since the last end. */
  isOpen = false;
  lastEnd: LineEnd | null = null;
  /** Since the line began. */
  enters = 0;
  /** Line breaks that were typed as text. */
  breaks = 0;
  bytes = 0;
  typedMs = Number.NEGATIVE_INFINITY;
  /** What the screen showed before the first key; null: nobody looked. */
  before: Sight | null = null;

  /** When a person last touched what may stand there; null: no person did, or an agent took it over. */
  get touchedMs(): number | null {
    return this.person?.touchedMs ?? null;
  }

  /** The agent whose text may stand there. */
  get leftBy(): string | null {
    return this.program;
  }

  /** At the last Enter a backslash or a quote was open. */
  get isUnfinished(): boolean {
    return this.words.isOpen;
  }

  personTyped(bytes: Uint8Array, atMs: number): void {
    this.scan(bytes, atMs);
    this.person = { touchedMs: atMs };
  }

  /** What a person left is the agent's from here on: it was told, and said clear or keep. */
  agentTyped(name: string, bytes: Uint8Array, atMs: number): void {
    this.scan(bytes, atMs);
    this.person = null;
    this.program = name;
    if (this.isOpen) this.isProgramBehind = true;
  }

  /**
   * The shell began a command. Who typed more than its one line ahead has text in the shell's hands still: whether that comes to stand on
   * the next line, the screen will tell.
   */
  sent(): void {
    if (!this.isOpen && this.enters <= 1) this.forget();
    else {
      // What an agent ended with an Enter is this command, or in front of it; what a person typed ahead behind it is that person's alone.
      if (!this.isProgramBehind) this.program = null;
      this.enters = Math.max(0, this.enters - 1);
      this.before = null;
      this.words.forget();
    }
  }

  /** The next key is the first one of another line. */
  begin(before: Sight | null): void {
    const { isPasting, matched } = this;
    this.forget();
    this.isPasting = isPasting;
    this.matched = matched;
    this.before = before;
  }

  /** What agents typed is gone; nothing else is known. */
  disown(): void {
    this.program = null;
  }

  forget(): void {
    this.person = null;
    this.program = null;
    this.isProgramBehind = false;
    this.isPasting = false;
    this.matched = 0;
    this.isOpen = false;
    this.lastEnd = null;
    this.enters = 0;
    this.breaks = 0;
    this.bytes = 0;
    this.before = null;
    this.words.forget();
  }

  private scan(bytes: Uint8Array, atMs: number): void {
    this.typedMs = atMs;
    this.bytes += bytes.length;
    // One key: an Escape that came by itself is none of it.
    let isAlt = false;
    for (const byte of bytes) {
      const mark = this.isPasting ? pasteEnds : pasteBegins;
      if (byte === mark[this.matched]) this.matched += 1;
      else this.matched = byte === mark[0] ? 1 : 0;
      if (this.matched === mark.length) {
        this.isPasting = !this.isPasting;
        this.matched = 0;
      }
      const isText = this.isPasting || isAlt;
      const key = ends.get(byte);
      const end = isText ? undefined : key;
      this.isOpen = end === undefined;
      if (end !== undefined) this.lastEnd = end;
      if (end === "enter") {
        this.enters += 1;
        this.isProgramBehind = false;
      }
      if (isText && key === "enter") this.breaks += 1;
      if (end === "interrupt") this.words.forget();
      else this.words.typed(byte);
      isAlt = byte === esc;
    }
  }
}
