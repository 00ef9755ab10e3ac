// Newline-delimited JSON out of chunks of bytes (TC1). Pure but for what it keeps of an unfinished line, which the limit bounds. Knows no
// socket and no message.

/** Bytes of one line, the newline not counted. */
export interface Framing {
  readonly maxBytes: number;
}

export type Framed =
  | { readonly kind: "line"; readonly bytes: Uint8Array }
  /** The rest of the stream means nothing any more: where the next line begins is not known in bounded memory. */
  | { readonly kind: "too_long" };

const newline = 0x0a;
const carriageReturn = 0x0d;
const openingBrace = 0x7b;

export class LineFraming {
  private kept: Uint8Array[] = [];
  private keptBytes = 0;
  private isOver = false;

  constructor(private readonly options: Framing) {}

  /** Bytes of the line that has begun. */
  get pendingBytes(): number {
    return this.keptBytes;
  }

  /** Lines in their order; empty ones are left out. After `too_long` nothing comes any more. */
  *push(chunk: Uint8Array): Generator<Framed> {
    let start = 0;
    while (!this.isOver && start < chunk.length) {
      const end = chunk.indexOf(newline, start);
      const piece = chunk.subarray(start, end < 0 ? chunk.length : end);
      if (this.keptBytes + piece.length > this.options.maxBytes) {
        this.isOver = true;
        this.clear();
        yield { kind: "too_long" };
        return;
      }
      if (end < 0) {
        // Copied: the chunk belongs to the caller's pool.
        this.kept.push(piece.slice());
        this.keptBytes += piece.length;
        return;
      }
      start = end + 1;
      const bytes = withoutReturn(this.joined(piece));
      if (bytes.length > 0) yield { kind: "line", bytes };
    }
  }

  private joined(last: Uint8Array): Uint8Array {
    if (this.kept.length === 0) return last;
    const whole = new Uint8Array(this.keptBytes + last.length);
    let at = 0;
    for (const piece of this.kept) {
      whole.set(piece, at);
      at += piece.length;
    }
    whole.set(last, at);
    this.clear();
    return whole;
  }

  private clear(): void {
    this.kept = [];
    this.keptBytes = 0;
  }
}

function withoutReturn(line: Uint8Array): Uint8Array {
  return line.at(-1) === carriageReturn ? line.subarray(0, -1) : line;
}

/**
 * Whether a stream that begins with `first` can be one of JSON objects. Everything else that finds its way to the port, a browser's request
 * above all, is told by its first byte, so nobody waits for the end of a line that was never meant for us.
 */
export function mayBeJsonLines(first: Uint8Array): boolean {
  return first[0] === openingBrace;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** undefined: not JSON, or not UTF-8. */
export function parseLine(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    return undefined;
  }
}

export function lineOf(message: object): string {
  return `${JSON.stringify(message)}\n`;
}
