// An attachment of `view=render` (AT6): whole pictures for a terminal of another size than the session's, acknowledged as they are painted.
// Comes back by itself as attach-client.ts does; a picture is complete, so there is no place to come back to.
import { Emitter, type Event } from "#lib/base/emitter.ts";
import { type Disposable, DisposableStore } from "#lib/base/lifecycle.ts";
import type { ServerMessage } from "#lib/protocol/attach.ts";
import { type GridSize, sameSize } from "#lib/protocol/geometry.ts";
import type { AttachClientOptions } from "./attach-client.ts";
import { AttachConnection, lostCode } from "./attach-connection.ts";
import { AttachLink } from "./attach-link.ts";
import { type AttachState, attachState } from "./attach-state.ts";
import { renderUrl } from "./attach-url.ts";
import { ReconnectTimer } from "./reconnect-timer.ts";

export interface FramesClientOptions extends Omit<AttachClientOptions, "target"> {
  /** Of the viewer's terminal. */
  size: GridSize;
  /** `painted` is to be called once the picture is on the terminal. */
  paint: (frame: Uint8Array, painted: () => void) => void;
}

export class FramesClient implements Disposable {
  private readonly store = new DisposableStore();
  private readonly states = this.store.add(new Emitter<AttachState>());
  private readonly messages = this.store.add(new Emitter<ServerMessage>());
  private readonly timer: ReconnectTimer;
  private connection: AttachConnection | null = null;
  private link: AttachLink | null = null;
  private size: GridSize;
  /** Offset of the picture that comes as the next binary frame. */
  private announced: number | null = null;
  private hasPicture = false;
  private hasExited = false;

  readonly onState: Event<AttachState> = this.states.event;
  /** Every control message, after it was acted on. */
  readonly onMessage: Event<ServerMessage> = this.messages.event;

  constructor(private readonly options: FramesClientOptions) {
    this.size = options.size;
    const { clock, page, random } = options;
    this.timer = this.store.add(
      new ReconnectTimer({
        clock,
        page,
        ...(random ? { random } : {}),
        connect: () => this.connect(),
      }),
    );
    this.store.add(this.timer.onChange(() => this.states.fire(this.state)));
  }

  /** The first attempt; subscribe before. */
  start(): void {
    this.timer.start();
  }

  get state(): AttachState {
    return attachState(this.timer.state, this.hasPicture);
  }

  /** Bytes a person caused. False: dropped, never kept (AT8). */
  typed(bytes: Uint8Array): boolean {
    return this.link !== null && this.connection?.sendBytes(bytes) === true;
  }

  /** One character per byte. */
  report(data: string): void {
    this.link?.report(data);
  }

  /** The viewer's terminal has another size; a new picture follows. */
  resize(size: GridSize): void {
    if (sameSize(this.size, size)) return;
    this.size = size;
    if (this.link) this.connection?.send({ type: "resize", ...size });
  }

  dispose(): void {
    this.dropLink();
    this.connection?.dispose();
    this.connection = null;
    this.store.dispose();
  }

  private connect(): void {
    this.connection?.dispose();
    this.announced = null;
    this.hasPicture = false;
    const { clock, openSocket, authorise } = this.options;
    const connection: AttachConnection = new AttachConnection({
      clock,
      openSocket,
      url: () => renderUrl(this.options, this.size),
      authorise,
      onMessage: (message) => this.onServerMessage(message),
      onBytes: (bytes) => this.onServerBytes(bytes),
      onEnd: (code) => this.onConnectionEnd(connection, code),
    });
    this.connection = connection;
  }

  private onServerMessage(message: ServerMessage): void {
    if (message.type === "hello") {
      this.hasExited ||= message.session.exited;
      this.establish();
    } else if (message.type === "frame") this.announced = message.at;
    else if (message.type === "exited") this.hasExited = true;
    else if (message.type === "pong") this.link?.pong(message.id);
    this.link?.heard();
    this.messages.fire(message);
  }

  private onServerBytes(bytes: Uint8Array): void {
    this.link?.heard();
    const { announced: at, connection } = this;
    this.announced = null;
    if (at === null) {
      // A picture without a place: the peer does not keep the protocol.
      connection?.end(lostCode);
      return;
    }
    this.options.paint(bytes, () => connection?.send({ type: "ack", at }));
    if (this.hasPicture) return;
    this.hasPicture = true;
    this.states.fire(this.state);
  }

  private establish(): void {
    const { connection } = this;
    if (!connection || this.link) return;
    connection.established();
    const { clock, page } = this.options;
    const dead = () => connection.end(lostCode);
    this.link = new AttachLink(connection, { clock, page, dead });
    this.timer.tell({ kind: "opened" });
  }

  private onConnectionEnd(connection: AttachConnection, code: number): void {
    if (this.connection !== connection) return;
    this.connection = null;
    this.dropLink();
    this.timer.tell({ kind: "closed", code, isOver: this.hasExited && this.hasPicture });
  }

  private dropLink(): void {
    this.link?.dispose();
    this.link = null;
  }
}
