// How output is cut for the emulator, which looks at nothing else while it parses one write.
import type { GridSize } from "#lib/protocol/geometry.ts";
import { limits } from "#lib/protocol/limits.ts";
import { characterBoundary } from "./utf8.ts";

/**
 * Bytes per write to a screen of `size`. Three bytes can clear a whole screen, so what a KiB may cost grows with the grid: at 300x100
 * it was measured at 150 ms, at 1000x500 at 1.2 s.
 */
export function sliceBytes(size: GridSize): number {
  const reference = 80 * 24 * 4;
  const scaled = Math.floor((limits.screenSliceBytes * reference) / (size.cols * size.rows));
  return Math.max(limits.screenSliceBytes / 16, Math.min(limits.screenSliceBytes, scaled));
}

/** End of the slice of `bytes` that begins at `start`: never inside a character, see `characterBoundary`. */
export function sliceEnd(bytes: Uint8Array, start: number, size: GridSize): number {
  return characterBoundary(bytes, Math.min(start + sliceBytes(size), bytes.length));
}
