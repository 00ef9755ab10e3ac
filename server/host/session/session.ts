// One session: an ordered log, one screen, and the hands on it. Wires the parts together; decides nothing (session-port.ts does).
//
// 1. Write is an act, wait is a question, phase is a fact; they never share a method.
// 2. There is one screen and two projections of it: text for agents, ANSI for viewers.
// 3. The log is the only order. Resize and exit have a place in it.
// 4. Nobody is authorised twice. The port decided; nothing below asks again.
import { assertNever } from "#lib/base/assert.ts";
import type { Clock } from "#lib/base/clock.ts";
import { Emitter, type Event } from "#lib/base/emitter.ts";
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
import type { Notice } from "#server/host/viewer/outlet.ts";
import type { MarkSource } from "#server/host/viewer/snapshot-source.ts";
import { AgentAccess } from "./agent-access.ts";
import { AgentNews } from "./agent-news.ts";
import { CredentialPrompt } from "./credential-prompt.ts";
import type { ActFacts } from "./decide.ts";
import { FirstPrompt } from "./first-prompt.ts";
import { ForegroundWatch } from "./foreground-watch.ts";
import { InfoNews } from "./info-news.ts";
import { Keyboard } from "./keyboard.ts";
import { LeaseNews } from "./lease-news.ts";
import { exitOf } from "./lifecycle.ts";
import { lineFacts } from "./line-facts.ts";
import { LinePlaces } from "./line-places.ts";
import { activityOf, credentialOf, tellActivity } from "./session-activity.ts";
import type { SessionEvent } from "./session-event.ts";
import { journalOf, journalState, snapshotCommands } from "./session-journal.ts";
import { endLeftModes } from "./session-left-modes.ts";
import type { SessionParts } from "./session-parts.ts";
import { SessionRecord, type SessionSeed } from "./session-record.ts";
import { type SessionViews, viewsOf } from "./session-views.ts";
import { SessionWaits } from "./session-waits.ts";
import type { SizeOwner } from "./size-authority.ts";
import { SizeControl } from "./size-control.ts";
import { Traces } from "./traces.ts";
import type { Written } from "./written.ts";

