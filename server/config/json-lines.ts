// In which line of a JSON text a value stands, and in which one the text stops being JSON: JSON.parse tells neither, and its messages
// repeat parts of the text, which may be secret. Knows nothing of what the values mean.

export type JsonPath = readonly (string | number)[];

export class JsonError extends Error {
  override readonly name = "JsonError";
  constructor(
    message: string,
    /** From 1. */
    readonly line: number,
  ) {
    super(message);
  }
}

/** Far above what a config file needs; the reader calls itself once per level. */
const maxDepth = 100;
const stringShape = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const plainShape = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null)(?![\w.+-])/y;
const spaceShape = /[ \t\r\n]*/y;

/** For each value of a JSON text the line it begins in, from 1. A member begins at its key. */
export class JsonLines {
  private readonly lines = new Map<string, number>();
  private at = 0;
  private line = 1;

  /** Throws JsonError where `text` is not JSON. */
  constructor(private readonly text: string) {
    this.space();
    this.value([], this.line);
    if (this.at < text.length) throw this.unexpected();
  }

  /** Of the innermost part of `path` that exists. */
  lineOf(path: JsonPath): number {
    for (let length = path.length; length > 0; length -= 1) {
      const found = this.lines.get(keyOf(path.slice(0, length)));
      if (found !== undefined) return found;
    }
    return this.lines.get(keyOf([])) ?? 1;
  }

  private value(path: JsonPath, line: number): void {
    if (path.length > maxDepth) throw new JsonError("it is nested too deeply", this.line);
    this.lines.set(keyOf(path), line);
    if (this.takes("{")) this.members(path);
    else if (this.takes("[")) this.items(path);
    else if (this.text[this.at] === '"') this.match(stringShape);
    else this.match(plainShape);
    this.space();
  }

  private members(path: JsonPath): void {
    if (this.takes("}")) return;
    do {
      const { line } = this;
      const key: string = JSON.parse(this.match(stringShape));
      this.space();
      this.expect(":");
      this.value([...path, key], line);
    } while (this.takes(","));
    this.expect("}");
  }

  private items(path: JsonPath): void {
    if (this.takes("]")) return;
    let index = 0;
    do {
      this.value([...path, index], this.line);
      index += 1;
    } while (this.takes(","));
    this.expect("]");
  }

  /** Steps over `sign` and the space behind it, if it is next. */
  private takes(sign: string): boolean {
    if (this.text[this.at] !== sign) return false;
    this.at += 1;
    this.space();
    return true;
  }

  private expect(sign: string): void {
    if (!this.takes(sign)) throw this.unexpected();
  }

  private match(shape: RegExp): string {
    shape.lastIndex = this.at;
    const found = shape.exec(this.text)?.[0];
    if (found === undefined) throw this.unexpected();
    this.at += found.length;
    return found;
  }

  private space(): void {
    const skipped = this.match(spaceShape);
    this.line += skipped.split("\n").length - 1;
  }

  private unexpected(): JsonError {
    const sign = String.fromCodePoint(this.text.codePointAt(this.at) ?? 0);
    const message =
      this.at >= this.text.length ? "it ends too early" : `unexpected ${JSON.stringify(sign)}`;
    return new JsonError(message, this.line);
  }
}

function keyOf(path: JsonPath): string {
  return JSON.stringify(path);
}
