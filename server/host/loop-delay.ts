// How long the host's event loop was held up since somebody last asked: the figure by which a stall shows (SN4, C-L1).
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Disposable } from "#lib/base/lifecycle.ts";

export interface LoopDelay {
  /** Milliseconds beyond the sampling interval. */
  readonly max_ms: number;
  readonly p99_ms: number;
}

const sampleEveryMs = 10;

export class LoopDelayMeter implements Disposable {
  private readonly histogram = monitorEventLoopDelay({ resolution: sampleEveryMs });

  constructor() {
    this.histogram.enable();
  }

  /** Since the last call. */
  take(): LoopDelay {
    const beyond = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - sampleEveryMs);
    const taken = {
      max_ms: beyond(this.histogram.max),
      p99_ms: beyond(this.histogram.percentile(99)),
    };
    this.histogram.reset();
    return taken;
  }

  dispose(): void {
    this.histogram.disable();
  }
}
