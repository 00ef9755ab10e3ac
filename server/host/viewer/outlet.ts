// The near end of one viewer's wire: news and answers beside its picture of the session, and how long its silence is borne (AT4, T5A).
// Knows nothing of the picture; that is attach-stream.ts or render-stream.ts.
import type { Clock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { ServerMessage } from "#lib/protocol/attach.ts";
import { type ErrorCode, errorTable } from "#lib/protocol/errors.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { Sink } from "./sink.ts";

/** How often a sink with too much in its buffer is looked at; sinks do not tell when they drain. */
const sinkPollMs = 20;

/** News about the session that has no place between the bytes. */
export type Notice = Extract<
  ServerMessage,
  {
    type:
      | "title"
      | "bell"
      | "phase"
      | "viewers"
      | "asked"
      | "written"
      | "size_owner"
      | "lease"
      | "access"
      | "credential"
      | "need"
      | "agent"
      | "command";
  }
>;
export type EndCode = Extract<
  ErrorCode,
  "BAD_REQUEST" | "SEALED" | "SLOW_VIEWER" | "SESSION_NOT_FOUND" | "HOST_LOST" | "INTERNAL"
>;

export class Outlet implements Disposable {
  /** Newest pending notice of each type, kept while the sink is full; what agents do counts as a type each. */
  private readonly notices = new Map<string, Notice>();
  private silence: Disposable | null = null;
  private sinkPoll: Disposable | null = null;
  private hasEnded = false;

  /** `onDrained`: a sink that was full takes bytes again. */
  constructor(
    private readonly sink: Sink,
    private readonly clock: Clock,
    private readonly onDrained: () => void,
  ) {}

  get isEnded(): boolean {
    return this.hasEnded;
  }

  get isFull(): boolean {
    return this.sink.bufferedBytes > limits.viewerWindowBytes;
  }

  send(message: ServerMessage): void {
    this.sink.send(message);
  }

  sendBytes(bytes: Uint8Array): void {
    this.sink.sendBytes(bytes);
  }

  notice(notice: Notice): void {
    if (this.hasEnded) return;
    this.notices.set(keyOf(notice), notice);
    if (this.isFull) this.watchSink();
    else this.sendNotices();
  }

  sendNotices(): void {
    if (this.notices.size === 0 || this.isFull) return;
    const notices = [...this.notices.values()];
    this.notices.clear();
    for (const notice of notices) this.sink.send(notice);
  }

  /** Something the viewer asked for. Dropped when the viewer does not even read. */
  answer(message: Extract<ServerMessage, { type: "error" | "pong" }>): void {
    if (!this.hasEnded && !this.isFull) this.sink.send(message);
  }

  /** Something is due and may not be sent: from now the viewer's silence counts against it. */
  block(): void {
    this.silence ??= this.clock.after(limits.viewerSilenceMs, () =>
      this.end("SLOW_VIEWER", "nothing was acknowledged for 30 s"),
    );
    if (this.isFull) this.watchSink();
  }

  /** The viewer was heard. Returns whether it was blocked. */
  unblock(): boolean {
    const wasBlocked = this.silence !== null;
    this.silence?.dispose();
    this.silence = null;
    return wasBlocked;
  }

  /** Closes the sink with the code of `code` in the error table. */
  end(code: EndCode, reason: string): void {
    if (this.hasEnded) return;
    this.dispose();
    this.sink.close(errorTable[code].close ?? 1011, reason);
  }

  /** The viewer's picture could not be made; it may try again. A close reason is short and plain. */
  fail(fault: unknown): void {
    const reason = String(fault)
      .replace(/[^ -~]/g, "?")
      .slice(0, 100);
    this.end("INTERNAL", reason);
  }

  /** Stops sending; the sink is the transport's to close. */
  dispose(): void {
    this.hasEnded = true;
    this.unblock();
    this.sinkPoll?.dispose();
    this.sinkPoll = null;
    this.notices.clear();
  }

  private watchSink(): void {
    if (this.sinkPoll) return;
    this.sinkPoll = this.clock.after(sinkPollMs, () => {
      this.sinkPoll = null;
      if (this.isFull) this.watchSink();
      else this.onDrained();
    });
  }
}

/** A notice takes the place of an older one that a slow viewer has not had. */
function keyOf(notice: Notice): string {
  if (notice.type === "agent") return `agent ${notice.did}`;
  return notice.type === "written" ? `written ${notice.id}` : notice.type;
}
