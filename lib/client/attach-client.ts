// One attachment (AT1-AT10) that comes back by itself: it keeps the position in the output, draws on a target, acknowledges what
// was drawn, and drops and counts what is typed while nobody hears it. Browser and CLI alike; knows no DOM and no terminal library.
import { assertNever } from "#lib/base/assert.ts";
import { utf8 } from "#lib/base/bytes.ts";
import type { Clock } from "#lib/base/clock.ts";
import { Emitter, type Event } from "#lib/base/emitter.ts";
import { type Disposable, DisposableStore } from "#lib/base/lifecycle.ts";
import type { ServerMessage } from "#lib/protocol/attach.ts";
import { type GridSize, sameSize } from "#lib/protocol/geometry.ts";
import type { LeaseAction, Politeness } from "#lib/protocol/lease.ts";
import { attachRoute } from "#lib/protocol/operations/table.ts";
import type { ExitStatus } from "#lib/protocol/session.ts";
import { Acknowledger } from "./acknowledger.ts";
import { routePath } from "./api-client.ts";
import { AttachConnection, lostCode } from "./attach-connection.ts";
import type { AttachTarget } from "./attach-target.ts";
import { Heartbeat } from "./heartbeat.ts";
import type { PageSignals } from "./page-signals.ts";
import { ReconnectTimer } from "./reconnect-timer.ts";
import { ReportPacer } from "./report-pacer.ts";
import { SnapshotAssembly } from "./snapshot-assembly.ts";
import type { OpenSocket } from "./socket-like.ts";

export type AttachState =
  /** `attempt` counts failures in a row; `lostMs` (wall time) is when the first of them happened. */
  | { kind: "connecting"; attempt: number; lostMs: number | null }
  /** Heard by the server; the screen is on its way. */
  | { kind: "restoring" }
  | { kind: "live" }
  | { kind: "waiting"; attempt: number; untilMs: number; lostMs: number }
  /** Nothing is tried any more. `code`: the close code, one of AT7's final ones unless the session had exited. */
  | { kind: "ended"; code: number };

/** Seconds of silence after which the keyboard that was taken here goes back (LS5). */
export type Idle = number | "never" | "server";

export type PolitenessChoice = Politeness | "server";

export interface AttachClientOptions {
  sessionId: string;
  isReadOnly: boolean;
  /** Offset to begin at, for who opened the session; left out: with the screen as it is. */
  since?: number;
  /** Left out: as the server is set. */
  idle?: Idle;
  /** How others may take the keyboard from this person (LS9); left out: as the server is set. */
  politeness?: PolitenessChoice;
  /** `ws://host:port` or `wss://…`. */
  socketUrl: string;
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
  private readonly drops = this.store.add(new Emitter<number>());
  private readonly timer: ReconnectTimer;
  private connection: AttachConnection | null = null;
  /** What lives as long as one established connection. */
  private link: { heartbeat: Heartbeat; acks: Acknowledger | null; reports: ReportPacer } | null =
    null;
  private assembly = new SnapshotAssembly();
  /**
   * Offset of the next byte the target has not been given; null when it holds nothing that can be continued. Given, not
   * drawn: the target draws everything it was given, so continuing from what is drawn would repeat bytes.
   */
  private position: number | null = null;
  private isScreenDue = true;
  private exit: ExitStatus | null = null;
  private idle: Idle;
  private politeness: PolitenessChoice;
  /** Of the host that was last heard; an older one closes the socket of whoever says what it does not know. */
  private takesSecrets = false;
  /** What was said last on this connection; null: its host has no ear for it. */
  private saidPoliteness: PolitenessChoice | null = null;
  private proposal: GridSize | null = null;
  private dropped = 0;
  /** Keys sent since the other end was last heard. When it turns out to be dead, nobody knows of them: they count as not sent (B121). */
  private unanswered = 0;

  readonly onState: Event<AttachState> = this.states.event;
  /** Every control message, after it was acted on. */
  readonly onMessage: Event<ServerMessage> = this.messages.event;
  /** The number of keys dropped in this interruption. */
  readonly onDropped: Event<number> = this.drops.event;

  constructor(private readonly options: AttachClientOptions) {
    const { clock, page, random } = options;
    this.position = options.since ?? null;
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
    const { state } = this.timer;
    switch (state.kind) {
      case "connecting":
        return { kind: "connecting", attempt: state.attempt, lostMs: state.lostMs };
      case "open":
        return this.isScreenDue ? { kind: "restoring" } : { kind: "live" };
      case "waiting":
        return {
          kind: "waiting",
          attempt: state.attempt,
          untilMs: state.untilMs,
          lostMs: state.lostMs,
        };
      case "final":
        return { kind: "ended", code: state.code };
      default:
        return assertNever(state);
    }
  }

