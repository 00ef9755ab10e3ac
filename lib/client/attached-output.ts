// The output of one session as an attachment gets it (SN4, SN5): a snapshot in pieces, then bytes, drawn on a target, and the place at which it
// goes on after an interruption. Knows no socket.
import type { SnapshotMessage } from "#lib/protocol/attach.ts";
import type { AttachTarget } from "./attach-target.ts";
import { SnapshotAssembly } from "./snapshot-assembly.ts";

/** Who is told what is on the terminal. */
export interface DrawnEar {
  /** Everything of the output before `at`. */
  drawn(at: number): void;
  /** A whole snapshot, taken at `at`. */
  snapshotDrawn(at: number): void;
}

export type Taken =
  | "more"
  /** Bytes without a place, or pieces that do not fit together: the peer does not keep the protocol. */
  | "wrong"
  /** A snapshot was whole: to be continued there. */
  | { readonly goesOnAt: number };

export class AttachedOutput {
  private assembly = new SnapshotAssembly();
  private isDue = true;
  /**
   * Offset of the next byte the target has not been given; null when it holds nothing that can be continued. Given, not
   * drawn: the target draws everything it was given, so continuing from what is drawn would repeat bytes.
   */
  private position: number | null;

  constructor(
    private readonly target: AttachTarget,
    since: number | null,
    private readonly dueChanged: () => void,
  ) {
    this.position = since;
  }

  get offset(): number | null {
    return this.position;
  }

  /** The screen that the target shows is not the session's yet. */
  get isScreenDue(): boolean {
    return this.isDue;
  }

  /** On a new connection. */
  reset(): void {
    this.assembly = new SnapshotAssembly();
  }

  awaitScreen(): void {
    this.setDue(true);
  }

  /** From here until the last piece is drawn there is nothing to continue from. */
  lost(): void {
    this.position = null;
    this.setDue(true);
  }

  announced(message: SnapshotMessage): void {
    this.lost();
    this.assembly.announce(message);
  }

  continueAt(at: number): void {
    this.position = at;
    this.setDue(false);
  }

  /** `ear`: of the connection over which the bytes came. */
  take(bytes: Uint8Array, ear: DrawnEar | null): Taken {
    const { target } = this;
    if (!this.assembly.expectsBytes) {
      if (this.position === null) return "wrong";
      this.position += bytes.length;
      const at = this.position;
      target.write(bytes, () => ear?.drawn(at));
      return "more";
    }
    const piece = this.assembly.take(bytes);
    if (!piece) return "wrong";
    if (piece.kind === "screen") target.showScreen(piece.size, piece.bytes);
    if (piece.kind !== "complete") return "more";
    const { at, size, history, screen, marks } = piece.snapshot;
    target.showSnapshot(size, history, screen, () => ear?.snapshotDrawn(at), marks);
    return { goesOnAt: at };
  }

  private setDue(isDue: boolean): void {
    if (this.isDue === isDue) return;
    this.isDue = isDue;
    this.dueChanged();
  }
}
