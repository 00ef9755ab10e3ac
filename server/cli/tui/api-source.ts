// Sessions of a server as the TUI shows them: the list by events, one terminal by its attach socket, as the browser does it.
import { utf8 } from "#lib/base/bytes.ts";
import { systemClock } from "#lib/base/clock.ts";
import { Emitter } from "#lib/base/emitter.ts";
import { DisposableStore } from "#lib/base/lifecycle.ts";
import { AttachClient } from "#lib/client/attach-client.ts";
import type { AttachState } from "#lib/client/attach-state.ts";
import { noPage } from "#lib/client/page-signals.ts";
import { createSessionFeed, type SessionFeed } from "#lib/client/session-feed.ts";
import type { ServerMessage } from "#lib/protocol/attach.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import type { Access, Lease } from "#lib/protocol/lease.ts";
import type { Phase, SessionInfo } from "#lib/protocol/session.ts";
import type { Remote } from "../remote.ts";
import { openSocketOf } from "../remote-socket.ts";
import { PaneScreen } from "./pane-screen.ts";
import type {
  ListedTerminal,
  Over,
  PaneTerminal,
  TerminalFacts,
  TerminalSource,
} from "./terminal-source.ts";

const phaseWords: Record<Phase, string> = {
  starting: "starting",
  running: "running",
  waiting_input: "waits for input",
  idle: "at its prompt",
  exited: "ended",
};

export class ApiSource implements TerminalSource {
  private readonly feed: SessionFeed;
  private readonly changes = new Emitter<void>();
  readonly onSessions = this.changes.event;
  readonly where: string;

  constructor(private readonly remote: Remote) {
    this.where = remote.where;
    this.feed = createSessionFeed({
      api: remote.api,
      server: remote.server,
      clock: systemClock,
      page: noPage(),
    });
    this.feed.onChange(() => this.changes.fire());
  }

  get sessions(): readonly ListedTerminal[] {
    return (this.feed.snapshot().sessions ?? []).map((one) => ({
      id: one.id,
      name: one.name,
      state: one.exited ? (one.signal ?? `exit ${one.exit_code}`) : phaseWords[one.phase],
      size: `${one.cols}x${one.rows}`,
      keyboard: one.exited ? "-" : keyboardWords(one.lease, one.access),
    }));
  }

  ready(): Promise<void> {
    return this.feed.refresh();
  }

  open(id: string, size: GridSize): PaneTerminal {
    return new ApiTerminal(this.remote, id, size);
  }

  async create(size: GridSize): Promise<PaneTerminal> {
    const { remote } = this;
    const cwd = remote.isLocal ? { cwd: process.cwd() } : {};
    // Without a size: one that was asked for would hold against the pane's until somebody types (SZ1).
    const session = await remote.api.createSession({ body: cwd });
    return new ApiTerminal(remote, session.id, size);
  }

  isGone(): boolean {
    return this.remote.isGone();
  }

  dispose(): void {
    this.feed.dispose();
  }
}

class ApiTerminal implements PaneTerminal {
  private readonly store = new DisposableStore();
  private readonly changes = this.store.add(new Emitter<void>());
  private readonly ends = this.store.add(new Emitter<Over>());
  private readonly client: AttachClient;
  private session: SessionInfo | null = null;
  private phase: Phase = "starting";
  private lease: Lease | null = null;
  private access: Access = "collaborate";
  private isPassword = false;
  private me: string | undefined;
  private state: AttachState = { kind: "connecting", attempt: 0, lostMs: null };
  private notice = "";
  private over: Over | null = null;

  readonly screen: PaneScreen;
  readonly onChange = this.changes.event;
  readonly onOver = this.ends.event;

  constructor(
    private readonly remote: Remote,
    private readonly id: string,
    size: GridSize,
  ) {
    this.screen = this.store.add(new PaneScreen(size));
    this.screen.onChange(() => this.changes.fire());
    this.client = this.store.add(
      new AttachClient({
        sessionId: id,
        isReadOnly: false,
        socketUrl: remote.socketUrl,
        openSocket: openSocketOf(remote),
        authorise: async () => [],
        clock: systemClock,
        page: noPage(),
        target: this.screen,
      }),
    );
    this.client.onMessage((message) => this.heard(message));
    this.client.onState((state) => this.moved(state));
    this.client.onDropped((count) => {
      if (count > 0) this.tell("no connection: what you typed was not sent");
    });
    this.client.propose(size);
    this.client.start();
  }

  get facts(): TerminalFacts {
    const { session, over } = this;
    return {
      name: session?.name ?? this.id.slice(0, 8),
      phase: over ? over.text : phaseWords[this.phase],
      isIdle: over ? true : this.phase === "idle",
      keyboard: over || !this.lease ? "" : keyboardWords(this.lease, this.access, this.me),
      isPassword: this.isPassword,
      link: over ? "over" : linkOf(this.state),
      notice: this.notice,
    };
  }

  type(text: string): void {
    this.notice = "";
    this.client.typed(utf8(text));
  }

  fit(size: GridSize): void {
    this.client.propose(size);
  }

  dispose(): void {
    this.over ??= { kind: "closed", text: "" };
    this.store.dispose();
  }

  private heard(message: ServerMessage): void {
    switch (message.type) {
      case "hello":
        this.session = message.session;
        this.phase = message.session.phase;
        this.lease = message.session.lease;
        this.access = message.session.access;
        this.isPassword = message.session.credential !== null;
        this.me = message.you.id;
        break;
      case "phase":
        this.phase = message.phase;
        break;
      case "lease":
        this.lease = message.lease;
        break;
      case "access":
        this.access = message.access;
        break;
      case "credential":
        this.isPassword = message.credential !== null;
        break;
      case "error":
        this.notice = message.detail;
        break;
      case "exited":
        this.end({
          kind: "exited",
          text: `ended: ${message.signal ?? `status ${message.exit_code}`}`,
        });
        break;
    }
    this.changes.fire();
  }

  private moved(state: AttachState): void {
    this.state = state;
    if (state.kind === "waiting" && this.remote.isGone())
      this.end({ kind: "lost", text: "the server has ended, and its terminals with it" });
    if (state.kind === "ended") this.end(endOf(state.code));
    this.changes.fire();
  }

  private tell(notice: string): void {
    this.notice = notice;
    this.changes.fire();
  }

  private end(over: Over): void {
    if (this.over) return;
    this.over = over;
    this.ends.fire(over);
  }
}

function linkOf(state: AttachState): TerminalFacts["link"] {
  switch (state.kind) {
    case "connecting":
    case "restoring":
      return state.kind === "connecting" && state.lostMs !== null ? "waiting" : "connecting";
    case "live":
      return "live";
    case "waiting":
      return "waiting";
    case "ended":
      return "over";
  }
}

function endOf(code: number): Over {
  switch (code) {
    case 4401:
      return { kind: "refused", text: "the credential is gone" };
    case 4403:
      return { kind: "refused", text: "it is not yours to see" };
    case 4404:
      return { kind: "closed", text: "closed" };
    default:
      return { kind: "closed", text: `the connection has ended (${code})` };
  }
}

function keyboardWords(lease: Lease, access: Access, me?: string): string {
  if (lease.cause === "credential" && lease.actor === null) return "password asked";
  if (lease.holder === "human")
    return me !== undefined && lease.actor_id === me
      ? "you type"
      : `${lease.actor ?? "a person"} types`;
  return access === "collaborate"
    ? "free"
    : access === "observe"
      ? "agents look only"
      : "agents out";
}
