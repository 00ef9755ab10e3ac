// What typed bytes do to a line, as far as the phase and password prompts care. Pure.

/** Enter, line feed, ^C, ^D, ^Z, ^\: they end a line or the program. */
const ending = new Set([0x0d, 0x0a, 0x03, 0x04, 0x1a, 0x1c]);

export interface TypedEffect {
  /** A line was sent or a program interrupted. */
  readonly isSubmit: boolean;
  /** Something stands on the line afterwards. */
  readonly leavesText: boolean;
}

export function effectOf(bytes: Uint8Array): TypedEffect {
  const last = bytes.findLastIndex((byte) => ending.has(byte));
  return { isSubmit: last >= 0, leavesText: last < bytes.length - 1 };
}

export function linesIn(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => sum + (byte === 0x0d || byte === 0x0a ? 1 : 0), 0);
}
