// What an attachment draws on: a terminal. Calls are carried out in their order, after everything before them was parsed.
import type { SnapshotMarks } from "#lib/protocol/attach.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";

export interface AttachTarget {
  /** Resets, takes the size, draws: what can be shown before the scrollback has come. */
  showScreen(size: GridSize, screen: Uint8Array): void;
  /** Resets, takes the size, draws history and screen as one visible step. `drawn` is called when all of it is parsed. */
  showSnapshot(
    size: GridSize,
    history: readonly Uint8Array[],
    screen: Uint8Array,
    drawn: () => void,
    marks?: SnapshotMarks,
  ): void;
  write(bytes: Uint8Array, drawn: () => void): void;
  /** `nth`: rows are counted from here on (LinePlace); undefined: the host does not say. */
  resize(size: GridSize, nth?: number): void;
}
