// One WebSocket of an attachment, from authorisation to close: tells messages, bytes and its one end, in order. It reports its
// end once and is mute afterwards, so that a late close of an old socket never touches its successor (AT10).
import type { Clock } from "#lib/base/clock.ts";
import { type Disposable, DisposableStore } from "#lib/base/lifecycle.ts";
import {
  attachProtocol,
  type ClientMessage,
  type ServerMessage,
  serverMessageSchema,
} from "#lib/protocol/attach.ts";
import { limits } from "#lib/protocol/limits.ts";
import { ApiError } from "./api-error.ts";
import { type OpenSocket, type SocketLike, socketOpen } from "./socket-like.ts";

/** From the start of an attempt to `hello`. */
export const helloWithinMs = 10_000;

/** A close code of our own for what never was a close frame: no network, no answer, a dead peer. */
export const lostCode = 1006;

export interface ConnectionOptions {
  clock: Clock;
  openSocket: OpenSocket;
  /** Asked at the time of the attempt, because it may carry `since`. */
  url: () => string;
  /** Subprotocol values after `cotty.v1`; a ticket is fetched anew for each attempt and never kept. */
  authorise: () => Promise<readonly string[]>;
  onMessage: (message: ServerMessage) => void;
  onBytes: (bytes: Uint8Array) => void;
  /** Exactly once. */
  onEnd: (code: number) => void;
}

export class AttachConnection implements Disposable {
  private readonly store = new DisposableStore();
  private socket: SocketLike | null = null;
  private isEnded = false;
  private readonly helloDeadline: Disposable;

  constructor(private readonly options: ConnectionOptions) {
    this.helloDeadline = this.store.add(
      options.clock.after(helloWithinMs, () => this.end(lostCode)),
    );
    void this.open();
  }

  send(message: ClientMessage): void {
    if (this.socket?.readyState === socketOpen && !this.isEnded)
      this.socket.send(JSON.stringify(message));
  }

  /** False when the socket takes nothing any more. Cut into frames the server accepts. */
  sendBytes(bytes: Uint8Array): boolean {
    if (this.socket?.readyState !== socketOpen || this.isEnded) return false;
    for (let at = 0; at < bytes.length; at += limits.frameBytes)
      this.socket.send(bytes.slice(at, at + limits.frameBytes));
    return true;
  }

  /** `hello` has come: the attempt succeeded. */
  established(): void {
    this.helloDeadline.dispose();
  }

  /** Gives this connection up; `onEnd` is told at once, not when a dead peer answers the close. */
  end(code: number): void {
    if (this.isEnded) return;
    this.dispose();
    this.options.onEnd(code);
  }

  /** Ends without a word to the owner. */
  dispose(): void {
    this.isEnded = true;
    this.store.dispose();
    const { socket } = this;
    this.socket = null;
    try {
      socket?.close(1000);
    } catch {
      // Closing a socket that is still connecting throws in some implementations; it is let go either way.
    }
  }

  private async open(): Promise<void> {
    const { options } = this;
    let extra: readonly string[];
    try {
      extra = await options.authorise();
    } catch (error) {
      this.end(codeOf(error));
      return;
    }
    if (this.isEnded) return;
    let socket: SocketLike;
    try {
      socket = options.openSocket(options.url(), [attachProtocol, ...extra]);
    } catch {
      // A URL or subprotocol the constructor refuses: no peer was reached.
      this.end(lostCode);
      return;
    }
    this.socket = socket;
    socket.binaryType = "arraybuffer";
    socket.addEventListener("message", ({ data }) => {
      if (!this.isEnded) this.receive(data);
    });
    socket.addEventListener("close", ({ code }) => this.end(code));
    // An error is always followed by a close, which carries the code.
    socket.addEventListener("error", () => {});
  }

  private receive(data: unknown): void {
    if (typeof data !== "string") {
      this.options.onBytes(new Uint8Array(data as ArrayBuffer));
      return;
    }
    const message = serverMessageSchema.safeParse(parseJson(data));
    // A message this client does not know is news from a newer server, not a fault.
    if (message.success) this.options.onMessage(message.data);
  }
}

/** Refusals that no repetition will mend get the close code the socket would have had; everything else is tried again. */
function codeOf(error: unknown): number {
  if (!(error instanceof ApiError)) return lostCode;
  switch (error.status) {
    case 400:
      return 4400;
    case 401:
      return 4401;
    case 403:
      return 4403;
    case 404:
      return 4404;
    case 429:
      return 4429;
    default:
      return lostCode;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Judged by the schema like any other wrong message.
    return undefined;
  }
}
