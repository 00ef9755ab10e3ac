// UTF-8 as the emulator reads it: which bytes form a character, which are skipped. Knows nothing about control sequences.

/** `decodeAt` met the end of the bytes inside a character that is valid so far. */
export const truncated = 0;

/**
 * Reads the character at `at`, whose first byte is >= 0x80. Returns `codePoint * 8 + length`, `truncated`, or minus the number of
 * bytes that form no character (the emulator skips exactly those). A number and not an object: this runs for every character.
 */
export function decodeAt(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] as number;
  if (lead < 0xc0 || lead > 0xf7) return -1;
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  let codePoint = lead & (length === 2 ? 0x1f : length === 3 ? 0x0f : 0x07);
  for (let i = 1; i < length; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) return truncated;
    if ((byte & 0xc0) !== 0x80) return -i;
    codePoint = codePoint * 64 + (byte & 0x3f);
  }
  const isLegal =
    length === 2
      ? codePoint >= 0x80
      : length === 3
        ? codePoint >= 0x800 && (codePoint < 0xd800 || codePoint > 0xdfff)
        : codePoint >= 0x10000 && codePoint <= 0x10ffff;
  return isLegal ? codePoint * 8 + length : -length;
}

/** A copy of `bytes` without the bytes that form no character. */
export function withoutMalformed(bytes: Uint8Array): Uint8Array {
  const kept = new Uint8Array(bytes.length);
  let size = 0;
  for (let at = 0; at < bytes.length; ) {
    const decoded = (bytes[at] as number) < 0x80 ? 1 : decodeAt(bytes, at);
    const length = decoded <= 0 ? Math.max(1, -decoded) : decoded & 7;
    if (decoded > 0) for (let i = 0; i < length; i++) kept[size++] = bytes[at + i] as number;
    at += length;
  }
  return kept.subarray(0, size);
}

/**
 * The largest position <= `end` at which `bytes` may be cut without dividing a character. xterm's decoder loses some characters
 * (U+3002 among them) when a write ends inside them, so every writer cuts here. Moves back by at most 3.
 */
export function characterBoundary(bytes: Uint8Array, end: number): number {
  if (end >= bytes.length) return bytes.length;
  for (let back = 0; back < 4 && end - back > 0; back++) {
    if (((bytes[end - back] as number) & 0xc0) !== 0x80) return end - back;
  }
  // Five bytes without a lead byte are no character: any cut is as good.
  return end;
}
