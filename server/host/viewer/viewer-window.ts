// What one viewer has been sent and has acknowledged, in bytes (AT4). Pure arithmetic; knows no sink and no log.
import type { ByteOffset } from "#lib/protocol/ids.ts";

export class ViewerWindow {
  private sentOffset: ByteOffset = 0;
  private ackedOffset: ByteOffset = 0;
  /** Bytes of the snapshot sent and not acknowledged; a snapshot is acknowledged whole. */
  private snapshotBytes = 0;
  private isSnapshotWhole = true;

  constructor(private readonly capacity: number) {}

  get inFlight(): number {
    return this.sentOffset - this.ackedOffset + this.snapshotBytes;
  }

  get room(): number {
    return this.capacity - this.inFlight;
  }

  /** Everything before `at` is with the viewer already. */
  resumeAt(at: ByteOffset): void {
    this.sentOffset = at;
    this.ackedOffset = at;
  }

  /**
   * A snapshot at `at` begins. What was in flight before is forgotten: the viewer draws it and then resets, so at most one
   * window more than allowed is under way.
   */
  beginSnapshot(at: ByteOffset): void {
    this.resumeAt(at);
    this.snapshotBytes = 0;
    this.isSnapshotWhole = false;
  }

  sentSnapshot(bytes: number, isLast: boolean): void {
    this.snapshotBytes += bytes;
    this.isSnapshotWhole = isLast;
  }

  sent(bytes: number): void {
    this.sentOffset += bytes;
  }

  /** False when the viewer claims more than it was sent. An acknowledgement from before the last snapshot changes nothing. */
  acknowledge(at: ByteOffset): boolean {
    if (at > this.sentOffset) return false;
    if (at < this.ackedOffset) return true;
    this.ackedOffset = at;
    if (this.isSnapshotWhole) this.snapshotBytes = 0;
    return true;
  }
}
