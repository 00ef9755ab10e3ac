// One session: an ordered log, one screen, and the hands on it. Wires the parts together; decides nothing (session-port.ts does).
//
// 1. Write is an act, wait is a question, phase is a fact; they never share a method.
// 2. There is one screen and two projections of it: text for agents, ANSI for viewers.
// 3. The log is the only order. Resize and exit have a place in it.
// 4. Nobody is authorised twice. The port decided; nothing below asks again.
import { assertNever } from "#lib/base/assert.ts";
import type { Clock } from "#lib/base/clock.ts";
import { Emitter } from "#lib/base/emitter.ts";
import { type Disposable, DisposableStore } from "#lib/base/lifecycle.ts";
import type { Actor } from "#lib/protocol/actor.ts";
import type { Access, Politeness } from "#lib/protocol/lease.ts";
import {
  type ExitStatus,
  plainState,
  type SessionInfo,
  type SessionState,
  type SignalName,
} from "#lib/protocol/session.ts";
import type { Activity } from "#server/host/activity/activity.ts";
import type { Journal } from "#server/host/journal/journal.ts";
import { Arbiter } from "#server/host/lease/arbiter.ts";
import { Needs } from "#server/host/lease/needs.ts";
import { OutputLog } from "#server/host/output/output-log.ts";
import { Pump } from "#server/host/output/pump.ts";
import type { Pty } from "#server/host/pty/pty.ts";
import type { TtySettings } from "#server/host/pty/tty-settings.ts";
import type { ScreenApi, ScreenFact } from "#server/host/screen/screen-api.ts";
import { SecretTyping } from "#server/host/secrets/secret-typing.ts";
import { SecretWords } from "#server/host/secrets/secret-words.ts";
import { Fanout } from "#server/host/viewer/fanout.ts";
import { FrameSource } from "#server/host/viewer/frame-source.ts";
import { type MarkSource, SnapshotSource } from "#server/host/viewer/snapshot-source.ts";
import { AgentNews } from "./agent-news.ts";
import { Coalesced } from "./coalesced.ts";
import type { ActFacts } from "./decide.ts";
import { ForegroundWatch } from "./foreground-watch.ts";
import { Keyboard } from "./keyboard.ts";
import { LeftModes, reportsOf } from "./left-modes.ts";
import { exitOf } from "./lifecycle.ts";
import { lineFacts } from "./line-facts.ts";
import { LinePlaces } from "./line-places.ts";
import { activityOf, credentialOf, tellActivity } from "./session-activity.ts";
import type { SessionEvent } from "./session-event.ts";
import { journalOf, journalState, snapshotCommands } from "./session-journal.ts";
import type { SessionParts } from "./session-parts.ts";
import { SessionRecord, type SessionSeed } from "./session-record.ts";
import { SessionWaits } from "./session-waits.ts";
import type { SizeOwner } from "./size-authority.ts";
import { SizeControl } from "./size-control.ts";
import { Traces } from "./traces.ts";
import type { Written } from "./written.ts";

/** Titles, counts and other news go out at most this often; a program may change its title ten thousand times a second. */
const newsMs = 50;
const bellMs = 100;
const leaseMs = 100;
/** With every keystroke `until` moves on; that is told so often, for the countdown. */
const countdownMs = 500;

const closeReasons = {
  SESSION_NOT_FOUND: "the session was closed",
  /** Viewers may come back, to another host. */
  HOST_LOST: "the host is stopping",
} as const;
const sealedReason = "a person disconnected agents from this session";
type CloseCause = keyof typeof closeReasons;

/** What a session begins with. */
export interface SessionStart {
  readonly size: SizeControl["size"];
  readonly owner: SizeOwner;
  readonly access: Access;
  /** Silence after which a person's keyboard goes back; null: never. */
  readonly idleMs: number | null;
  readonly politeness: Politeness;
  /** Values that were put into its environment and may be read nowhere, by name (SX1). */
  readonly secrets?: Readonly<Record<string, string>> | undefined;
}

/** A viewer, as far as the session has to end it. */
export interface AttachedViewer {
  readonly isAgent: boolean;
  end(code: "SEALED", reason: string): void;
}

