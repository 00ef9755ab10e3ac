// Reads a terminal to the end of its dead process's output (PT3), within the second of PT10. Owns the wait, not the descriptors.
import type { Clock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import { EndMark } from "./end-mark.ts";
import { writeNow } from "./terminal-descriptor.ts";

/**
 * Looks at a quiet terminal: the mark may not fit yet, the output may be stopped (C-s), another process may have flushed it.
 * Counted in looks, not in time: between two of them the event loop has read what there was, however late it ran.
 */
const lookMs = 20;
const patienceLooks = 20;

export class ExitDrain implements Disposable {
  private readonly mark = new EndMark();
  private markLeft = this.mark.bytes;
  private looksLeft = patienceLooks;
  private timer: Disposable | null = null;

  /** Without a slave no mark can be written. `onSilence` fires when nothing more is to be expected though the mark did not come back. */
  constructor(
    private readonly slave: number | null,
    private readonly onSilence: () => void,
    private readonly clock: Clock,
  ) {}

  /** Starts or goes on waiting. While the reader is paused nobody waits. */
  resume(): void {
    this.looksLeft = patienceLooks;
    this.timer ??= this.clock.after(lookMs, () => this.look());
    this.writeMark();
  }

  pause(): void {
    this.timer?.dispose();
    this.timer = null;
  }

  dispose(): void {
    this.pause();
  }

  /** The bytes of `chunk` that are output, and whether it has ended with them. */
  push(chunk: Uint8Array): { bytes: Uint8Array; isDone: boolean } {
    this.looksLeft = patienceLooks;
    const result = this.mark.push(chunk);
    if (!result.isDone) this.writeMark();
    return result;
  }

  /** Output that was held back because it could have been the mark. */
  flush(): Uint8Array {
    return this.mark.flush();
  }

  private look(): void {
    this.timer = null;
    this.looksLeft -= 1;
    this.writeMark();
    if (this.looksLeft > 0) this.timer = this.clock.after(lookMs, () => this.look());
    else this.onSilence();
  }

  private writeMark(): void {
    if (this.slave === null || this.markLeft.length === 0) return;
    try {
      this.markLeft = this.markLeft.subarray(writeNow(this.slave, this.markLeft));
    } catch {
      // Hung up (EIO): no mark will pass any more; the looks run out.
      this.markLeft = this.markLeft.subarray(this.markLeft.length);
    }
  }
}
