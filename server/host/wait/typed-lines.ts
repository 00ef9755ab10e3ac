// What was typed, line by line, and where the cursor stood then: so that its echo can be told from output (WT2). Pure; nothing typed
// while a password is asked for comes here.
import type { Cursor } from "#lib/protocol/cursor.ts";

export interface TypedLine {
  /** As it would be shown: without escape sequences, with the edits that are sure (backspace, C-u, C-w) carried out. */
  readonly text: string;
  /** Keys in it that make the line something else than what was typed: completion, history, the cursor's. */
  readonly isEdited: boolean;
  /** Where the cursor stood when its first key was typed. */
  readonly start: Cursor;
  /** What stood left of the cursor then: a prompt, mostly. */
  readonly prompt: string;
  readonly isEnded: boolean;
  /** Place of its echo, once found for good. */
  echo: { readonly start: Cursor; readonly end: Cursor } | null;
}

/** Lines whose echo may still be looked for; a line typed longer ago than so many others was echoed or never will be. */
const kept = 64;
/** Of a longer line the beginning is enough to find it. */
const maxChars = 8_192;

const escapeSequence = /^\x1b(?:\[[0-?]*[ -/]*[@-~]|O[ -~]|[ -~])?/;
const signals: Readonly<Record<string, string>> = {
  "\x03": "^C",
  "\x04": "^D",
  "\x1a": "^Z",
  "\x1c": "^\\",
};

export class TypedLines {
  private readonly ended: TypedLine[] = [];
  private open: { text: string; isEdited: boolean; start: Cursor; prompt: string } | null = null;
  private settledSeq = 0;
  private readonly decoder = new TextDecoder();

  /** `at`: where the cursor stands, or will have stood when the echo begins. `prompt` is asked for at the first key of a line. */
  typed(bytes: Uint8Array, at: Cursor, prompt: () => string): void {
    let rest = this.decoder.decode(bytes, { stream: true });
    while (rest !== "") {
      const first = rest[0] as string;
      if (first === "\x1b") {
        const [sequence] = escapeSequence.exec(rest) as RegExpExecArray;
        // The marks of a paste do not show; any other key moves or changes something.
        if (sequence !== "\x1b[200~" && sequence !== "\x1b[201~")
          this.line(at, prompt).isEdited = true;
        rest = rest.slice(sequence.length);
        continue;
      }
      this.key(first, at, prompt);
      rest = rest.slice(1);
    }
  }

  /** What was typed of a line turned out to be a secret. */
  forgetOpen(): void {
    this.open = null;
  }

  /** Row from which on echoes are still looked for. */
  get searchedFrom(): number {
    let from = this.open?.start.seq ?? Number.POSITIVE_INFINITY;
    for (const { echo, start } of this.ended)
      if (!echo && start.seq >= this.settledSeq) from = Math.min(from, start.seq);
    return from;
  }

  /** Everything above that row was searched, and changes no more. */
  searched(topSeq: number): void {
    this.settledSeq = topSeq;
  }

  /** Oldest first; the last may be one that is still being typed. */
  get lines(): readonly TypedLine[] {
    if (!this.open) return this.ended;
    return [...this.ended, { ...this.open, isEnded: false, echo: null }];
  }

  private key(key: string, at: Cursor, prompt: () => string): void {
    const line = this.line(at, prompt);
    if (key === "\r" || key === "\n") this.end();
    else if (key in signals) {
      line.text += signals[key];
      this.end();
    } else if (key === "\x7f" || key === "\b") line.text = [...line.text].slice(0, -1).join("");
    else if (key === "\x15") line.text = "";
    else if (key === "\x17") line.text = line.text.replace(/\S+\s*$/, "");
    else if (key < " ") line.isEdited = true;
    else if (line.text.length < maxChars) line.text += key;
  }

  private line(at: Cursor, prompt: () => string) {
    this.open ??= { text: "", isEdited: false, start: at, prompt: prompt() };
    return this.open;
  }

  private end(): void {
    const line = this.open;
    this.open = null;
    if (!line || (line.text.trim() === "" && !line.isEdited)) return;
    this.ended.push({ ...line, isEnded: true, echo: null });
    if (this.ended.length > kept) this.ended.shift();
  }
}