const closeReasons = {
  SESSION_NOT_FOUND: "the session was closed",
  /** Viewers may come back, to another host. */
  HOST_LOST: "the host is stopping",
} as const;
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
  readonly agentAccess: AgentAccess;
  readonly activity: Activity;
  readonly firstPrompt: FirstPrompt;
  readonly journal: Journal;
  readonly waits: SessionWaits;
  readonly traces: Traces;
  /** What must not be read in any text of this session. */
  readonly words: SecretWords;
  readonly fanout: Fanout;
  readonly views: SessionViews;
  /** Variables of its environment whose values may be read nowhere. */
  readonly secretNames: readonly string[];

  private readonly owned = new DisposableStore();
  /** Everything that anybody typed, right after it was queued. The terminal's own replies are not among it. */
  readonly wrote = this.owned.add(new Emitter<Written>());
  /** Of people, unless their connection says otherwise (LS5, LS9). */
  readonly idleMs: number | null;
  readonly politeness: Politeness;
  readonly onEvent: Event<SessionEvent>;
  private readonly foreground: ForegroundWatch;
  private readonly credential: CredentialPrompt;
  private readonly news: InfoNews;
  private ending: Promise<void> | null = null;

  constructor(
    seed: SessionSeed,
    initial: SessionStart,
    private readonly pty: Pty,
    private readonly parts: SessionParts,
    private readonly clock: Clock,
  ) {
    const { owned, log } = this;
    const wrote = this.wrote.event;
    const changed = () => this.changed();
    const foreground = () => parts.readForeground(pty.pid);
    owned.add(pty);
    const record = new SessionRecord(seed, pty.pid);
    const words = owned.add(new SecretWords(initial.secrets ?? {}));
    const hide = (text: string) => words.hide(text);
    const typing = owned.add(new SecretTyping(words, clock));
    const screen = owned.add(parts.makeScreen(initial.size, words));
    const guard = parts.makeGuard(initial.size);
    const pump = owned.add(new Pump(log, screen, pty, clock));
    const lines = new LinePlaces(screen, pump, log);
    const marks: MarkSource = {
      held: () => ({ commands: snapshotCommands(this.journal), lowest: lines.lowest }),
      written: () => this.traces.writes.lines(),
    };
    this.record = record;
    this.words = words;
    this.screen = screen;
    this.pump = pump;
    this.secretNames = Object.keys(initial.secrets ?? {});
    this.idleMs = initial.idleMs;
    this.politeness = initial.politeness;
    this.views = viewsOf({ log, pump, screen, words, marks }, clock, owned);
    const fanout = owned.add(new Fanout(log, clock));
    this.fanout = fanout;
    const tell = (notice: Notice) => fanout.notice(notice);
    this.keyboard = owned.add(new Keyboard(pty, clock));
    this.agentAccess = owned.add(new AgentAccess(initial.access, this.keyboard, fanout));
    const line = lineFacts({ screen, journal: () => this.journal, activity: () => this.activity });
    const arbiter = owned.add(new Arbiter({ line }, clock));
    this.arbiter = arbiter;
    const needs = owned.add(new Needs(clock));
    this.needs = needs;
    this.agentNews = owned.add(new AgentNews(clock, tell, changed));
    this.foreground = owned.add(
      new ForegroundWatch(seed.cwd, foreground, changed, clock, () => this.journal.cwd, hide),
    );
    this.sizes = owned.add(
      new SizeControl(
        initial,
        {
          take: (size) => {
            pty.resize(size);
            guard.resize(size);
            log.appendResize(size);
            changed();
          },
          ownerChanged: (attachment) => tell({ type: "size_owner", attachment }),
        },
        clock,
      ),
    );
    const shell = seed.shell ?? { nonce: null, isOff: false };
    const journal = journalOf(
      {
        screen,
        wrote,
        shell,
        hide,
        place: () => this.foreground.current().cwd,
        tell: (command) => tell({ type: "command", record: command }),
        changed,
      },
      clock,
      owned,
    );
    this.journal = journal;
    const activity = owned.add(
      activityOf({ pty, screen, record, parts, shell: () => journal.state, hide }, clock),
    );
    this.activity = activity;
    const { onChange: onAccess } = this.agentAccess;
    const { onTaken } = arbiter;
    const isHooked = shell.nonce !== null;
    this.firstPrompt = owned.add(
      new FirstPrompt({ isHooked, journal, activity, onTaken, onAccess }, clock),
    );
    const access = () => this.access;
    this.waits = owned.add(
      new SessionWaits(
        { record, screen, log, pump, journal, activity, arbiter, wrote, onAccess, access },
        clock,
      ),
    );
    const place = () => this.foreground.fresh();
    const { id } = seed;
    const sink = parts.audit;
    this.traces = owned.add(
      new Traces({ id, sink, screen, journal, arbiter, wrote, place, lines, tell, hide }, clock),
    );
    const { trail } = this.traces;
    this.credential = new CredentialPrompt(
      { activity, journal, arbiter, needs, fanout, trail, typing },
      clock,
    );
    this.news = owned.add(new InfoNews(() => this.info(), fanout, clock));
    this.onEvent = this.news.onEvent;

    owned.add(arbiter.onTaken(() => this.keyboard.dropStale()));
    owned.add(new LeaseNews(arbiter, fanout, changed, clock));
    owned.add(
      needs.onChange(() => {
        tell({ type: "need", need: needs.need });
        changed();
      }),
    );
    owned.add(wrote((written) => this.learnedTyping(written)));
    owned.add(
      journal.onNews((news) => {
        if (news.kind === "began") arbiter.lineSent();
      }),
    );
    const { nonce } = shell;
    endLeftModes({ screen, log, pump, journal, record, nonce, foreground }, owned);
    owned.add(
      tellActivity(activity, clock, () => {
        this.credential.moved();
        changed();
      }),
    );
    owned.add(screen.onFact((fact) => this.learned(fact)));
    owned.add(pty.onExit((status) => this.exited(status)));
    owned.add(
      pty.onData((bytes) => {
        if (record.advance({ state: "running" })) activity.lifeMoved();
        this.foreground.printed();
        const shown = typing.filter(bytes);
        log.appendBytes(guard.filter(shown, clock.monotonic()));
        activity.printed();
        arbiter.printed();
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
      access: this.access,
      need: this.needs.need,
      secrets: [...this.secretNames],
      agent: this.agentNews.acting,
      ...journalState(this.journal),
      credential: credentialOf(this.activity, this.clock),
    };
  }

  get access(): Access {
    return this.agentAccess.current;
  }

  /** Takes effect before it returns (AC2). */
  setAccess(access: Access): void {
    if (access === this.access) return;
    // Feeds must be able to tell what was from before.
    this.news.tell();
    this.agentAccess.set(access);
    this.news.tell();
  }

  /** A password is asked for: nothing that is typed now may be seen or kept (CR3). */
  get isSecret(): boolean {
    return this.arbiter.isCredential;
  }

  /** Something in `info()` is new: viewers and feeds are told soon. */
  changed(): void {
    this.news.changed();
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
      access: this.access,
      ended: this.record.ending,
      lease: this.arbiter.current(),
      ifDraft,
      nowMs: this.clock.monotonic(),
    };
  }

  /** A person says that a password is asked for, or that none is. */
  correctCredential(action: "treat_as_secret" | "not_a_password"): void {
    this.credential.correct(action);
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

  private shut(why: CloseCause): void {
    if (!this.record.advance({ state: "closed", exit: exitOf(this.record.lifecycle) })) return;
    this.activity.lifeMoved();
    this.waits.lifeMoved();
    this.fanout.end(why, closeReasons[why]);
    this.news.ended("closed");
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
    this.firstPrompt.lifeMoved();
    this.changed();
    this.news.ended("exited");
  }

  /** What stands on the line, and who called whom (DR1, OP5). */
  private learnedTyping({ actor, cause, bytes }: Written): void {
    const isTyping = cause === "keys" || cause === "input";
    if (actor.kind === "human" && isTyping) this.credential.typed(bytes);
    this.activity.typed(bytes, isTyping);
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
        this.news.rang();
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
}
