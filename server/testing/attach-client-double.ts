// A viewer as a test sees it: a real WebSocket on the host's socket, its frames folded into plain fields, and on request a headless
// terminal that shows what a browser would. Acknowledges by itself unless told not to.

import type { Terminal } from "@xterm/headless";
import xterm from "@xterm/headless";
import { WebSocket } from "ws";
import { concatBytes } from "#lib/base/bytes.ts";
import {
  attachProtocol,
  type ClientMessage,
  type ServerMessage,
  type SnapshotMessage,
  serverMessageSchema,
} from "#lib/protocol/attach.ts";
import { resizeInPlace } from "#lib/terminal/resize-in-place.ts";
import { patience } from "./patience.ts";

type MessageOf<Type extends ServerMessage["type"]> = Extract<ServerMessage, { type: Type }>;

interface SnapshotPiece {
  readonly message: SnapshotMessage;
  readonly data: Uint8Array;
}

/** What the terminal has to do, in the order of arrival. */
type Step =
  | { kind: "write"; bytes: Uint8Array }
  | { kind: "resize"; cols: number; rows: number }
  | { kind: "snapshot"; pieces: readonly SnapshotPiece[] };

export interface AttachDoubleOptions {
  /** Default true: everything received is acknowledged at once. */
  readonly acknowledges?: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly protocols?: string[];
}

/** Nothing is shown by it: it ends what will never come, on machines that have other things to do as well. */
const patienceMs = 30_000;

export class AttachClientDouble {
  readonly messages: ServerMessage[] = [];
  readonly errors: MessageOf<"error">[] = [];
  hello: MessageOf<"hello"> | undefined;
  /** Pieces of the latest whole snapshot. */
  snapshot: readonly SnapshotPiece[] = [];
  resume: MessageOf<"resume"> | undefined;
  exited: MessageOf<"exited"> | undefined;
  /** Live output after the latest snapshot or resume. */
  bytes: Uint8Array = new Uint8Array(0);
  /** Offset of the next live byte. */
  offset = 0;
  closed: { code: number; reason: string } | undefined;
  /** Set when the handshake was answered with something else. */
  refused: { status: number; body: unknown } | undefined;
  readonly socket: WebSocket;

  private readonly waiting = new Set<() => void>();
  private readonly steps: Step[] = [];
  private pieces: SnapshotPiece[] = [];
  private expected: SnapshotMessage | undefined;
  private chunks: Uint8Array[] = [];
  /** With each snapshot the live output begins anew. */
  private epoch = 0;

  constructor(url: string, options: AttachDoubleOptions) {
    const acknowledges = options.acknowledges ?? true;
    this.socket = new WebSocket(url, options.protocols ?? [attachProtocol], {
      headers: options.headers,
      perMessageDeflate: false,
    });
    this.socket.on("message", (data: Buffer, isBinary) => {
      if (isBinary) this.receivedBytes(new Uint8Array(data));
      else this.receivedMessage(serverMessageSchema.parse(JSON.parse(data.toString("utf8"))));
      if (acknowledges && isBinary && !this.expected) this.acknowledge();
      this.changed();
    });
    this.socket.on("close", (code, reason) => {
      this.closed = { code, reason: reason.toString("utf8") };
      this.changed();
    });
    this.socket.on("unexpected-response", (request, response) => {
      let text = "";
      response.on("data", (part: Buffer) => {
        text += part.toString("utf8");
      });
      response.on("end", () => {
        this.refused = { status: response.statusCode ?? 0, body: JSON.parse(text || "null") };
        request.destroy();
        this.changed();
      });
    });
    // The close event tells the rest.
    this.socket.on("error", () => this.changed());
  }

  send(message: ClientMessage): void {
    this.socket.send(JSON.stringify(message));
  }

  /** As a person's keys. */
  type(text: string | Uint8Array): void {
    this.socket.send(typeof text === "string" ? Buffer.from(text) : text, { binary: true });
  }

  acknowledge(): void {
    if (this.socket.readyState === WebSocket.OPEN) this.send({ type: "ack", at: this.offset });
  }

  /** Live output as text, for looking into it; escape sequences included. */
  get text(): string {
    return Buffer.from(this.collected()).toString("utf8");
  }

