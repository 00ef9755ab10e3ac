// One attachment (AT1-AT10) that comes back by itself: it keeps the position in the output, draws on a target, acknowledges what
// was drawn, and drops and counts what is typed while nobody hears it. Browser and CLI alike; knows no DOM and no terminal library.
import { utf8 } from "#lib/base/bytes.ts";
import type { Clock } from "#lib/base/clock.ts";
import { Emitter, type Event } from "#lib/base/emitter.ts";
import { type Disposable, DisposableStore } from "#lib/base/lifecycle.ts";
import type { ServerMessage } from "#lib/protocol/attach.ts";
import { type GridSize, sameSize } from "#lib/protocol/geometry.ts";
import type { LeaseAction, Politeness } from "#lib/protocol/lease.ts";
import type { ExitStatus } from "#lib/protocol/session.ts";
import { AttachConnection, lostCode } from "./attach-connection.ts";
import { AttachLink } from "./attach-link.ts";
import { type AttachState, attachState } from "./attach-state.ts";
import type { AttachTarget } from "./attach-target.ts";
import { type AttachedSession, liveUrl } from "./attach-url.ts";
import { AttachedOutput } from "./attached-output.ts";
import { DroppedKeys } from "./dropped-keys.ts";
import type { PageSignals } from "./page-signals.ts";
import { ReconnectTimer } from "./reconnect-timer.ts";
import type { OpenSocket } from "./socket-like.ts";

/** Seconds of silence after which the keyboard that was taken here goes back (LS5). */
export type Idle = number | "never" | "server";

export type PolitenessChoice = Politeness | "server";

export interface AttachClientOptions extends AttachedSession {
  /** Offset to begin at, for who opened the session; left out: with the screen as it is. */
  since?: number;
  /** Left out: as the server is set. */
  idle?: Idle;
  /** How others may take the keyboard from this person (LS9); left out: as the server is set. */
  politeness?: PolitenessChoice;
  openSocket: OpenSocket;
  authorise: () => Promise<readonly string[]>;
  clock: Clock;
  page: PageSignals;
  target: AttachTarget;
  random?: () => number;
}

export class AttachClient implements Disposable {
  private readonly store = new DisposableStore();
  private readonly states = this.store.add(new Emitter<AttachState>());
  private readonly messages = this.store.add(new Emitter<ServerMessage>());
  private readonly keys = this.store.add(new DroppedKeys());
  private readonly timer: ReconnectTimer;
  private connection: AttachConnection | null = null;
  private link: AttachLink | null = null;
  private readonly output: AttachedOutput;
  private exit: ExitStatus | null = null;
  private idle: Idle;
  private politeness: PolitenessChoice;
  /** Of the host that was last heard; an older one closes the socket of whoever says what it does not know. */
  private takesSecrets = false;
  /** What was said last on this connection; null: its host has no ear for it. */
  private saidPoliteness: PolitenessChoice | null = null;
  private proposal: GridSize | null = null;

  readonly onState: Event<AttachState> = this.states.event;
  /** Every control message, after it was acted on. */
  readonly onMessage: Event<ServerMessage> = this.messages.event;
  /** The number of keys dropped in this interruption. */
  readonly onDropped: Event<number> = this.keys.onChange;

  constructor(private readonly options: AttachClientOptions) {
    const { clock, page, random } = options;
    this.output = new AttachedOutput(options.target, options.since ?? null, () => {
      if (this.timer.state.kind === "open") this.states.fire(this.state);
    });
    this.idle = options.idle ?? "server";
    this.politeness = options.politeness ?? "server";
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
    return attachState(this.timer.state, !this.output.isScreenDue);
  }

  /** Keys dropped since the last interruption began; 0 again at the next one. */
  get droppedKeys(): number {
    return this.keys.count;
  }

  get rttMs(): number | null {
    return this.link?.rttMs ?? null;
  }

  get offset(): number | null {
    return this.output.offset;
  }

  /** Bytes a person caused. False: dropped and counted, never kept (AT8). */
  typed(bytes: Uint8Array): boolean {
    if (this.link && this.connection?.sendBytes(bytes)) {
      this.keys.sent();
      return true;
    }
    if (this.exit === null) this.keys.drop();
    return false;
  }

  /**
   * The answer to a password prompt, without its Enter. Flagged, so that the host drops it where none is asked for any more; hosts that do not know
   * the flag get keys. False: it was dropped here.
   */
  answer(text: string): boolean {
    if (!this.link || !this.takesSecrets) return this.typed(utf8(`${text}\r`));
    this.connection?.send({ type: "secret", text });
    return true;
  }

  /** A person's act with the keyboard. Not kept for later: what it was meant for may be over by then. */
  keyboard(action: LeaseAction["action"]): void {
    if (this.link) this.connection?.send({ type: "keyboard", action });
  }

