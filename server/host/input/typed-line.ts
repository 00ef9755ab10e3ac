// How long the line is that is being typed: in canonical mode Linux keeps 4,095 bytes of one and drops the rest without a word (IN7).
// Counts bytes; whether the terminal is in that mode is asked elsewhere, and only when a line has become that long.

/** Ends a line, or empties it: C-c, C-d, LF, CR, C-u, C-\. A terminal may have other keys for these; then a line seems longer than it is. */
const ends: ReadonlySet<number> = new Set([0x03, 0x04, 0x0a, 0x0d, 0x15, 0x1c]);

export class TypedLine {
  private openBytes = 0;

  typed(bytes: Uint8Array): void {
    this.openBytes = measure(bytes, this.openBytes).open;
  }

  /** The longest line that there would be while `bytes` are typed behind what is there. */
  longestWith(bytes: Uint8Array): number {
    return measure(bytes, this.openBytes).longest;
  }

  /** The terminal keeps no lines: what was typed has been read, or waits to be. */
  forget(): void {
    this.openBytes = 0;
  }
}

function measure(bytes: Uint8Array, before: number): { open: number; longest: number } {
  let open = before;
  let longest = 0;
  for (const byte of bytes) {
    if (ends.has(byte)) open = 0;
    else open += 1;
    if (open > longest) longest = open;
  }
  return { open, longest };
}
