// Whether the words that are typed go on behind an Enter, in the way of every shell: a backslash at the end of the line, or a quote that is
// open. Known of what was typed plainly alone; a line that was edited with other keys, or pasted, is not known. Keeps no text.

const enters: ReadonlySet<number> = new Set([0x0a, 0x0d]);
const [space, backslash, hash, del] = [0x20, 0x5c, 0x23, 0x7f];
const [single, double, backtick] = [0x27, 0x22, 0x60];

export class Unfinished {
  private quote = 0;
  private isEscaped = false;
  private isComment = false;
  private isWordStart = true;
  private isKnown = true;
  private goesOn = false;

  /** At the last Enter. */
  get isOpen(): boolean {
    return this.goesOn;
  }

  /** One byte of what is typed. */
  typed(byte: number): void {
    if (enters.has(byte)) {
      this.goesOn = this.isKnown && (this.isEscaped || this.quote !== 0);
      this.isEscaped = false;
      this.isComment = false;
      this.isWordStart = true;
      if (!this.goesOn) this.forget();
    } else if (byte < space || byte === del) this.isKnown = false;
    else this.character(byte);
  }

  forget(): void {
    this.quote = 0;
    this.isEscaped = false;
    this.isComment = false;
    this.isWordStart = true;
    this.isKnown = true;
    this.goesOn = false;
  }

  private character(byte: number): void {
    if (this.isComment) return;
    if (this.isEscaped) this.isEscaped = false;
    else if (byte === backslash && this.quote !== single) this.isEscaped = true;
    else if (this.quote !== 0) {
      if (byte === this.quote) this.quote = 0;
    } else if (byte === single || byte === double || byte === backtick) this.quote = byte;
    else if (byte === hash && this.isWordStart) this.isComment = true;
    this.isWordStart = byte === space;
  }
}