  /** Told to the server with the connection, so it takes a new one, which goes on where this one was. */
  setIdle(idle: Idle): void {
    if (this.idle === idle) return;
    this.idle = idle;
    if (!this.link) return;
    this.connection?.end(lostCode);
    this.retryNow();
  }

  setPoliteness(politeness: PolitenessChoice): void {
    this.politeness = politeness;
    this.sayPoliteness();
  }

  /** One character per byte. Not worth counting when nobody hears it. */
  report(data: string): void {
    this.link?.report(data);
  }

  /** The grid this viewer could show; told again after each reconnect. */
  propose(size: GridSize): void {
    if (this.proposal && sameSize(this.proposal, size)) return;
    this.proposal = size;
    if (this.link && !this.output.isScreenDue) this.connection?.send({ type: "resize", ...size });
  }

  /** "Use my size": the session follows this viewer from now on. */
  takeSize(size: GridSize): void {
    this.proposal = size;
    if (this.link) this.connection?.send({ type: "use_my_size", ...size });
  }

  retryNow(): void {
    this.timer.tell({ kind: "asked" });
  }

  dispose(): void {
    this.dropLink();
    this.connection?.dispose();
    this.connection = null;
    this.store.dispose();
  }

  private connect(): void {
    this.connection?.dispose();
    this.output.reset();
    const connection: AttachConnection = new AttachConnection({
      clock: this.options.clock,
      openSocket: this.options.openSocket,
      url: () => this.url(),
      authorise: this.options.authorise,
      onMessage: (message) => this.onServerMessage(message),
      onBytes: (bytes) => this.onServerBytes(bytes),
      onEnd: (code) => this.onConnectionEnd(connection, code),
    });
    this.connection = connection;
  }

  private url(): string {
    const idle = this.idle === "server" ? null : this.idle;
    return liveUrl(this.options, { idle, since: this.output.offset });
  }

  private onServerMessage(message: ServerMessage): void {
    switch (message.type) {
      case "hello":
        // A session that ended before this viewer came says so here.
        if (message.session.exited) {
          const { exit_code, signal } = message.session;
          this.exit = { exit_code, signal };
        }
        this.establish();
        this.takesSecrets = message.takes_secrets === true;
        this.saidPoliteness = message.politeness === undefined ? null : "server";
        this.sayPoliteness();
        break;
      case "resync":
        this.output.lost();
        break;
      case "snapshot":
        this.output.announced(message);
        break;
      case "resume":
        this.continueAt(message.at);
        break;
      case "resized":
        this.options.target.resize(message.size, message.nth);
        break;
      case "exited":
        this.exit = { exit_code: message.exit_code, signal: message.signal };
        break;
      case "pong":
        this.link?.pong(message.id);
        break;
    }
    this.heard();
    this.messages.fire(message);
  }

  private sayPoliteness(): void {
    const { politeness, saidPoliteness } = this;
    if (!this.link || saidPoliteness === null || saidPoliteness === politeness) return;
    if (this.options.isReadOnly) return;
    this.saidPoliteness = politeness;
    this.connection?.send({ type: "politeness", politeness });
  }

  private onServerBytes(bytes: Uint8Array): void {
    this.heard();
    const taken = this.output.take(bytes, this.link);
    // A fresh attempt gets a snapshot.
    if (taken === "wrong") this.connection?.end(lostCode);
    else if (taken !== "more") this.continueAt(taken.goesOnAt);
  }

  private continueAt(at: number): void {
    const wasDue = this.output.isScreenDue;
    this.link?.continueAt(at);
    this.output.continueAt(at);
    // Only now: a viewer takes the session's size first and fits afterwards (SN5).
    if (wasDue && this.proposal) this.connection?.send({ type: "resize", ...this.proposal });
  }

  private establish(): void {
    const { connection } = this;
    if (!connection || this.link) return;
    connection.established();
    const { clock, page } = this.options;
    const dead = () => this.onDead(connection);
    this.link = new AttachLink(connection, { clock, page, dead });
    this.output.awaitScreen();
    this.keys.heard();
    this.timer.tell({ kind: "opened" });
  }

  private heard(): void {
    this.keys.heard();
    this.link?.heard();
  }

  private onDead(connection: AttachConnection): void {
    connection.end(lostCode);
    this.keys.foundDead();
  }

  private onConnectionEnd(connection: AttachConnection, code: number): void {
    if (this.connection !== connection) return;
    this.connection = null;
    const wasLinked = this.link !== null;
    this.dropLink();
    if (wasLinked) this.keys.interrupted();
    // After the exit the last screen is complete: there is nothing to come back for (B130).
    const isOver = this.exit !== null && this.output.offset !== null;
    this.timer.tell({ kind: "closed", code, isOver });
  }

  private dropLink(): void {
    this.link?.dispose();
    this.link = null;
  }
}
