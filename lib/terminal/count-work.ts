// How far the count of a control sequence may go: never beyond the screen (SC8), and in sum no further than a ration of work. Without
// the ration, counts within the screen still make one KiB of `CSI 24 S` cost 60 ms at 80x24 and 3 s at 1000x500 (measured).
import type { GridSize } from "#lib/protocol/geometry.ts";
import { limits } from "#lib/protocol/limits.ts";
import { Ration } from "./ration.ts";

/** Whether `CSI n final` repeats something n times. */
export function isCount(final: number): boolean {
  switch (final) {
    case 0x4c: // L: IL
    case 0x4d: // M: DL
    case 0x53: // S: SU
    case 0x54: // T: SD
    case 0x49: // I: CHT
    case 0x5a: // Z: CBT
    case 0x62: // b: REP
      return true;
    default:
      return false;
  }
}

export interface CountContext {
  readonly size: GridSize;
  readonly nowMs: number;
}

export class CountWork {
  private ration: Ration | null = null;
  private cells = 0;

  /** The count that may stand instead of `count` (more than 1). `clusterUnits`: code points that REP would write each time. */
  grant(final: number, count: number, clusterUnits: number, context: CountContext): number {
    const { rows, cols } = context.size;
    switch (final) {
      case 0x4c:
      case 0x4d:
      case 0x53:
      case 0x54:
        // A line costs a list insertion and a new row.
        return this.affordable(Math.min(count, rows), 1, 50 + cols / 10, context);
      case 0x49:
      case 0x5a:
        return Math.min(count, cols);
      case 0x62: {
        const bounded = Math.min(count, Math.floor((rows * cols) / clusterUnits));
        return this.affordable(
          Math.max(1, bounded),
          Math.ceil(cols / clusterUnits),
          clusterUnits,
          context,
        );
      }
      default:
        return Math.min(count, limits.controlParameter);
    }
  }

  /** As much of `count` as the ration has: `free` of them cost nothing, the others `each`. */
  private affordable(count: number, free: number, each: number, context: CountContext): number {
    if (count <= free) return count;
    const cells = context.size.rows * context.size.cols;
    if (!this.ration || cells !== this.cells) {
      this.cells = cells;
      const { screens, cells: atLeast, cellsPerSecond } = limits.countWork;
      this.ration = new Ration(Math.max(atLeast, screens * cells), cellsPerSecond);
    }
    const extra = Math.min(count - free, Math.floor(this.ration.available(context.nowMs) / each));
    this.ration.take(Math.ceil(extra * each), context.nowMs);
    return free + extra;
  }
}
