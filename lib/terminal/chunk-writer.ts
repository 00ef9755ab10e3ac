// Collects what is kept of a chunk: nothing is copied until something in the middle is left out or put in.

export class ChunkWriter {
  private from = 0;
  private out: Uint8Array | null = null;
  private size = 0;

  constructor(private readonly source: Uint8Array) {}

  /** Leaves out the bytes from `start` to `end`; those before, back to the last edit, are kept. */
  skip(start: number, end: number): void {
    this.keepTo(start);
    this.from = end;
  }

  /** Puts `bytes` in the place of those from `start` to `end`. */
  replace(start: number, end: number, bytes: Uint8Array): void {
    this.keepTo(start);
    this.from = end;
    this.append(bytes, 0, bytes.length);
  }

  /** What was kept up to `end`: the source itself or a part of it where nothing was edited, else a new array. */
  finish(end: number): Uint8Array {
    if (!this.out) {
      return this.from === 0 && end === this.source.length
        ? this.source
        : this.source.subarray(Math.min(this.from, end), end);
    }
    this.keepTo(end);
    return this.out.subarray(0, this.size);
  }

  private keepTo(end: number): void {
    if (end > this.from) this.append(this.source, this.from, end);
  }

  private append(bytes: Uint8Array, start: number, end: number): void {
    const length = end - start;
    if (length === 0) return;
    if (!this.out || this.size + length > this.out.length) {
      const larger = new Uint8Array(Math.max(this.source.length + 64, (this.size + length) * 2));
      if (this.out) larger.set(this.out.subarray(0, this.size));
      this.out = larger;
    }
    // A view costs more than copying a few bytes.
    if (length < 24) {
      for (let i = start; i < end; i++) this.out[this.size++] = bytes[i] as number;
    } else {
      this.out.set(bytes.subarray(start, end), this.size);
      this.size += length;
    }
  }
}
