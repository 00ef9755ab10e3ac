// Bytes and text meet here and in the places named in docs/architecture.md, nowhere else.

const encoder = new TextEncoder();

export const emptyBytes: Uint8Array = new Uint8Array(0);

export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** A new array holding all of `parts` in order. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1 && parts[0]) return parts[0];
  let length = 0;
  for (const part of parts) length += part.length;
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
