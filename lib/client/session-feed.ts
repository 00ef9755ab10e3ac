// The list of sessions as this client knows it, and how the server is reached: listed once, then kept by events (EV1). While there is no
// event stream - the page is hidden, or something in between holds it back - the list is asked for again and again instead.
import type { Clock } from "#lib/base/clock.ts";
import { Emitter, type Event } from "#lib/base/emitter.ts";
import { type Disposable, DisposableStore, toDisposable } from "#lib/base/lifecycle.ts";
import type { SessionNews, StreamEvent } from "#lib/protocol/events.ts";
import type { Me } from "#lib/protocol/login.ts";
import { isSealed, type ListedSession, type SessionInfo } from "#lib/protocol/session.ts";
import type { ApiClient } from "./api-client.ts";
import { ApiError } from "./api-error.ts";
import { applyNews } from "./apply-news.ts";
import type { ApiClientOptions } from "./call.ts";
import { EventStream } from "./event-stream.ts";
import type { PageSignals } from "./page-signals.ts";
import { ReconnectTimer } from "./reconnect-timer.ts";
import { Samples } from "./samples.ts";

export type ServerLink =
  | { kind: "starting" }
  /** `rttMs`: median of the last ten round trips. */
  | { kind: "online"; rttMs: number }
  /** `untilMs`: wall time of the next attempt; null while one is under way. `detail` is a sentence. */
  | { kind: "offline"; sinceMs: number; attempt: number; untilMs: number | null; detail: string }
  | { kind: "signed_out" };

export interface FeedSnapshot {
  readonly link: ServerLink;
  /** As last told; kept while offline. Null before the first answer. After an event, sessions that it is not about are the same objects. */
  readonly sessions: readonly SessionInfo[] | null;
  /** How many lists were asked for and came; what changes in between came as events. */
  readonly listings: number;
  readonly me: Me | null;
  /** The last ten round trips, oldest first. */
  readonly rttsMs: readonly number[];
}

export interface SessionFeed extends Disposable {
  readonly onChange: Event<FeedSnapshot>;
  /** The same object until something changes. */
  snapshot(): FeedSnapshot;
  /**
   * Ask now: after an act, after signing in, or because the person pressed "Retry now". Resolves when an answer to a question
   * asked after this call came, or that question failed; never rejects.
   */
  refresh(): Promise<void>;
}

export interface SessionFeedOptions {
  api: ApiClient;
  /** For the event stream: as for `api`. */
  server: ApiClientOptions;
  clock: Clock;
  page: PageSignals;
  random?: () => number;
}

/** How often the server is asked for a sign of life (with events) or for the list (without). */
export const feedTimes = {
  visibleMs: 2_000,
  hiddenMs: 10_000,
  answerWithinMs: 10_000,
  /** How old what the server says of itself may be where lists are asked for in place of signs of life. */
  meMs: 10_000,
} as const;

export function createSessionFeed(options: SessionFeedOptions): SessionFeed {
  return new ListedFeed(options);
}

class ListedFeed implements SessionFeed {
  private readonly store = new DisposableStore();
  private readonly changes = this.store.add(new Emitter<FeedSnapshot>());
  private readonly timer: ReconnectTimer;
  private readonly rtts = new Samples(10);
  private current: FeedSnapshot = {
    link: { kind: "starting" },
    sessions: null,
    listings: 0,
    me: null,
    rttsMs: [],
  };
  private nextPoll: Disposable | null = null;
  private running: Promise<void> | null = null;
  /** The credential was refused; only `refresh` (after signing in) asks again. */
  private isSignedOut = false;
  private isMeDue = true;
  private meMs = 0;
  private isListDue = true;
  private stream: EventStream | null = null;
  /** Events that came while a list was on its way: the list may be older than they are. Null while none is. */
  private meanwhile: SessionNews[] | null = null;
  /** Why the last question failed. */
  private detail = "";

  readonly onChange = this.changes.event;

  constructor(private readonly options: SessionFeedOptions) {
    const { clock, page, random } = options;
    this.timer = this.store.add(
      new ReconnectTimer({
        clock,
        page,
        ...(random ? { random } : {}),
        connect: () => void this.poll(),
      }),
    );
    this.store.add(this.timer.onChange(() => this.publishLink()));
    this.store.add(
      page.onWake(() => {
        if (this.timer.state.kind === "open") void this.poll();
      }),
    );
    // A browser opens six connections to a server at a time, all its pages together: those out of sight leave theirs to the others.
    this.store.add(page.onVisibility((isVisible) => void (isVisible || this.closeStream())));
    this.store.add(
      toDisposable(() => {
        this.nextPoll?.dispose();
        this.closeStream();
      }),
    );
    this.timer.start();
  }

  snapshot(): FeedSnapshot {
    return this.current;
  }

  async refresh(): Promise<void> {
    this.isSignedOut = false;
    this.isMeDue = true;
    this.isListDue = true;
    // An answer on its way may be older than the act that this refresh follows.
    await this.running;
    if (this.timer.state.kind === "waiting") this.timer.tell({ kind: "asked" });
    else void this.poll();
    await this.running;
  }

  dispose(): void {
    this.store.dispose();
  }

  private poll(): Promise<void> {
    if (this.store.isDisposed || this.isSignedOut) return Promise.resolve();
    this.running ??= this.ask();
    return this.running;
  }

