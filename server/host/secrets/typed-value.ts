// What a person has typed of one line, as the program will get it: without the marks of a paste, with the edits that a terminal carries
// out. Bounded, for a moment, and for nothing but hiding it.
import { limits } from "#lib/protocol/limits.ts";

/** CR, LF, ^C, ^D, ^Z, ^\ end a line. */
const ends = /[\r\n\x03\x04\x1a\x1c]/;
const sequence = /^\x1b(?:\[[0-?]*[ -/]*[@-~]|O[ -~]|[ -~])?/;

export class TypedValue {
  private text = "";
  private readonly decoder = new TextDecoder();

  /** What stands on the line now. */
  get open(): string {
    return this.text;
  }

  /** Returns the lines that were ended. */
  typed(bytes: Uint8Array): readonly string[] {
    const lines: string[] = [];
    let rest = this.decoder.decode(bytes, { stream: true });
    while (rest !== "") {
      const [key] = rest[0] === "\x1b" ? (sequence.exec(rest) as RegExpExecArray) : [rest[0] ?? ""];
      rest = rest.slice(key.length);
      if (ends.test(key)) {
        lines.push(this.text);
        this.text = "";
      } else this.key(key);
    }
    return lines;
  }

  forget(): void {
    this.text = "";
  }

  private key(key: string): void {
    if (key === "\x7f" || key === "\b") this.text = [...this.text].slice(0, -1).join("");
    else if (key === "\x15") this.text = "";
    else if (key === "\x17") this.text = this.text.replace(/\S+\s*$/, "");
    else if (key >= " " && this.text.length < limits.typedSecretChars) this.text += key;
  }
}
