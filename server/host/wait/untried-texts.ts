// What patterns have still to be tried on while the thread is busy with an earlier text, and a text in pieces that it can take at once (WT1). Pure but
// for its own list.
import { limits } from "#lib/protocol/limits.ts";
import type { PlacedText } from "./placed-text.ts";
import type { Remainder } from "./spans.ts";

/** What one look found new. */
export interface NewText {
  readonly placed: PlacedText;
  readonly left: Remainder;
  /** The row it was read from. */
  readonly fromSeq: number;
  readonly isAlternate: boolean;
}

export class UntriedTexts {
  private readonly texts: NewText[] = [];
  private chars = 0;

  add(text: NewText): void {
    const last = this.texts.at(-1);
    // The same rows as they are now; otherwise rows have left the screen meanwhile, and no later look sees those again.
    if (last && last.isAlternate === text.isAlternate && text.fromSeq <= last.fromSeq) {
      this.texts.pop();
      this.chars -= last.left.text.length;
    }
    this.texts.push(text);
    this.chars += text.left.text.length;
    while (this.texts.length > 1 && this.chars > limits.waitUntriedChars) this.next();
  }

  /** The oldest. */
  next(): NewText | undefined {
    const text = this.texts.shift();
    if (text) this.chars -= text.left.text.length;
    return text;
  }
}

export interface Piece {
  readonly from: number;
  readonly text: string;
}

/** Whole lines, where they are not longer than a piece; each begins with the last lines of the one before, for patterns over several. */
export function piecesOf(
  text: string,
  most: number = limits.waitScanChars,
  overlap: number = limits.waitOverlapLines,
): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  while (text.length - from > most) {
    const newline = text.lastIndexOf("\n", from + most - 1);
    const end = newline > from ? newline + 1 : from + most;
    pieces.push({ from, text: text.slice(from, end) });
    let next = end;
    for (let line = 0; line < overlap && next > from; line++)
      next = text.lastIndexOf("\n", next - 2) + 1;
    // Lines so long that the overlap would be all of it: no progress.
    from = next > from + most / 2 ? next : end;
  }
  pieces.push({ from, text: text.slice(from) });
  return pieces;
}