  private async ask(): Promise<void> {
    const { api, clock, page } = this.options;
    this.nextPoll?.dispose();
    const abort = new AbortController();
    const deadline = clock.after(feedTimes.answerWithinMs, () => abort.abort());
    try {
      const startedMs = clock.monotonic();
      const isList = this.isListDue || this.stream?.state.kind !== "open";
      this.isListDue = false;
      this.meanwhile = isList ? [] : null;
      const listed = isList ? await api.listSessions({ signal: abort.signal }) : null;
      if (listed) this.rtts.add(clock.monotonic() - startedMs);
      const isMeOld = clock.monotonic() - this.meMs >= feedTimes.meMs;
      const isMe = this.isMeDue || isMeOld || !listed;
      const me = isMe ? await api.me({ signal: abort.signal }) : this.current.me;
      if (isMe) this.meMs = clock.monotonic();
      if (!listed) this.rtts.add(clock.monotonic() - startedMs);
      // Before anybody is told: what they do about it may be to ask again.
      this.running = null;
      if (this.store.isDisposed) return;
      this.isMeDue = false;
      const isSame = JSON.stringify(me) === JSON.stringify(this.current.me);
      this.current = { ...this.current, me: isSame ? this.current.me : me };
      if (listed) this.takeList(listed.sessions, listed.last_event_id);
      this.current = { ...this.current, rttsMs: this.rtts.all() };
      this.timer.tell({ kind: "opened" });
      this.publishLink();
      if (listed) this.follow(listed.last_event_id);
      // What became due while the answer was on its way is asked at once.
      const everyMs = page.isVisible() ? feedTimes.visibleMs : feedTimes.hiddenMs;
      this.nextPoll = clock.after(this.isListDue ? 0 : everyMs, () => void this.poll());
    } catch (error) {
      this.running = null;
      if (this.store.isDisposed) return;
      this.fail(error, abort.signal.aborted);
    } finally {
      deadline.dispose();
    }
  }

  /** `lastEventId`: everything up to it is in the list. */
  private takeList(listed: readonly ListedSession[], lastEventId: string | undefined): void {
    // Of what is sealed to this client there is nothing to show.
    const list = listed.filter((one): one is SessionInfo => !isSealed(one));
    const newer = (this.meanwhile ?? []).filter(
      ({ id }) => lastEventId === undefined || id > lastEventId,
    );
    this.meanwhile = null;
    const sessions = newer.reduce(applyNews, list);
    this.current = { ...this.current, sessions, listings: this.current.listings + 1 };
  }

  /** From the list on. A server of an older version names no place to go on from: then the list is all there is. */
  private follow(lastEventId: string | undefined): void {
    const { server, clock, page, random } = this.options;
    if (lastEventId === undefined || this.store.isDisposed || !page.isVisible()) return;
    if (this.stream) {
      this.stream.moveTo(lastEventId);
      return;
    }
    const stream = new EventStream({
      server,
      clock,
      page,
      after: lastEventId,
      ...(random ? { random } : {}),
    });
    this.stream = stream;
    stream.onEvent((event) => this.heard(event));
    // Found out at once whether the server is away, or only the stream.
    stream.onState(({ kind }) => {
      if (kind !== "waiting" && kind !== "final") return;
      this.isListDue = true;
      void this.poll();
    });
    stream.start();
  }

  private heard(event: StreamEvent): void {
    if (event.type === "gap") {
      this.isListDue = true;
      void this.poll();
      return;
    }
    this.meanwhile?.push(event);
    const { sessions } = this.current;
    const after = sessions && applyNews(sessions, event);
    if (after === sessions) return;
    this.current = { ...this.current, sessions: after };
    this.changes.fire(this.current);
  }

  private closeStream(): void {
    this.stream?.dispose();
    this.stream = null;
  }

  private fail(error: unknown, isLate: boolean): void {
    this.meanwhile = null;
    this.isListDue = true;
    this.closeStream();
    if (error instanceof ApiError && error.status === 401) {
      this.isSignedOut = true;
      this.current = { ...this.current, sessions: null, me: null, link: { kind: "signed_out" } };
      this.changes.fire(this.current);
      return;
    }
    this.detail = isLate
      ? `no answer within ${feedTimes.answerWithinMs / 1000} s`
      : error instanceof Error
        ? error.message
        : String(error);
    // The server may be another one when it is back.
    this.isMeDue = true;
    this.timer.tell({ kind: "closed", code: 1006, isOver: false });
  }

  private publishLink(): void {
    const link = this.isSignedOut ? this.current.link : this.linkNow();
    this.current = { ...this.current, link };
    this.changes.fire(this.current);
  }

  private linkNow(): ServerLink {
    const { state } = this.timer;
    if (state.kind === "open") return { kind: "online", rttMs: this.rtts.median() ?? 0 };
    if (state.kind === "connecting" && state.lostMs === null) return { kind: "starting" };
    if (state.kind === "final") return this.current.link;
    const untilMs = state.kind === "waiting" ? state.untilMs : null;
    const sinceMs = state.kind === "waiting" ? state.lostMs : (state.lostMs ?? 0);
    return { kind: "offline", sinceMs, attempt: state.attempt, untilMs, detail: this.detail };
  }
}
