// Where a prompt is shown, out of the text of the output (TC2). By the shell's own marks where it makes some. Of a shell without marks, and of a
// program that a shell with marks runs, a line that ends like a prompt is a candidate, and the caller's clock decides whether it stays. Pure.
import { limits } from "#lib/protocol/limits.ts";

type State = "text" | "escape" | "csi" | "osc" | "string" | "string_escape" | "charset";

/** Enough for the longest prompt people make; of a longer line the end is kept, because a prompt is at the end. */
const keptChars = 1_024;
const promptEnd = /[$%#>] $/;

export class PromptScan {
  private state: State = "text";
  private osc = "";
  private isOsc = false;
  /** Text of the cursor's line, as far as a reader of the stream can tell. */
  private line = "";
  /** Text since the mark A; null: none is open. */
  private marked: string | null = null;
  /** Whose prompts are told by marks: the shell's, once it made one, and not those of what it runs. */
  private isMarking = false;
  /** Between B and the next line or mark: drawn again, it is no new prompt. */
  private isAtPrompt = false;

  /** Prompts that were completed by a mark within `text`, oldest first. */
  push(text: string): string[] {
    const prompts: string[] = [];
    for (const char of text) {
      const prompt = this.step(char);
      if (prompt !== null) prompts.push(prompt);
    }
    return prompts;
  }

  /** The line as it stands, if it looks like a prompt that no mark will tell. */
  get candidate(): string | null {
    return this.isMarking || !promptEnd.test(this.line) ? null : this.line;
  }

  /** What follows does not go on where the text ended. */
  reset(): void {
    this.state = "text";
    this.line = "";
    this.marked = null;
    this.isAtPrompt = false;
  }

  private step(char: string): string | null {
    switch (this.state) {
      case "text":
        if (char === "\x1b") this.state = "escape";
        else this.print(char);
        return null;
      case "escape":
        this.escaped(char);
        return null;
      case "csi":
        if (char >= "@" && char <= "~") this.state = "text";
        return null;
      case "charset":
        this.state = "text";
        return null;
      case "osc":
      case "string":
        return this.inString(char);
      case "string_escape":
        this.state = "text";
        return char === "\\" ? this.endString() : null;
    }
  }

  private escaped(char: string): void {
    if (char === "[") this.state = "csi";
    else if (char === "]" || "PX^_".includes(char)) {
      this.isOsc = char === "]";
      this.osc = "";
      this.state = this.isOsc ? "osc" : "string";
    } else if ("()*+-./#%".includes(char)) this.state = "charset";
    else this.state = "text";
  }

  private inString(char: string): string | null {
    if (char === "\x1b") this.state = "string_escape";
    else if (char === "\x07" && this.isOsc) {
      this.state = "text";
      return this.endString();
    } else if (char === "\x18" || char === "\x1a") this.state = "text";
    else if (this.isOsc && this.osc.length < limits.markerBytes) this.osc += char;
    return null;
  }

  private endString(): string | null {
    const mark = this.isOsc ? /^(?:133|633);([A-D])(?:;(.*))?$/s.exec(this.osc) : null;
    this.osc = "";
    if (!mark) return null;
    this.isMarking = mark[1] !== "C";
    switch (mark[1]) {
      case "A":
        // Continuation lines and right-hand prompts are no prompts of their own.
        if (!/(?:^|;)k=[scr]/.test(mark[2] ?? "")) this.marked = "";
        return null;
      case "B": {
        const prompt = this.marked;
        this.marked = null;
        if (prompt === null || this.isAtPrompt) return null;
        this.isAtPrompt = true;
        return prompt;
      }
      default:
        this.isAtPrompt = false;
        return null;
    }
  }

  private print(char: string): void {
    if (char === "\n") {
      this.isAtPrompt = false;
      this.line = "";
      if (this.marked) this.marked += char;
    } else if (char === "\r") {
      this.line = "";
    } else if (char === "\b") {
      this.line = this.line.slice(0, -1);
    } else if (char >= " " && char !== "\x7f") {
      this.line = (this.line + char).slice(-keptChars);
      if (this.marked !== null) this.marked = (this.marked + char).slice(-keptChars);
    }
  }
}
