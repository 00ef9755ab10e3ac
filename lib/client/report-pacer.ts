// Sends what the terminal emits by itself (mouse moves above all) as few frames: the first at once, what follows within a short
// time together. The bytes and their order stay the same.
import type { Clock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";

/** 25 frames per second: half of what the server allows, and a mouse still feels immediate. */
export const reportGapMs = 40;
/** Longest `data` of one report (lib/protocol/attach.ts); a batch that would pass it is sent before it is full. */
export const reportChars = 4096;

export class ReportPacer implements Disposable {
  private waiting = "";
  private timer: Disposable | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly send: (data: string) => void,
  ) {}

  add(data: string): void {
    if (data.length > reportChars) return;
    if (this.waiting.length + data.length > reportChars) this.flush();
    this.waiting += data;
    if (this.timer) return;
    this.flush();
    this.arm();
  }

  dispose(): void {
    this.timer?.dispose();
    this.timer = null;
    this.waiting = "";
  }

  private arm(): void {
    this.timer = this.clock.after(reportGapMs, () => {
      this.timer = null;
      if (this.waiting === "") return;
      this.flush();
      this.arm();
    });
  }

  private flush(): void {
    const data = this.waiting;
    this.waiting = "";
    if (data !== "") this.send(data);
  }
}
