// The last `capacity` bytes of a stream, addressed by absolute offset. Knows bytes only; order with resizes is OutputLog's.
import type { ByteOffset } from "#lib/protocol/ids.ts";

const maxBlockBytes = 256 * 1024;
/** A session that prints little keeps little. */
const minBlockBytes = 4 * 1024;
/** Between remembered ends of chunks: few numbers however small the chunks, and reads are shortened by no more than this. */
const cutSpacingBytes = 1_024;

interface Block {
  readonly start: ByteOffset;
  readonly bytes: Uint8Array;
  used: number;
  /** Some places between chunks, ascending, relative to `start`; `used` is always one too. */
  readonly cuts: number[];
}

/**
 * Each byte is copied once, into a block; readers get views of blocks. The used part of a block is never written again and a
 * dropped block is left to the garbage collector, so a view that a socket still holds stays true however far the ring moved.
 *
 * The guard ends its chunks between characters and sequences. Chunks are not split over blocks, and reads end where a chunk ended
 * wherever they can: emulators lose characters cut by a write (B048), and a snapshot is best taken between two sequences.
 */
export class BlockRing {
  private readonly blocks: Block[] = [];
  private readonly blockBytes: number;
  private endOffset: ByteOffset = 0;

  constructor(private readonly capacity: number) {
    this.blockBytes = Math.min(maxBlockBytes, Math.ceil(capacity / 8));
  }

  get end(): ByteOffset {
    return this.endOffset;
  }

  get oldest(): ByteOffset {
    return this.blocks[0]?.start ?? this.endOffset;
  }

  /** Appends one chunk. */
  append(bytes: Uint8Array): void {
    const block = this.blockWithRoom(bytes.length);
    if (block.used - (block.cuts.at(-1) ?? 0) >= cutSpacingBytes) block.cuts.push(block.used);
    block.bytes.set(bytes, block.used);
    block.used += bytes.length;
    this.endOffset += bytes.length;
    while (this.endOffset - this.oldest > this.capacity && this.blocks.length > 1)
      this.blocks.shift();
  }

  /** Between 1 and `maxBytes` bytes from `offset`, which lies in `[oldest, end)`. Borrowed. */
  read(offset: ByteOffset, maxBytes: number): Uint8Array {
    const block = this.blocks[this.indexOf(offset)] as Block;
    const from = offset - block.start;
    const to = from + maxBytes < block.used ? bestEnd(block, from, from + maxBytes) : block.used;
    return block.bytes.subarray(from, to);
  }

  private blockWithRoom(bytes: number): Block {
    const last = this.blocks.at(-1);
    if (last && last.used + bytes <= last.bytes.length) return last;
    const size = Math.max(bytes, Math.min(this.blockBytes, Math.max(minBlockBytes, this.end)));
    // Not from Node's shared pool: a view would keep a foreign pool page alive; not zeroed: only the used part is ever read.
    const block = { start: this.end, bytes: Buffer.allocUnsafeSlow(size), used: 0, cuts: [] };
    this.blocks.push(block);
    return block;
  }

  /** Binary search: readers behind by megabytes ask as often as those at the end. */
  private indexOf(offset: ByteOffset): number {
    let low = 0;
    let high = this.blocks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.blocks[middle] as Block).start <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** The last end of a chunk in `(from, limit]`; in a chunk that is longer, the last place between two characters. */
function bestEnd(block: Block, from: number, limit: number): number {
  const cut = block.cuts.findLast((each) => each <= limit);
  if (cut !== undefined && cut > from) return cut;
  let end = limit;
  while (end > from + 1 && end > limit - 4 && ((block.bytes[end] as number) & 0xc0) === 0x80)
    end -= 1;
  return end;
}