export class Session implements Disposable {
  readonly record: SessionRecord;
  readonly log = new OutputLog();
  readonly screen: ScreenApi;
  readonly pump: Pump;
  readonly keyboard: Keyboard;
  readonly sizes: SizeControl;
  readonly arbiter: Arbiter;
  readonly needs: Needs;
  readonly agentNews: AgentNews;
  readonly viewers = new Set<AttachedViewer>();
  readonly activity: Activity;
  readonly journal: Journal;
  readonly waits: SessionWaits;
  readonly traces: Traces;
  /** What must not be read in any text of this session. */
  readonly words: SecretWords;
  readonly fanout: Fanout;
  readonly snapshots: SnapshotSource;
  /** For agents: without what is hidden in text. */
  readonly agentSnapshots: SnapshotSource;
  readonly frames: FrameSource;

  private readonly owned = new DisposableStore();
  /** Everything that anybody typed, right after it was queued. The terminal's own replies are not among it. */
  readonly wrote = this.owned.add(new Emitter<Written>());
  /** Of people, unless their connection says otherwise (LS5, LS9). */
  readonly idleMs: number | null;
  readonly politeness: Politeness;
  private readonly events = this.owned.add(new Emitter<SessionEvent>());
  private readonly accesses = this.owned.add(new Emitter<Access>());
  private readonly foreground: ForegroundWatch;
  private readonly secretTyping: SecretTyping;
  private readonly news: Coalesced;
  private readonly bell: Coalesced;
  private readonly leaseNews: Coalesced;
  private readonly countdown: Coalesced;
  private toldLease = "";
  private readonly launchSecrets: readonly string[];
  private currentAccess: Access;
  private told: Pick<SessionInfo, "title" | "viewers" | "phase">;
  private ending: Promise<void> | null = null;

  readonly onEvent = this.events.event;
  /** What agents may do changed; at once, before anything else can happen (AC2). */
  readonly onAccess = this.accesses.event;

