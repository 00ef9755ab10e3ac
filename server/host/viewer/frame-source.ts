// Draws frames for the viewers that wait for one (AT6): gathers what happens for 25 ms, draws once for all terminals that can share it, and
// keeps within a share of the session's time whatever the sizes. Knows no windows and no wire.
import { createHash } from "node:crypto";
import type { Clock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import type { ByteOffset } from "#lib/protocol/ids.ts";
import type { Modes } from "#lib/protocol/screen.ts";
import type { Pump } from "#server/host/output/pump.ts";
import { clippedView } from "#server/host/screen/frame.ts";
import type { ScreenApi } from "#server/host/screen/screen-api.ts";

/** Programs redraw in several writes; most are done by then. */
const debounceMs = 25;
/** A program in the middle of a synchronized update is looked at again this soon, and waited for this long: it may have been killed there. */
const updateCheckMs = 5;
const updatePatienceMs = 1_000;
/** Drawing holds the session's screen; between two rounds it has this many times as long to itself. */
const restFactor = 3;

/** One picture and the place of the log that it shows. */
export interface Frame {
  readonly at: ByteOffset;
  /** Resizes and exit before it, counted as the log does. */
  readonly entry: number;
  /** The session's size in the picture. */
  readonly size: GridSize;
  readonly modes: Modes;
  readonly picture: Picture;
}

/** Shared by all viewers that can show it. */
export interface Picture {
  readonly bytes: Uint8Array;
  /** The same for the same bytes; keeping it costs a viewer nothing. */
  readonly fingerprint: string;
}

export interface FrameTaker {
  /** The grid of its terminal, read when a frame is drawn. */
  readonly view: GridSize;
  /** Stars stand where text hides something. */
  readonly isCovered: boolean;
  take(frame: Frame): void;
  fail(fault: unknown): void;
}

export class FrameSource implements Disposable {
  private readonly waiting = new Set<FrameTaker>();
  private timer: Disposable | null = null;
  private isDrawing = false;
  private isDisposed = false;
  private restsUntilMs = Number.NEGATIVE_INFINITY;
  private updatingSinceMs: number | null = null;

  constructor(
    private readonly pump: Pick<Pump, "hold" | "applied" | "appliedEntries">,
    private readonly screen: Pick<ScreenApi, "frame" | "isMidUpdate" | "modes" | "size">,
    private readonly clock: Clock,
  ) {}

  /** One frame, soon: the newest there is then. Asking again before it came changes nothing. */
  request(taker: FrameTaker): void {
    this.waiting.add(taker);
    this.schedule(Math.max(debounceMs, this.restsUntilMs - this.clock.monotonic()));
  }

  withdraw(taker: FrameTaker): void {
    this.waiting.delete(taker);
  }

  dispose(): void {
    this.isDisposed = true;
    this.waiting.clear();
    this.timer?.dispose();
    this.timer = null;
  }

  private schedule(delayMs: number): void {
    if (this.timer || this.isDrawing || this.isDisposed || this.waiting.size === 0) return;
    this.timer = this.clock.after(delayMs, () => {
      this.timer = null;
      void this.round();
    });
  }

  /** The hold makes each frame the screen at exactly one place, never a mixture of two. */
  private async round(): Promise<void> {
    if (this.waiting.size === 0) return;
    this.isDrawing = true;
    let nextMs = debounceMs;
    const hold = await this.pump.hold();
    try {
      if (this.isDisposed) return;
      const beganMs = this.clock.monotonic();
      if (this.mustWait(beganMs)) {
        nextMs = updateCheckMs;
        return;
      }
      await this.draw();
      const nowMs = this.clock.monotonic();
      this.restsUntilMs = nowMs + restFactor * (nowMs - beganMs);
      nextMs = Math.max(debounceMs, this.restsUntilMs - nowMs);
    } finally {
      hold.dispose();
      this.isDrawing = false;
      this.schedule(nextMs);
    }
  }

  private async draw(): Promise<void> {
    const takers = [...this.waiting];
    this.waiting.clear();
    const { size, modes } = this.screen;
    const place = { at: this.pump.applied, entry: this.pump.appliedEntries };
    const pictures = new Map<string, Promise<Picture>>();
    for (const taker of takers) {
      const view = clippedView(taker.view, size);
      const { isCovered } = taker;
      const key = `${view.cols}x${view.rows} ${isCovered}`;
      try {
        const picture = pictures.get(key) ?? this.picture(view, isCovered);
        pictures.set(key, picture);
        taker.take({ ...place, size, modes, picture: await picture });
      } catch (fault) {
        taker.fail(fault);
      }
    }
  }

  private async picture(view: GridSize, isCovered: boolean): Promise<Picture> {
    const bytes = await this.screen.frame(view, isCovered);
    return { bytes, fingerprint: createHash("sha256").update(bytes).digest("base64") };
  }

  private mustWait(nowMs: number): boolean {
    if (!this.screen.isMidUpdate) {
      this.updatingSinceMs = null;
      return false;
    }
    this.updatingSinceMs ??= nowMs;
    return nowMs - this.updatingSinceMs < updatePatienceMs;
  }
}
