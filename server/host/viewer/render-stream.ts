// What one viewer of `view=render` is sent: whole frames of the screen, each the newest when it was drawn (AT6, docs/protocol.md "Render view").
// States between two frames are skipped, so a slow viewer has no queue. Knows neither who the viewer is nor what it sends.
import { concatBytes, utf8 } from "#lib/base/bytes.ts";
import type { Clock } from "#lib/base/clock.ts";
import type { ServerMessage } from "#lib/protocol/attach.ts";
import type { ErrorCode } from "#lib/protocol/errors.ts";
import { type GridSize, sameSize } from "#lib/protocol/geometry.ts";
import type { ByteOffset } from "#lib/protocol/ids.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { OutputLogApi } from "#server/host/output/output-log.ts";
import { inputModes } from "#server/host/screen/input-modes.ts";
import type { Frame, FrameSource, FrameTaker } from "./frame-source.ts";
import { type EndCode, type Notice, Outlet } from "./outlet.ts";
import type { Sink } from "./sink.ts";
import type { ViewerStream } from "./viewer-stream.ts";

/** Frames on their way: enough for 25 ms each over a round trip of 100 ms, few enough that the last is never old. */
const framesInFlight = 4;

export interface RenderOptions {
  /** The grid of the viewer's terminal. */
  readonly view: GridSize;
  /** The session's size as the viewer was told in `hello`. */
  readonly told: GridSize;
  /** A reader's terminal keeps its own modes: what it would send is refused anyway. */
  readonly isReader: boolean;
  /** Its viewer must not have what is hidden in text. */
  readonly isCovered: boolean;
}

export class RenderStream implements ViewerStream, FrameTaker {
  private readonly outlet: Outlet;
  private readonly isReader: boolean;
  readonly isCovered: boolean;
  private viewGrid: GridSize;
  private told: GridSize;
  /** The place of the log that the last frame drawn shows; null: the viewer must get one whatever happened. */
  private shown: { at: ByteOffset; entry: number } | null = null;
  private sentModes = "";
  /** Of the picture that the terminal shows. */
  private sentFingerprint: string | null = null;
  private sentAt: ByteOffset = -1;
  private readonly inFlight: { at: ByteOffset; bytes: number }[] = [];
  private isExitTold = false;

  constructor(
    sink: Sink,
    private readonly log: OutputLogApi,
    private readonly frames: FrameSource,
    clock: Clock,
    options: RenderOptions,
  ) {
    this.outlet = new Outlet(sink, clock, () => this.flush());
    this.viewGrid = options.view;
    this.told = options.told;
    this.isReader = options.isReader;
    this.isCovered = options.isCovered;
  }

  get view(): GridSize {
    return this.viewGrid;
  }

  begin(hello: ServerMessage): void {
    this.outlet.send(hello);
    this.flush();
  }

  /** The viewer's terminal has another size now, and whatever that did to its picture. */
  resizeView(size: GridSize): void {
    if (this.outlet.isEnded) return;
    this.viewGrid = size;
    this.sentFingerprint = null;
    this.shown = null;
    this.flush();
  }

  flush(): void {
    if (this.outlet.isEnded) return;
    this.outlet.sendNotices();
    if (!this.isDue()) return;
    if (this.canSend()) this.frames.request(this);
    else this.outlet.block();
  }

  take(frame: Frame): void {
    if (this.outlet.isEnded) return;
    if (!this.canSend()) {
      this.outlet.block();
      return;
    }
    this.shown = { at: frame.at, entry: frame.entry };
    if (!sameSize(frame.size, this.told)) {
      this.told = frame.size;
      this.outlet.send({ type: "resized", at: frame.at, size: frame.size });
    }
    this.send(frame);
    this.tellExit();
    this.flush();
  }

  fail(fault: unknown): void {
    this.outlet.fail(fault);
  }

  notice(notice: Notice): void {
    this.outlet.notice(notice);
  }

  refuse(code: ErrorCode, detail: string): void {
    this.answer({ type: "error", code, detail });
  }

  answer(message: Extract<ServerMessage, { type: "error" | "pong" }>): void {
    this.outlet.answer(message);
  }

  /** Frames up to the one that shows `at` are painted. */
  acknowledge(at: ByteOffset): void {
    if (this.outlet.isEnded) return;
    if (at > this.sentAt) {
      this.end("BAD_REQUEST", `ack ${at} is beyond what was sent`);
      return;
    }
    while (this.inFlight[0] && this.inFlight[0].at <= at) this.inFlight.shift();
    if (this.outlet.unblock()) this.flush();
  }

  end(code: EndCode, reason: string): void {
    this.frames.withdraw(this);
    this.outlet.end(code, reason);
  }

  dispose(): void {
    this.frames.withdraw(this);
    this.outlet.dispose();
  }

  private isDue(): boolean {
    const { shown, log } = this;
    return shown === null || shown.at !== log.end || shown.entry !== log.entryCount;
  }

  /** One frame may always be under way, however large. */
  private canSend(): boolean {
    if (this.outlet.isFull || this.inFlight.length >= framesInFlight) return false;
    let bytes = 0;
    for (const frame of this.inFlight) bytes += frame.bytes;
    return bytes < limits.viewerWindowBytes;
  }

  /** Nothing when the terminal shows it already. */
  private send(frame: Frame): void {
    const modes = this.isReader ? "" : inputModes(frame.modes);
    const { bytes: picture, fingerprint } = frame.picture;
    if (fingerprint === this.sentFingerprint && modes === this.sentModes) return;
    const bytes = modes === this.sentModes ? picture : concatBytes([utf8(modes), picture]);
    // State first, then the sink: one that answers at once must find it true.
    this.sentModes = modes;
    this.sentFingerprint = fingerprint;
    this.sentAt = frame.at;
    this.inFlight.push({ at: frame.at, bytes: bytes.length });
    this.outlet.send({ type: "frame", at: frame.at });
    this.outlet.sendBytes(bytes);
  }

  /** After the frame that shows everything before it. */
  private tellExit(): void {
    if (this.isExitTold || this.isDue()) return;
    // A reader at the end finds the exit and nothing else: no bytes follow one.
    const last = this.log.readerAt(this.log.end, this.log.entryCount).read(0);
    if (last.kind !== "exit") return;
    this.isExitTold = true;
    this.outlet.send({ type: "exited", at: last.at, ...last.status });
  }
}