  constructor(
    seed: SessionSeed,
    initial: SessionStart,
    private readonly pty: Pty,
    private readonly parts: SessionParts,
    private readonly clock: Clock,
  ) {
    const { owned } = this;
    this.record = new SessionRecord(seed, pty.pid);
    owned.add(pty);
    this.launchSecrets = Object.keys(initial.secrets ?? {});
    this.words = owned.add(new SecretWords(initial.secrets ?? {}));
    this.secretTyping = owned.add(new SecretTyping(this.words, clock));
    this.screen = owned.add(parts.makeScreen(initial.size, this.words));
    const guard = parts.makeGuard(initial.size);
    this.pump = owned.add(new Pump(this.log, this.screen, pty, clock));
    const lines = new LinePlaces(this.screen, this.pump, this.log);
    const marks: MarkSource = {
      held: () => ({ commands: snapshotCommands(this.journal), lowest: lines.lowest }),
      written: () => this.traces.writes.lines(),
    };
    this.snapshots = owned.add(new SnapshotSource(this.log, this.pump, this.screen, clock, marks));
    const covered: Pick<ScreenApi, "snapshot"> = {
      snapshot: (...place) => this.screen.coveredSnapshot(...place),
    };
    this.agentSnapshots = owned.add(
      new SnapshotSource(this.log, this.pump, covered, clock, marks, () => this.words.version),
    );
    this.frames = owned.add(new FrameSource(this.pump, this.screen, clock));
    this.fanout = owned.add(new Fanout(this.log, clock));
    this.keyboard = owned.add(new Keyboard(pty, clock));
    this.news = owned.add(new Coalesced(clock, newsMs, () => this.tellNews()));
    this.bell = owned.add(new Coalesced(clock, bellMs, () => this.rang()));
    this.currentAccess = initial.access;
    this.idleMs = initial.idleMs;
    this.politeness = initial.politeness;
    const { screen } = this;
    const line = lineFacts({ screen, journal: () => this.journal, activity: () => this.activity });
    this.arbiter = owned.add(new Arbiter({ line }, clock));
    this.leaseNews = owned.add(
      new Coalesced(clock, leaseMs, () =>
        this.fanout.notice({ type: "lease", lease: this.arbiter.lease() }),
      ),
    );
    this.countdown = owned.add(new Coalesced(clock, countdownMs, () => this.leaseNews.poke()));
    this.needs = owned.add(new Needs(clock));
    this.agentNews = owned.add(
      new AgentNews(
        clock,
        (news) => this.fanout.notice(news),
        () => this.changed(),
      ),
    );
    this.foreground = owned.add(
      new ForegroundWatch(
        seed.cwd,
        () => parts.readForeground(pty.pid),
        () => this.changed(),
        clock,
        () => this.journal.cwd,
        (text) => this.words.hide(text),
      ),
    );
    this.sizes = owned.add(
      new SizeControl(
        initial,
        {
          take: (size) => {
            pty.resize(size);
            guard.resize(size);
            this.log.appendResize(size);
            this.changed();
          },
          ownerChanged: (attachment) => this.fanout.notice({ type: "size_owner", attachment }),
        },
        clock,
      ),
    );
    this.journal = journalOf(
      {
        screen: this.screen,
        wrote: this.wrote.event,
        shell: seed.shell ?? { nonce: null, isOff: false },
        hide: (text) => this.words.hide(text),
        place: () => this.foreground.current().cwd,
        tell: (record) => this.fanout.notice({ type: "command", record }),
        changed: () => this.changed(),
      },
      clock,
      owned,
    );
    this.activity = owned.add(
      activityOf(
        {
          pty,
          screen: this.screen,
          record: this.record,
          parts,
          shell: () => this.journal.state,
          hide: (text) => this.words.hide(text),
        },
        clock,
      ),
    );
    this.waits = owned.add(
      new SessionWaits(
        {
          record: this.record,
          screen: this.screen,
          log: this.log,
          pump: this.pump,
          journal: this.journal,
          activity: this.activity,
          arbiter: this.arbiter,
          wrote: this.wrote.event,
          onAccess: this.onAccess,
          access: () => this.currentAccess,
        },
        clock,
      ),
    );
    this.traces = owned.add(
      new Traces(
        {
          id: seed.id,
          sink: parts.audit,
          screen: this.screen,
          journal: this.journal,
          arbiter: this.arbiter,
          wrote: this.wrote.event,
          place: () => this.foreground.fresh(),
          lines,
          tell: (message) => this.fanout.notice(message),
          hide: (text) => this.words.hide(text),
        },
        clock,
      ),
    );
    const leftModes = new LeftModes({
      reports: () => reportsOf(this.screen.modes, this.screen.keyboardPushes),
      isCaughtUp: () => this.pump.applied === this.log.end && !this.record.hasEnded,
      isShellInFront: () => this.isShellInFront(seed.shell?.nonce ?? null),
      append: (bytes) => this.log.appendBytes(bytes),
    });
    const { title, viewers, phase } = this.info();
    this.told = { title, viewers, phase };

    owned.add(this.arbiter.onTaken(() => this.keyboard.dropStale()));
    owned.add(this.arbiter.onChange(() => this.leaseChanged()));
    owned.add(
      this.needs.onChange(() => {
        this.fanout.notice({ type: "need", need: this.needs.need });
        this.changed();
      }),
    );
    owned.add(this.wrote.event((written) => this.learnedTyping(written)));
    owned.add(
      this.journal.onNews((news) => {
        if (news.kind === "began") this.arbiter.lineSent();
        if (news.kind === "state") leftModes.shellMoved(news.state);
      }),
    );
    // Not at once: others that hear of it look at a screen that stands still.
    owned.add(this.pump.onApplied(() => queueMicrotask(() => leftModes.parsed())));
    owned.add(tellActivity(this.activity, clock, () => this.activityChanged()));
    owned.add(this.screen.onFact((fact) => this.learned(fact)));
    owned.add(pty.onExit((status) => this.exited(status)));
    owned.add(
      pty.onData((bytes) => {
        if (this.record.advance({ state: "running" })) this.activity.lifeMoved();
        this.foreground.printed();
        const shown = this.secretTyping.filter(bytes);
        this.log.appendBytes(guard.filter(shown, clock.monotonic()));
        this.activity.printed();
        this.arbiter.printed();
      }),
    );
  }

