// One WebSocket and the one attachment that it carries (AT1, AT3, AT7). Turns frames into calls and back; decides nothing about the session.
// The attachment is this object's alone, so a late close of an old socket cannot touch its successor (AT10).
import type { RawData, WebSocket } from "ws";
import { assertNever } from "#lib/base/assert.ts";
import type { Clock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { Actor } from "#lib/protocol/actor.ts";
import {
  type ClientMessage,
  clientMessageSchema,
  type ServerMessage,
} from "#lib/protocol/attach.ts";
import { errorTable, TermError } from "#lib/protocol/errors.ts";
import { validate } from "#lib/protocol/field-errors.ts";
import type { AttachmentApi } from "../session/attachment-api.ts";
import type { Sink } from "../viewer/sink.ts";
import { FrameBudget, type FrameCost } from "./frame-budget.ts";
import type { Peer } from "./peer-watch.ts";
import { type ApiLog, closeCodeOf, problemOf } from "./problem.ts";
import { parseStrictJson } from "./strict-json.ts";

type Outgoing = { text: string } | { bytes: Uint8Array };

type State =
  /** Attached, handshake not yet answered: a few frames wait, within one turn of the event loop. */
  | { kind: "waiting"; frames: Outgoing[] }
  | { kind: "open"; ws: WebSocket; bytesRead: () => number }
  | { kind: "closed" };

export class AttachSocket implements Sink, Peer, Disposable {
  private state: State = { kind: "waiting", frames: [] };
  private attachment: AttachmentApi | undefined;
  private readonly budget: FrameBudget;
  private resumeTimer: Disposable | undefined;
  private closeAsked: { code: number; reason: string } | undefined;

  constructor(
    readonly actor: Actor,
    private readonly requestId: string,
    private readonly clock: Clock,
    private readonly log: ApiLog,
    private readonly onClosed: (socket: AttachSocket) => void,
  ) {
    this.budget = new FrameBudget(clock.monotonic());
  }

  /** The attachment whose frames this socket carries; owned from here on. */
  adopt(attachment: AttachmentApi): void {
    this.attachment = attachment;
    if (this.state.kind === "closed") this.dispose();
  }

  /** The handshake is done: `ws` is owned from here on. */
  open(ws: WebSocket, bytesRead: () => number): void {
    const waiting = this.state.kind === "waiting" ? this.state.frames : [];
    this.state = { kind: "open", ws, bytesRead };
    ws.on("message", (data, isBinary) => this.guarded(() => this.received(data, isBinary)));
    ws.on("ping", (data) => this.guarded(() => this.spend("control", data.length)));
    ws.on("pong", (data) => this.guarded(() => this.spend("control", data.length)));
    ws.on("close", () => this.dispose());
    // ws closes by itself after a broken frame, with 1002, 1007 or 1009; the event must be heard or it would be thrown.
    ws.on("error", (error) =>
      this.log.info({ request: this.requestId, reason: error.message }, "an attach socket failed"),
    );
    for (const frame of waiting) this.push(frame);
    if (this.closeAsked) this.close(this.closeAsked.code, this.closeAsked.reason);
  }

  send(message: ServerMessage): void {
    this.push({ text: JSON.stringify(message) });
  }

  sendBytes(bytes: Uint8Array): void {
    this.push({ bytes });
  }

  get bufferedBytes(): number {
    return this.state.kind === "open" ? this.state.ws.bufferedAmount : 0;
  }

  /** Also leaves the session at once: a peer that does not answer the closing handshake is no viewer any more. */
  close(code: number, reason: string): void {
    if (this.state.kind === "waiting") this.closeAsked ??= { code, reason };
    if (this.state.kind !== "open") return;
    const { ws } = this.state;
    // Reading must go on for the peer's half of the handshake to be seen.
    ws.resume();
    // A close frame holds 123 bytes of reason.
    ws.close(
      code,
      Buffer.from(reason)
        .subarray(0, 120)
        .toString("utf8")
        .replace(/\ufffd+$/, ""),
    );
    this.detach();
  }

  get bytesRead(): number {
    return this.state.kind === "open" ? this.state.bytesRead() : 0;
  }

  get isPaused(): boolean {
    return this.state.kind === "open" && this.state.ws.isPaused;
  }

  ping(): void {
    if (this.state.kind === "open" && this.state.ws.readyState === this.state.ws.OPEN) {
      this.state.ws.ping();
    }
  }

  cut(): void {
    this.log.info({ request: this.requestId }, "an attach socket was silent for too long");
    if (this.state.kind === "open") this.state.ws.terminate();
    this.dispose();
  }

  dispose(): void {
    if (this.state.kind === "open") this.state.ws.terminate();
    this.state = { kind: "closed" };
    this.detach();
    this.onClosed(this);
  }

  private detach(): void {
    this.resumeTimer?.dispose();
    this.attachment?.dispose();
    this.attachment = undefined;
  }

  private push(frame: Outgoing): void {
    if (this.state.kind === "waiting") this.state.frames.push(frame);
    if (this.state.kind !== "open" || this.state.ws.readyState !== this.state.ws.OPEN) return;
    if ("text" in frame) this.state.ws.send(frame.text);
    else this.state.ws.send(frame.bytes, { binary: true });
  }

  /** A fault in one frame ends this socket, never the host (T137). */
  private guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      const problem = problemOf(error, this.requestId, this.log);
      const message = { type: "error", code: problem.code, detail: problem.detail } as const;
      this.send(message);
      const isFault = problem.code === "INTERNAL" || problem.code === "BAD_REQUEST";
      const row: { close?: number } = errorTable[problem.code];
      if (isFault || row.close !== undefined) {
        this.close(closeCodeOf(problem.code), problem.detail);
      }
    }
  }

  private received(data: RawData, isBinary: boolean): void {
    const { attachment } = this;
    // After a close frame was sent, what still arrives is nobody's.
    if (!attachment) return;
    const bytes = data as Buffer;
    if (isBinary) {
      attachment.typed(bytes);
      this.spend("frame", bytes.length);
      return;
    }
    const message = readMessage(bytes.toString("utf8"));
    this.apply(attachment, message);
    this.spend(costOf(message), bytes.length);
  }

  private apply(attachment: AttachmentApi, message: ClientMessage): void {
    switch (message.type) {
      case "resize":
        attachment.propose({ cols: message.cols, rows: message.rows });
        break;
      case "use_my_size":
        // biome-ignore lint/correctness/useHookAtTopLevel: an act of the attachment, not a React hook
        attachment.useMySize({ cols: message.cols, rows: message.rows });
        break;
      case "ack":
        attachment.acknowledge(message.at);
        break;
      case "report":
        attachment.report(message.data);
        break;
      case "ping":
        attachment.ping(message.id);
        break;
      case "keyboard":
        attachment.keyboard(message.action);
        break;
      case "secret":
        attachment.answer(message.text).catch((error) =>
          this.guarded(() => {
            throw error;
          }),
        );
        break;
      case "politeness":
        attachment.prefers(message.politeness);
        break;
      default:
        assertNever(message);
    }
  }

  private spend(cost: FrameCost, byteCount: number): void {
    if (this.state.kind !== "open") return;
    const { ws } = this.state;
    const verdict = this.budget.take(cost, byteCount, this.clock.monotonic());
    if (verdict.kind === "close")
      throw new TermError("TOO_FAST", "frames came too fast for too long");
    if (verdict.kind === "go" || ws.readyState !== ws.OPEN) return;
    ws.pause();
    this.resumeTimer?.dispose();
    this.resumeTimer = this.clock.after(verdict.ms, () => ws.resume());
  }
}

function costOf(message: ClientMessage): FrameCost {
  switch (message.type) {
    case "resize":
    case "ack":
      return "bytes";
    case "report":
    case "secret":
      return "frame";
    case "use_my_size":
    case "keyboard":
    case "politeness":
    case "ping":
      return "control";
    default:
      return assertNever(message);
  }
}

function readMessage(text: string): ClientMessage {
  const json = parseStrictJson(text);
  if (json.kind === "refused") {
    throw new TermError("BAD_REQUEST", `frame${json.path && `.${json.path}`} ${json.message}`);
  }
  const result = validate(clientMessageSchema, json.value, "frame");
  if (result.kind === "value") return result.value;
  // A whole number out of range is a wish that cannot be met, not a broken client: it is told and stays (B055).
  if (result.error.code === "BAD_SIZE" && hasWholeSize(json.value)) throw result.error;
  throw new TermError("BAD_REQUEST", result.error.message);
}

function hasWholeSize(value: unknown): boolean {
  const { cols, rows } = value as { cols?: unknown; rows?: unknown };
  return Number.isSafeInteger(cols) && Number.isSafeInteger(rows);
}
