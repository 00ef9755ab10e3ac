// All viewers of one session: sends each what is due soon after it was logged, many small reads as one frame.
import type { Clock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { OutputLogApi } from "#server/host/output/output-log.ts";
import { frameBytes } from "./attach-stream.ts";
import type { EndCode, Notice } from "./outlet.ts";
import type { ViewerStream } from "./viewer-stream.ts";

/** A terminal device hands out 4 KiB at a time; without a pause each would be a frame per viewer. Half a screen refresh. */
const paceMs = 4;

export class Fanout implements Disposable {
  private readonly streams = new Set<ViewerStream>();
  private readonly subscription: Disposable;
  private flushedEnd = 0;
  private flushedMs = Number.NEGATIVE_INFINITY;
  private scheduled: Disposable | null = null;

  constructor(
    private readonly log: OutputLogApi,
    private readonly clock: Clock,
  ) {
    this.subscription = log.onAppend(() => this.appended());
  }

  get count(): number {
    return this.streams.size;
  }

  add(stream: ViewerStream): void {
    this.streams.add(stream);
  }

  remove(stream: ViewerStream): void {
    this.streams.delete(stream);
  }

  notice(notice: Notice): void {
    for (const stream of this.streams) stream.notice(notice);
  }

  /** Ends every viewer. */
  end(code: EndCode, reason: string): void {
    for (const stream of this.streams) stream.end(code, reason);
    this.streams.clear();
  }

  dispose(): void {
    this.subscription.dispose();
    this.scheduled?.dispose();
    this.scheduled = null;
  }

  /** The first bytes after a pause go out in this turn of the loop: an echo is not delayed. */
  private appended(): void {
    if (this.streams.size === 0) return;
    if (this.log.end - this.flushedEnd >= frameBytes) this.flush();
    else if (!this.scheduled) this.schedule();
  }

  private schedule(): void {
    const waitMs = this.flushedMs + paceMs - this.clock.monotonic();
    this.scheduled =
      waitMs > 0 ? this.clock.after(waitMs, () => this.flush()) : immediate(() => this.flush());
  }

  private flush(): void {
    this.scheduled?.dispose();
    this.scheduled = null;
    this.flushedEnd = this.log.end;
    this.flushedMs = this.clock.monotonic();
    for (const stream of this.streams) stream.flush();
  }
}

/** Runs `fn` when the reads of this turn of the event loop are done. */
function immediate(fn: () => void): Disposable {
  const handle = setImmediate(fn);
  return { dispose: () => clearImmediate(handle) };
}