  /** Keys dropped since the last interruption began; 0 again at the next one. */
  get droppedKeys(): number {
    return this.dropped;
  }

  get rttMs(): number | null {
    return this.link?.heartbeat.rttMs ?? null;
  }

  get offset(): number | null {
    return this.position;
  }

  /** Bytes a person caused. False: dropped and counted, never kept (AT8). */
  typed(bytes: Uint8Array): boolean {
    if (this.link && this.connection?.sendBytes(bytes)) {
      this.unanswered += 1;
      return true;
    }
    if (this.exit === null) {
      this.dropped += 1;
      this.drops.fire(this.dropped);
    }
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
    this.link?.reports.add(data);
  }

  /** The grid this viewer could show; told again after each reconnect. */
  propose(size: GridSize): void {
    if (this.proposal && sameSize(this.proposal, size)) return;
    this.proposal = size;
    if (this.link && !this.isScreenDue) this.connection?.send({ type: "resize", ...size });
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
    this.assembly = new SnapshotAssembly();
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
    const { socketUrl, sessionId, isReadOnly } = this.options;
    const query = new URLSearchParams();
    if (isReadOnly) query.set("readonly", "1");
    if (this.idle !== "server" && !isReadOnly) query.set("idle", String(this.idle));
    if (this.position !== null) query.set("since", String(this.position));
    const search = query.size > 0 ? `?${query}` : "";
    return `${socketUrl}${routePath(attachRoute.path, { id: sessionId })}${search}`;
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
        this.position = null;
        this.setScreenDue(true);
        break;
      case "snapshot":
        // From here until the last piece is drawn there is nothing to continue from.
        this.position = null;
        this.setScreenDue(true);
        this.assembly.announce(message);
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
        this.link?.heartbeat.pong(message.id);
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
    const { target } = this.options;
    if (!this.assembly.expectsBytes) {
      if (this.position === null) {
        // Bytes without a place: the peer does not keep the protocol. A fresh attempt gets a snapshot.
        this.connection?.end(lostCode);
        return;
      }
      this.position += bytes.length;
      const at = this.position;
      const { link } = this;
      target.write(bytes, () => link?.acks?.draw(at));
      return;
    }
    const piece = this.assembly.take(bytes);
    if (!piece) this.connection?.end(lostCode);
    else if (piece.kind === "screen") target.showScreen(piece.size, piece.bytes);
    else if (piece.kind === "complete") {
      const { at, size, history, screen, marks } = piece.snapshot;
      const { connection } = this;
      const drawn = () => connection?.send({ type: "ack", at });
      target.showSnapshot(size, history, screen, drawn, marks);
      this.continueAt(at);
    }
  }

  private continueAt(at: number): void {
    this.position = at;
    const { link, connection } = this;
    if (link) {
      link.acks?.dispose();
      link.acks = new Acknowledger(this.options.clock, at, (drawn) =>
        connection?.send({ type: "ack", at: drawn }),
      );
    }
    const wasDue = this.isScreenDue;
    this.setScreenDue(false);
    // Only now: a viewer takes the session's size first and fits afterwards (SN5).
    if (wasDue && this.proposal) connection?.send({ type: "resize", ...this.proposal });
  }

  private establish(): void {
    const { connection } = this;
    if (!connection || this.link) return;
    connection.established();
    const { clock, page } = this.options;
    this.link = {
      acks: null,
      reports: new ReportPacer(clock, (data) => connection.send({ type: "report", data })),
      heartbeat: new Heartbeat({
        clock,
        page,
        ping: (id) => connection.send({ type: "ping", id }),
        dead: () => this.onDead(connection),
      }),
    };
    this.isScreenDue = true;
    this.unanswered = 0;
    this.timer.tell({ kind: "opened" });
  }

  private heard(): void {
    this.unanswered = 0;
    this.link?.heartbeat.heard();
  }

  private onDead(connection: AttachConnection): void {
    const lost = this.unanswered;
    connection.end(lostCode);
    this.dropped = lost;
    if (lost > 0) this.drops.fire(lost);
  }

  private onConnectionEnd(connection: AttachConnection, code: number): void {
    if (this.connection !== connection) return;
    this.connection = null;
    const wasLinked = this.link !== null;
    this.dropLink();
    if (wasLinked) this.dropped = 0;
    // After the exit the last screen is complete: there is nothing to come back for (B130).
    const isOver = this.exit !== null && this.position !== null;
    this.timer.tell({ kind: "closed", code, isOver });
  }

  private dropLink(): void {
    this.link?.heartbeat.dispose();
    this.link?.acks?.dispose();
    this.link?.reports.dispose();
    this.link = null;
  }

  private setScreenDue(isDue: boolean): void {
    if (this.isScreenDue === isDue) return;
    this.isScreenDue = isDue;
    if (this.timer.state.kind === "open") this.states.fire(this.state);
  }
}