  info(): SessionInfo {
    const info = this.record.info(
      this.foreground.current(),
      this.sizes.size,
      this.fanout.count,
      this.activity.state.phase,
      this.state,
    );
    // It may be older than what is hidden in it.
    return { ...info, title: this.words.hide(info.title) };
  }

  /** What the machines of this session say; each fills in its own field. */
  private get state(): SessionState {
    return {
      ...plainState,
      lease: this.arbiter.lease(),
      access: this.currentAccess,
      need: this.needs.need,
      secrets: [...this.secretNames],
      agent: this.agentNews.acting,
      ...journalState(this.journal),
      credential: credentialOf(this.activity, this.clock),
    };
  }

  /** Variables of its environment whose values may be read nowhere. */
  get secretNames(): readonly string[] {
    return this.launchSecrets;
  }

  get access(): Access {
    return this.currentAccess;
  }

  /** Takes effect before it returns: agents' queued input is dropped, and sealing ends their viewers (AC2). */
  setAccess(access: Access): void {
    if (access === this.currentAccess) return;
    // Feeds must be able to tell what was from before.
    this.tellNews();
    this.currentAccess = access;
    this.keyboard.dropStale();
    if (access === "sealed")
      for (const viewer of [...this.viewers])
        if (viewer.isAgent) viewer.end("SEALED", sealedReason);
    this.fanout.notice({ type: "access", access });
    this.accesses.fire(access);
    this.tellNews();
  }

  /** A password is asked for: nothing that is typed now may be seen or kept (CR3). */
  get isSecret(): boolean {
    return this.arbiter.isCredential;
  }

  /** Something in `info()` is new: viewers and feeds are told soon. */
  changed(): void {
    this.news.poke();
  }

  /** How the terminal treats what is typed now: by lines or bytes, shown or hidden. Costs about 8 ms. */
  ttySettings(): Promise<TtySettings> {
    return this.parts.readTty(this.pty.tty);
  }

  /** What is true of this session when `actor` asks to do something. */
  actFacts(actor: Actor, isReader: boolean, ifDraft: "clear" | "keep" | undefined): ActFacts {
    return {
      actor,
      isReader,
      access: this.currentAccess,
      ended: endOf(this.record),
      lease: this.arbiter.current(),
      ifDraft,
      nowMs: this.clock.monotonic(),
    };
  }

  /** A person says that a password is asked for, or that none is. */
  correctCredential(action: "treat_as_secret" | "not_a_password"): void {
    if (action === "treat_as_secret") this.activity.treatAsSecret();
    else {
      // Which prompt is meant has to be known before it is none any more.
      this.secretMoved();
      this.secretTyping.dismissed();
      this.activity.notAPassword();
    }
  }

  /** To the foreground process group. */
  signal(signal: SignalName): void {
    this.pty.signalForeground(signal);
  }

  /** Ends the process tree, then everything else. Once: later calls wait for the first. `why` is what viewers are told. */
  close(signal: SignalName, why: CloseCause = "SESSION_NOT_FOUND"): Promise<void> {
    this.ending ??= this.pty.end(signal).finally(() => this.shut(why));
    return this.ending;
  }

  /** At once: a process still alive is killed. */
  dispose(): void {
    this.shut("HOST_LOST");
  }

  /** `nonce`: of its integration; the session's own process is then a shell, and the kernel says who has the terminal. */
  private isShellInFront(nonce: string | null): boolean {
    const front = nonce === null ? null : this.parts.readForeground(this.pty.pid);
    return front ? front.isSessionLeader : !this.screen.isAlternate;
  }

  private shut(why: CloseCause): void {
    if (!this.record.advance({ state: "closed", exit: exitOf(this.record.lifecycle) })) return;
    this.activity.lifeMoved();
    this.waits.lifeMoved();
    this.fanout.end(why, closeReasons[why]);
    this.events.fire({ kind: "closed", session: this.info() });
    this.owned.dispose();
  }

