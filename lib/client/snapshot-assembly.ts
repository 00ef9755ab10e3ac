// Puts the pieces of one snapshot together (SN4, SN5). Pure but for its own memory, which the server's scrollback limit bounds.
import type { SnapshotMarks, SnapshotMessage } from "#lib/protocol/attach.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";

export interface CompleteSnapshot {
  at: number;
  size: GridSize;
  /** Oldest first. */
  history: readonly Uint8Array[];
  screen: Uint8Array;
  marks: SnapshotMarks;
}

export type Piece =
  /** The screen part: can be drawn now, and will be drawn once more with its history. */
  | { kind: "screen"; size: GridSize; bytes: Uint8Array }
  | { kind: "more" }
  | { kind: "complete"; snapshot: CompleteSnapshot };

export class SnapshotAssembly {
  private announced: SnapshotMessage | null = null;
  private screen: Omit<CompleteSnapshot, "history"> | null = null;
  private history: Uint8Array[] = [];

  /** The next binary frame belongs to a snapshot. */
  get expectsBytes(): boolean {
    return this.announced !== null;
  }

  announce(message: SnapshotMessage): void {
    this.announced = message;
  }

  /** Null when the pieces do not fit together: the peer does not keep the protocol. */
  take(bytes: Uint8Array): Piece | null {
    const message = this.announced;
    this.announced = null;
    if (!message) return null;
    if (message.part === "screen") {
      // A screen part begins a snapshot; a half-sent one before it is given up (the server resynchronised).
      const size = { cols: message.cols, rows: message.rows };
      const { at, commands, lowest, written } = message;
      this.screen = { at, size, screen: bytes, marks: { commands, lowest, written } };
      this.history = [];
    } else {
      if (!this.screen || this.screen.at !== message.at) return null;
      this.history.push(bytes);
    }
    if (message.last) {
      const snapshot = { ...this.screen, history: this.history };
      this.screen = null;
      this.history = [];
      return { kind: "complete", snapshot };
    }
    return message.part === "screen"
      ? { kind: "screen", size: this.screen.size, bytes }
      : { kind: "more" };
  }
}
