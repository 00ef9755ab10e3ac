// The echo of a secret that is typed with echo on, hidden before anybody gets it (CR3): screen, log, viewers, all alike. Everything that shows
// between the first key of the line and the line break that answers its Enter becomes a bullet. More than the echo is hidden then,
// and nothing of it is guessed: line editors draw what is typed in ways of their own. Escape sequences pass; what a shell tells about the
// line a moment later, in strings that do not show, is the caller's to change.
import { concatBytes, utf8 } from "#lib/base/bytes.ts";
import { beginsString } from "#lib/terminal/control-scan.ts";

/** The string in its place; null: as it is. Empty: the whole sequence is left out. */
export type ChangeString = (payload: string) => string | null;

const bullet = utf8("•");
const backspace = 0x08;
const newline = 0x0a;
const escapeByte = 0x1b;
const space = 0x20;
const bell = 0x07;
const osc = 0x5d;
/** CR, LF, ^C, ^D, ^Z, ^\ */
const ending: ReadonlySet<number> = new Set([0x03, 0x04, 0x0a, 0x0d, 0x1a, 0x1c]);
/** A program that prints no line break after Enter: what comes later is no echo. */
const answerMs = 1_000;
/** A shell tells its command right before it runs it; on a busy machine that takes a while. */
const tellingMs = 5_000;
/** Longer strings are nobody's word about a line. */
const maxStringBytes = 16 * 1024;

type Parse = "ground" | "escape" | "control" | "string" | "string escape";

export class EchoMask {
  /** Lines ended by typing whose line break has not been printed yet. */
  private unanswered = 0;
  private isOpen = false;
  private endedMs = Number.NEGATIVE_INFINITY;
  private parse: Parse = "ground";
  private last = 0;
  /** A sequence that may turn out to be a string; not passed on yet. */
  private held: number[] | null = null;

  constructor(private readonly change: ChangeString) {}

  /** What was typed secretly goes to the program now; its echo will come. */
  typed(bytes: Uint8Array, nowMs: number): void {
    if (!this.isListening(nowMs)) this.parse = "ground";
    for (const byte of bytes) {
      if (!ending.has(byte)) this.isOpen = true;
      else if (this.isOpen || this.unanswered > 0) {
        this.unanswered += 1;
        this.isOpen = false;
        this.endedMs = nowMs;
      }
    }
  }

  /** The prompt is over: what was not ended is no secret any more; the answer to an Enter is still to come. */
  over(): void {
    this.isOpen = false;
  }

  /** It was no secret. */
  reset(): void {
    this.isOpen = false;
    this.unanswered = 0;
    this.endedMs = Number.NEGATIVE_INFINITY;
  }

  /** The same array where nothing is to be hidden. */
  filter(bytes: Uint8Array, nowMs: number): Uint8Array {
    if (!this.isListening(nowMs)) {
      const { held } = this;
      this.held = null;
      return held ? concatBytes([Uint8Array.from(held), bytes]) : bytes;
    }
    const isHeld = this.held !== null;
    // A bullet has three bytes; what changes in a string is no longer than it was.
    const out = Buffer.allocUnsafe((this.held?.length ?? 0) + bytes.length * bullet.length);
    let size = 0;
    let isChanged = isHeld;
    for (const byte of bytes) {
      const isShown = this.step(byte);
      const isErasing = byte === space && this.last === backspace;
      this.last = byte;
      if (this.held || byte === escapeByte) {
        const passed = this.hold(byte);
        out.set(passed, size);
        size += passed.length;
        isChanged = true;
        continue;
      }
      const isHidden = isShown && this.isHiding(nowMs);
      if (isHidden && byte === newline) this.answered();
      // A star too: of one that a program prints for a key nobody can tell it from one that was typed.
      if (!isHidden || byte < space || byte === 0x7f || isErasing) {
        out[size++] = byte;
        continue;
      }
      isChanged = true;
      // A character of several bytes is one bullet.
      if ((byte & 0xc0) === 0x80) continue;
      out.set(bullet, size);
      size += bullet.length;
    }
    return isChanged ? Uint8Array.from(out.subarray(0, size)) : bytes;
  }

  private isHiding(nowMs: number): boolean {
    if (this.unanswered > 0 && nowMs - this.endedMs > answerMs) this.unanswered = 0;
    return this.isOpen || this.unanswered > 0;
  }

  private isListening(nowMs: number): boolean {
    return this.isHiding(nowMs) || nowMs - this.endedMs < tellingMs;
  }

  /** A line break was printed. */
  private answered(): void {
    if (this.unanswered > 0) this.unanswered -= 1;
  }

  /** Returns what is passed on now. `parse` has taken the byte already. */
  private hold(byte: number): Uint8Array {
    const held = this.held ?? [];
    held.push(byte);
    const { parse } = this;
    const isOver = parse === "ground" || (parse === "escape" && held.length > 1);
    const mayBeString = parse === "escape" || held[1] === osc;
    if (!isOver && mayBeString && held.length <= maxStringBytes) {
      this.held = held;
      return none;
    }
    this.held = null;
    const isWhole = parse === "ground" && held[1] === osc;
    return isWhole ? this.changed(Uint8Array.from(held)) : Uint8Array.from(held);
  }

  private changed(sequence: Uint8Array): Uint8Array {
    const end = sequence.at(-1) === bell ? 1 : 2;
    const payload = new TextDecoder().decode(sequence.subarray(2, -end));
    const change = this.change(payload);
    if (change === null) return sequence;
    return change === "" ? none : utf8(`\x1b]${change}\x07`);
  }

  /** Whether the byte is one that shows or moves the cursor, rather than a part of a sequence. */
  private step(byte: number): boolean {
    const { parse } = this;
    if (byte === 0x18 || byte === 0x1a) this.parse = "ground";
    else if (byte === escapeByte) this.parse = parse === "string" ? "string escape" : "escape";
    else if (parse === "escape") {
      if (beginsString(byte)) this.parse = "string";
      else if (byte === 0x5b) this.parse = "control";
      else if (byte < space || byte > 0x2f) this.parse = "ground";
    } else if (parse === "control") {
      if (byte >= 0x40) this.parse = "ground";
    } else if (parse === "string") {
      if (byte === bell) this.parse = "ground";
    } else if (parse === "string escape") this.parse = byte === 0x5c ? "ground" : "string";
    return parse === "ground" && byte !== escapeByte;
  }
}

const none = new Uint8Array(0);
