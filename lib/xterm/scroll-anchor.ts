// Where the person was reading, kept by what was written there (B124): after a reset the same rows are looked for again, because
// row numbers mean nothing in a new buffer. Pure.
import type { IBuffer } from "@xterm/xterm";

export interface ScrollAnchor {
  /** Rows of the viewport from its top, right-trimmed. */
  rows: readonly string[];
  /** Rows between the viewport and the bottom. */
  fromBottom: number;
}

type ReadableBuffer = Pick<IBuffer, "viewportY" | "baseY" | "getLine">;

/** Enough to be unmistakable in ordinary output, few enough to survive a change at the screen's lower end. */
const anchorRows = 6;

export function isAtBottom(buffer: Pick<IBuffer, "viewportY" | "baseY">): boolean {
  return buffer.viewportY >= buffer.baseY;
}

/** Null at the bottom: there is nothing to keep. */
export function captureAnchor(buffer: ReadableBuffer, rows: number): ScrollAnchor | null {
  if (isAtBottom(buffer)) return null;
  const count = Math.min(anchorRows, rows);
  const texts = Array.from({ length: count }, (_, row) => textAt(buffer, buffer.viewportY + row));
  return { rows: texts, fromBottom: buffer.baseY - buffer.viewportY };
}

/** First row of the viewport to show; of several equal places the one that lies as far from the bottom as before. Null: gone. */
export function findAnchor(buffer: ReadableBuffer, anchor: ScrollAnchor): number | null {
  let best: number | null = null;
  let bestDistance = Number.POSITIVE_INFINITY;
  const expected = buffer.baseY - anchor.fromBottom;
  for (let top = 0; top < buffer.baseY; top++) {
    const distance = Math.abs(top - expected);
    if (distance >= bestDistance) continue;
    if (anchor.rows.every((text, row) => textAt(buffer, top + row) === text)) {
      best = top;
      bestDistance = distance;
    }
  }
  return best;
}

function textAt(buffer: ReadableBuffer, row: number): string {
  return buffer.getLine(row)?.translateToString(true) ?? "";
}
