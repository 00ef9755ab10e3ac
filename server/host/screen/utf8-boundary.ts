// Where a piece of UTF-8 may be cut. The emulator (6.0.0, browser build too) loses a character whose second byte is 0x80 when a write
// ends inside it ("—", "’", "•" after their second byte), so it is only ever given whole characters (B048).

/** How many bytes at the end of `bytes` begin a character that is not complete; at most 3. Bytes that are no UTF-8 count as complete. */
export function incompleteUtf8Tail(bytes: Uint8Array): number {
  const { length } = bytes;
  for (let back = 1; back <= 3 && back <= length; back++) {
    const byte = bytes[length - back] as number;
    if ((byte & 0xc0) === 0x80) continue;
    const needs = byte >= 0xf0 && byte < 0xf8 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return byte < 0xf8 && needs > back ? back : 0;
  }
  return 0;
}
