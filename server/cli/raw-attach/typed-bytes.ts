// What comes from a person's terminal, told apart: what they typed, what the terminal reports by itself or for the mouse, what it answers to
// questions (dropped: the host has answered), and the key that detaches. Pure but for an unfinished sequence that it holds.

export type Typed =
  | { kind: "keys"; bytes: Uint8Array }
  /** One character per byte. */
  | { kind: "report"; data: string }
  | { kind: "detach" };

const reports = [
  /^\x1b\[<\d{1,5};\d{1,5};\d{1,5}[Mm]/,
  /^\x1b\[\d{1,3};\d{1,5};\d{1,5}M/,
  /^\x1b\[M[\s\S]{3}/,
  /^\x1b\[[IO]/,
];
const answers = [
  /^\x1b\[[?>=][\d;:]*[ -/]*[A-Za-z]/,
  /^\x1b\[[\d;]*(?:n|\$y|\*y|x)/,
  /^\x1b\[\d+;\d+;\d+t/,
  /^\x1b[\]P_][^\x07\x1b]*(?:\x07|\x1b\\)/,
];
/** Where the cursor is; or F3 with a modifier, which is written alike. */
const position = /^\x1b\[(\d+);(\d+)R/;
const unfinished = /^\x1b(?:\[[<?>=]?[\d;:]*[ -/]*|\[M[\s\S]{0,2}|[\]P_][^\x07\x1b]*\x1b?)?$/;
const pasteBegins = "\x1b[200~";
const pasteEnds = "\x1b[201~";

export class TypedBytes {
  private held = "";
  private isInPaste = false;
  private readonly detach: readonly string[];

  /** `detachByte`: a control character, or null for none. */
  constructor(detachByte: number | null) {
    this.detach = detachByte === null ? [] : formsOf(detachByte);
  }

  /** Whether something is held that a flush would pass on. */
  get isHolding(): boolean {
    return this.held !== "";
  }

  feed(bytes: Uint8Array): Typed[] {
    const text = this.held + Buffer.from(bytes).toString("latin1");
    this.held = "";
    return this.take(text, false);
  }

  /** What was held is no sequence: the Escape key, say. */
  flush(): Typed[] {
    const text = this.held;
    this.held = "";
    return this.take(text, true);
  }

  private take(text: string, isWhole: boolean): Typed[] {
    const found: Typed[] = [];
    let from = 0;
    let at = 0;
    const keysTo = (end: number) => {
      if (end > from)
        found.push({ kind: "keys", bytes: Buffer.from(text.slice(from, end), "latin1") });
    };
    while (at < text.length) {
      if (this.isInPaste) {
        const end = text.indexOf(pasteEnds, at);
        this.isInPaste = end < 0;
        at = end < 0 ? text.length : end + pasteEnds.length;
        continue;
      }
      const rest = text.slice(at);
      if (this.detach.some((form) => rest.startsWith(form))) {
        keysTo(at);
        found.push({ kind: "detach" });
        return found;
      }
      if (text[at] !== "\x1b") {
        at += 1;
        continue;
      }
      if (rest.startsWith(pasteBegins)) {
        this.isInPaste = true;
        at += pasteBegins.length;
        continue;
      }
      const report = first(reports, rest);
      const dropped = report ?? first(answers, rest) ?? placeIn(rest);
      if (dropped !== undefined) {
        keysTo(at);
        if (report !== undefined) found.push({ kind: "report", data: report });
        at += dropped.length;
        from = at;
        continue;
      }
      if (!isWhole && rest.length < 4096 && unfinished.test(rest)) {
        keysTo(at);
        this.held = rest;
        return found;
      }
      at += 1;
    }
    keysTo(text.length);
    return found;
  }
}

function first(patterns: readonly RegExp[], text: string): string | undefined {
  for (const pattern of patterns) {
    const match = pattern.exec(text);
    if (match) return match[0];
  }
  return undefined;
}

function placeIn(text: string): string | undefined {
  const match = position.exec(text);
  if (!match) return undefined;
  const isKey = match[1] === "1" && Number(match[2]) >= 2 && Number(match[2]) <= 16;
  return isKey ? undefined : match[0];
}

/** The byte, and what terminals send for the key when a program had them tell keys apart. */
function formsOf(byte: number): string[] {
  const key = String.fromCharCode(byte + 0x40)
    .toLowerCase()
    .charCodeAt(0);
  return [String.fromCharCode(byte), `\x1b[${key};5u`, `\x1b[27;5;${key}~`];
}
