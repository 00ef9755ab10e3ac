// Bytes of the person's keyboard as what they mean to the input line. Pure but for the start of a sequence that is not finished yet.

export type TypedKey =
  | { kind: "text"; text: string }
  | { kind: "paste"; text: string }
  | { kind: "key"; key: KeyName };

export type KeyName =
  | "enter"
  | "backspace"
  | "delete"
  | "left"
  | "right"
  | "up"
  | "down"
  | "home"
  | "end"
  | "word_left"
  | "word_right"
  | "page_up"
  | "page_down"
  | "tab"
  | "escape"
  | `ctrl-${string}`;

const sequences: Readonly<Record<string, KeyName>> = {
  "[A": "up",
  OA: "up",
  "[B": "down",
  OB: "down",
  "[C": "right",
  OC: "right",
  "[D": "left",
  OD: "left",
  "[H": "home",
  OH: "home",
  "[1~": "home",
  "[7~": "home",
  "[F": "end",
  OF: "end",
  "[4~": "end",
  "[8~": "end",
  "[3~": "delete",
  "[5~": "page_up",
  "[6~": "page_down",
  "[1;5D": "word_left",
  "[1;3D": "word_left",
  b: "word_left",
  "[1;5C": "word_right",
  "[1;3C": "word_right",
  f: "word_right",
};
const sequence = /^\x1b(\[[0-9;?<=>]*[ -/]*[@-~]|O[A-Za-z]|[A-Za-z0-9])/;
const pasteBegins = "\x1b[200~";
const pasteEnds = "\x1b[201~";

export class TypedKeys {
  private held = "";
  private readonly decoder = new TextDecoder();

  /** Whether the last byte may be the Escape key or the start of a longer key. */
  get isHolding(): boolean {
    return this.held !== "";
  }

  feed(bytes: Uint8Array): TypedKey[] {
    const keys: TypedKey[] = [];
    let text = this.held + this.decoder.decode(bytes, { stream: true });
    this.held = "";
    while (text !== "") {
      if (text.startsWith(pasteBegins)) {
        const end = text.indexOf(pasteEnds);
        if (end < 0) {
          this.held = text;
          break;
        }
        keys.push({ kind: "paste", text: text.slice(pasteBegins.length, end) });
        text = text.slice(end + pasteEnds.length);
      } else if (text[0] === "\x1b") {
        const match = sequence.exec(text);
        if (!match) {
          this.held = text.length > 64 ? "" : text;
          break;
        }
        const key = sequences[match[1] ?? ""];
        if (key) keys.push({ kind: "key", key });
        text = text.slice(match[0].length);
      } else if (isControl(text[0] ?? "")) {
        keys.push({ kind: "key", key: controlName(text.charCodeAt(0)) });
        text = text.slice(1);
      } else {
        const end = text.search(/[\x00-\x1f\x7f]/);
        const run = end < 0 ? text : text.slice(0, end);
        keys.push({ kind: "text", text: run });
        text = text.slice(run.length);
      }
    }
    return keys;
  }

  /** Nothing followed: it was the Escape key. */
  flush(): TypedKey[] {
    const isEscape = this.held.startsWith("\x1b") && !this.held.startsWith(pasteBegins);
    if (isEscape) this.held = "";
    return isEscape ? [{ kind: "key", key: "escape" }] : [];
  }
}

function isControl(char: string): boolean {
  return char < " " || char === "\x7f";
}

function controlName(code: number): KeyName {
  if (code === 0x0d || code === 0x0a) return "enter";
  if (code === 0x7f || code === 0x08) return "backspace";
  if (code === 0x09) return "tab";
  return `ctrl-${String.fromCharCode(code + 0x60)}`;
}