  /** Waits for a fact; `what` names it in the failure. */
  until(what: string, isTrue: () => boolean, timeoutMs = patienceMs): Promise<void> {
    return new Promise((resolve, reject) => {
      const check = () => {
        if (!isTrue()) return;
        this.waiting.delete(check);
        clearTimeout(timer);
        resolve();
      };
      const beganMs = performance.now();
      const overdue = () => {
        const leftMs = beganMs + patience(timeoutMs) - performance.now();
        if (leftMs > 0) {
          timer = setTimeout(overdue, leftMs);
          return;
        }
        this.waiting.delete(check);
        const tail = JSON.stringify(this.text.slice(-300));
        reject(
          new Error(
            `waited ${timeoutMs} ms for: ${what}. closed ${JSON.stringify(this.closed)}, refused ${JSON.stringify(this.refused)}, errors ${JSON.stringify(this.errors)}, output ends ${tail}`,
          ),
        );
      };
      let timer = setTimeout(overdue, timeoutMs);
      this.waiting.add(check);
      check();
    });
  }

  attached(): Promise<void> {
    return this.until(
      "the snapshot or resume",
      () => this.snapshot.length > 0 || this.resume !== undefined,
    );
  }

  /** Looks at each byte once: a flood is long. */
  untilText(text: string, timeoutMs?: number): Promise<void> {
    const wanted = Buffer.from(text, "utf8");
    let { epoch } = this;
    let from = 0;
    const isThere = () => {
      const bytes = this.collected();
      if (this.epoch !== epoch) from = 0;
      epoch = this.epoch;
      if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(wanted, from) >= 0)
        return true;
      from = Math.max(0, bytes.length - wanted.length + 1);
      return false;
    };
    return this.until(`output ${JSON.stringify(text)}`, isThere, timeoutMs);
  }

  untilClosed(timeoutMs?: number): Promise<void> {
    return this.until("the end of the socket", () => this.closed !== undefined, timeoutMs);
  }

  /** A terminal that shows all that has arrived so far, drawn the way SN5 says. The caller disposes it. */
  async terminal(): Promise<Terminal> {
    const terminal = new xterm.Terminal({
      allowProposedApi: true,
      scrollback: 50_000,
      logLevel: "off",
    });
    const write = (bytes: Uint8Array) =>
      new Promise<void>((resolve) => terminal.write(bytes, resolve));
    for (const step of this.steps) {
      if (step.kind === "write") await write(step.bytes);
      else if (step.kind === "resize") resizeInPlace(terminal, step);
      else {
        const [first] = step.pieces;
        if (!first) continue;
        terminal.reset();
        terminal.resize(first.message.cols, first.message.rows);
        for (const part of ["history", "screen"] as const) {
          for (const piece of step.pieces) if (piece.message.part === part) await write(piece.data);
        }
      }
    }
    return terminal;
  }

  dispose(): void {
    this.socket.terminate();
    this.waiting.clear();
  }

  private changed(): void {
    for (const check of [...this.waiting]) check();
  }

  private collected(): Uint8Array {
    if (this.chunks.length > 0) {
      this.bytes = concatBytes([this.bytes, ...this.chunks]);
      this.chunks = [];
    }
    return this.bytes;
  }

  private receivedBytes(data: Uint8Array): void {
    const message = this.expected;
    this.expected = undefined;
    if (!message) {
      this.chunks.push(data);
      this.offset += data.length;
      this.steps.push({ kind: "write", bytes: data });
      return;
    }
    this.pieces.push({ message, data });
    if (!message.last) return;
    this.snapshot = this.pieces;
    this.steps.push({ kind: "snapshot", pieces: this.pieces });
    this.pieces = [];
    this.offset = message.at;
    this.bytes = new Uint8Array(0);
    this.chunks = [];
    this.epoch += 1;
  }

  private receivedMessage(message: ServerMessage): void {
    this.messages.push(message);
    switch (message.type) {
      case "hello":
        this.hello = message;
        break;
      case "snapshot":
        this.expected = message;
        break;
      case "resume":
        this.resume = message;
        this.offset = message.at;
        break;
      case "resized":
        this.steps.push({ kind: "resize", ...message.size });
        break;
      case "exited":
        this.exited = message;
        break;
      case "error":
        this.errors.push(message);
        break;
    }
  }
}