  private exited(status: ExitStatus): void {
    if (!this.record.advance({ state: "exited", status, atMs: this.clock.now() })) return;
    this.activity.lifeMoved();
    this.foreground.end();
    this.keyboard.dispose();
    this.sizes.dispose();
    this.arbiter.exited();
    this.needs.clear();
    this.log.appendExit(status);
    // The end of a command that ran is told when everything before it is parsed.
    void this.pump.whenApplied(this.log.end, this.log.entryCount).then(() => this.journal.exited());
    this.waits.lifeMoved();
    this.changed();
    this.events.fire({ kind: "exited", session: this.info() });
  }

  private leaseChanged(): void {
    const lease = this.arbiter.lease();
    const { holder, cause, actor_id, epoch, draft, left_by, politeness } = lease;
    const now = JSON.stringify([holder, cause, actor_id, epoch, !draft, left_by, politeness]);
    if (now === this.toldLease) {
      this.countdown.poke();
      return;
    }
    this.toldLease = now;
    this.leaseNews.poke();
    this.changed();
  }

  private secretMoved(): void {
    const { state, hidesTyping } = this.activity;
    const isHidden = state.credential === "echo_off" || hidesTyping;
    const prompt = this.activity.promptCount;
    const { journal } = this;
    const command = () =>
      journal.state === "running" ? (journal.latest()?.command ?? null) : null;
    this.secretTyping.moved(state.credential === null ? null : { isHidden, prompt, command });
  }

  private activityChanged(): void {
    const isAsked = this.activity.state.credential !== null;
    this.secretMoved();
    if (isAsked !== this.arbiter.isCredential) {
      this.arbiter.credential(isAsked);
      const credential = credentialOf(this.activity, this.clock);
      this.needs.password(credential && { since: credential.since });
      this.fanout.notice({ type: "credential", credential });
      const what = credential ? `asked for (${credential.source})` : "no more asked for";
      this.traces.trail.acted(null, { act: "credential", what });
    }
    this.changed();
  }

  /** What stands on the line, and who called whom (DR1, OP5). */
  private learnedTyping({ actor, cause, bytes }: Written): void {
    if (actor.kind === "human" && (cause === "keys" || cause === "input")) {
      if (this.isSecret) this.secretMoved();
      const { phase } = this.activity.state;
      this.secretTyping.typed(bytes, phase === "idle" || phase === "waiting_input");
    }
    this.activity.typed(bytes, cause === "keys" || cause === "input");
    if (cause === "report" || cause === "mouse") return;
    if (actor.kind === "agent") this.arbiter.agentTyped(actor.name, bytes);
    else {
      this.arbiter.personTyped(bytes);
      this.needs.clear();
    }
  }

  private learned(fact: ScreenFact): void {
    switch (fact.kind) {
      case "title":
        this.record.title = fact.title;
        this.changed();
        break;
      case "bell":
        this.bell.poke();
        break;
      case "reply":
        this.keyboard.reply(fact.bytes);
        break;
      case "marker":
        break;
      default:
        assertNever(fact);
    }
  }

  private rang(): void {
    this.fanout.notice({ type: "bell" });
    this.events.fire({ kind: "bell", session: this.info() });
  }

  private tellNews(): void {
    const info = this.info();
    const { title, viewers, phase } = info;
    if (title !== this.told.title) this.fanout.notice({ type: "title", title });
    if (viewers !== this.told.viewers) this.fanout.notice({ type: "viewers", viewers });
    if (phase !== this.told.phase) this.fanout.notice({ type: "phase", phase });
    this.told = { title, viewers, phase };
    this.events.fire({ kind: "changed", session: info });
  }
}

/** How the program ended, for those who want something of it. */
function endOf({ id, hasEnded, lifecycle }: SessionRecord): string | null {
  if (!hasEnded) return null;
  const status = exitOf(lifecycle)?.status;
  const how = status?.signal ? `was ended by ${status.signal}` : `exited with ${status?.exit_code}`;
  return `the program of session ${id} ${how}`;
}
