// What one viewer is sent: snapshot or resume, then the log in order, as far as its window allows (AT2, AT4, docs/protocol.md).
// Knows neither who the viewer is nor what it sends; that is session/attachment.ts.
import { assertNever } from "#lib/base/assert.ts";
import type { Clock } from "#lib/base/clock.ts";
import type { ServerMessage, SnapshotMessage } from "#lib/protocol/attach.ts";
import type { ErrorCode } from "#lib/protocol/errors.ts";
import type { ByteOffset } from "#lib/protocol/ids.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { LogReader } from "#server/host/output/output-log.ts";
import type { ViewedLog } from "./covered-log.ts";
import { type EndCode, type Notice, Outlet } from "./outlet.ts";
import type { Sink } from "./sink.ts";
import type { EarlyView, SnapshotSource, ViewedSnapshot } from "./snapshot-source.ts";
import type { ViewerStream } from "./viewer-stream.ts";
import { ViewerWindow } from "./viewer-window.ts";

/** Largest frame of live bytes. */
export const frameBytes = 64 * 1024;
/** With less room than this and more to send, wait: a window nibbled at would go out in crumbs. */
const leastRoom = limits.viewerWindowBytes / 8;

type Position =
  | { state: "waiting" }
  | { state: "snapshot"; snapshot: ViewedSnapshot; nextPiece: number; reason: Reason }
  | { state: "live"; reader: LogReader };
type Reason = SnapshotMessage["reason"];

export class AttachStream implements ViewerStream {
  private readonly window = new ViewerWindow(limits.viewerWindowBytes);
  private position: Position = { state: "waiting" };
  private readonly outlet: Outlet;

  constructor(
    sink: Sink,
    private readonly log: ViewedLog,
    private readonly snapshots: SnapshotSource,
    clock: Clock,
  ) {
    this.outlet = new Outlet(sink, clock, () => this.flush());
  }

  /** `since`: what the viewer says it has. */
  begin(hello: ServerMessage, since?: ByteOffset): void {
    this.outlet.send(hello);
    if (since === undefined) this.sendSnapshot(undefined);
    else if (since > this.log.end) this.sendSnapshot("ahead");
    else if (since < this.log.oldest) this.sendSnapshot("evicted");
    else this.resume(since);
  }

  private resume(since: ByteOffset): void {
    this.outlet.send({ type: "resume", at: since, ...this.snapshots.written });
    this.window.resumeAt(since);
    this.position = { state: "live", reader: this.log.readerAt(since) };
    this.flush();
  }

  flush(): void {
    this.outlet.sendNotices();
    while (this.sendNext()) {}
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

  acknowledge(at: ByteOffset): void {
    if (this.outlet.isEnded) return;
    if (!this.window.acknowledge(at)) {
      this.end("BAD_REQUEST", `ack ${at} is beyond what was sent`);
      return;
    }
    // Who was not blocked gets what is due at the session's pace: an ack per frame would make a frame per read.
    if (this.outlet.unblock()) this.flush();
  }

  end(code: EndCode, reason: string): void {
    this.outlet.end(code, reason);
  }

  dispose(): void {
    this.outlet.dispose();
  }

  /** True when something was sent and more may follow. */
  private sendNext(): boolean {
    if (this.outlet.isEnded) return false;
    const { position } = this;
    switch (position.state) {
      case "waiting":
        return false;
      case "snapshot":
        if (this.outlet.isFull) return this.block();
        this.sendPiece(position);
        return true;
      case "live":
        return this.sendEntry(position.reader);
      default:
        return assertNever(position);
    }
  }

  private sendEntry(reader: LogReader): boolean {
    const due = this.log.end - reader.offset;
    const isTight = this.window.room < leastRoom && due > this.window.room;
    if (due > 0 && (isTight || this.outlet.isFull)) return this.block();
    const entry = reader.read(Math.min(frameBytes, this.window.room));
    switch (entry.kind) {
      case "empty":
        return false;
      case "bytes":
        this.window.sent(entry.bytes.length);
        this.outlet.sendBytes(entry.bytes);
        return true;
      case "resize":
        this.outlet.send({
          type: "resized",
          at: entry.at,
          size: entry.size,
          nth: reader.entry,
        });
        return true;
      case "exit":
        this.outlet.send({ type: "exited", at: entry.at, ...entry.status });
        return true;
      case "evicted":
        this.outlet.send({ type: "resync" });
        this.sendSnapshot("evicted");
        return false;
      default:
        return assertNever(entry);
    }
  }

  private sendSnapshot(reason: Reason): void {
    this.position = { state: "waiting" };
    let isScreenSent = false;
    const sendEarly = (early: EarlyView) => {
      if (this.outlet.isEnded || this.outlet.isFull) return;
      isScreenSent = true;
      this.window.beginSnapshot(early.at);
      this.sendScreen(early, false, reason);
    };
    this.snapshots.take(sendEarly).then(
      (snapshot) => {
        if (this.outlet.isEnded) return;
        if (!isScreenSent) this.window.beginSnapshot(snapshot.at);
        this.position = { state: "snapshot", snapshot, nextPiece: isScreenSent ? 1 : 0, reason };
        this.flush();
      },
      (fault: unknown) => this.outlet.fail(fault),
    );
  }

  private sendPiece(position: Extract<Position, { state: "snapshot" }>): void {
    const { snapshot, nextPiece, reason } = position;
    const isLast = nextPiece === snapshot.history.length;
    // State first, then the sink: one that answers at once must find it true.
    this.position = isLast
      ? { state: "live", reader: this.log.readerAt(snapshot.at, snapshot.afterEntry) }
      : { ...position, nextPiece: nextPiece + 1 };
    if (nextPiece === 0) this.sendScreen(snapshot, isLast, reason);
    else this.sendPart(snapshot, "history", snapshot.history[nextPiece - 1] as Uint8Array, isLast);
  }

  private sendScreen(snapshot: EarlyView, isLast: boolean, reason: Reason): void {
    this.sendPart(snapshot, "screen", snapshot.screen, isLast, reason);
  }

  private sendPart(
    { at, size, commands, lowest }: EarlyView,
    part: "screen" | "history",
    bytes: Uint8Array,
    last: boolean,
    reason?: Reason,
  ): void {
    this.window.sentSnapshot(bytes.length, last);
    this.outlet.unblock();
    const { cols, rows } = size;
    this.outlet.send({
      type: "snapshot",
      at,
      cols,
      rows,
      part,
      last,
      ...(reason ? { reason } : {}),
      ...(part === "screen"
        ? {
            ...(commands ? { commands } : {}),
            ...(lowest ? { lowest, ...this.snapshots.written } : {}),
          }
        : {}),
    });
    this.outlet.sendBytes(bytes);
  }

  private block(): false {
    this.outlet.block();
    return false;
  }
}
