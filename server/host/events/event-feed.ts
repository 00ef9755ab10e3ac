// Everything that happens to sessions, kept for a while, for any number of readers (EV1). One subscription to the registry feeds them all.
import type { Clock } from "#lib/base/clock.ts";
import type { Event } from "#lib/base/emitter.ts";
import { type Disposable, DisposableStore, toDisposable } from "#lib/base/lifecycle.ts";
import type { Actor } from "#lib/protocol/actor.ts";
import { TermError } from "#lib/protocol/errors.ts";
import type { NewsBody } from "#lib/protocol/events.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { SessionEvent } from "#server/host/session/session-event.ts";
import { lifeOf } from "./event-id.ts";
import { EventReader, type EventWish } from "./event-reader.ts";
import { EventRing, type RingBounds } from "./event-ring.ts";
import { SessionNewsMaker } from "./session-news.ts";
import { sseStream } from "./sse-stream.ts";

export class EventFeed implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly ring: EventRing;
  /** Sessions that are closed to agents now, or were when they ended. */
  private readonly sealed = new Set<string>();
  private readonly readers = new Map<EventReader, Actor>();

  constructor(
    subscribe: Event<SessionEvent>,
    private readonly clock: Clock,
    bounds: RingBounds = { events: limits.events, bytes: limits.eventRingBytes },
  ) {
    this.ring = new EventRing(lifeOf(clock.now()), bounds);
    const maker = this.owned.add(
      new SessionNewsMaker(clock, (news, isSealed) => this.append(news, isSealed)),
    );
    this.owned.add(
      subscribe((event) => {
        this.noteAccess(event);
        maker.learn(event);
      }),
    );
  }

  /** Id of the newest event: what is read now and what comes after this id is everything, once. */
  get position(): string {
    return this.ring.idOf(this.ring.last);
  }

  get readerCount(): number {
    return this.readers.size;
  }

  /** Throws TOO_MANY_SOCKETS. */
  open(actor: Actor, wish: EventWish): EventReader {
    const own = [...this.readers.values()].filter(({ id }) => id === actor.id).length;
    if (own >= limits.streamsPerPrincipal || this.readers.size >= limits.streamsTotal) {
      throw new TermError(
        "TOO_MANY_SOCKETS",
        `${own} event streams of this credential are open already, ${this.readers.size} in all`,
        { retryAfterMs: 5_000 },
      );
    }
    const leave = toDisposable(() => this.readers.delete(reader));
    const isSealed = (session: string) => this.sealed.has(session);
    const reader = new EventReader(this.ring, actor, wish, () => leave.dispose(), isSealed);
    this.readers.set(reader, actor);
    return reader;
  }

  /** The reader's events as bytes of an event stream; cancelling it ends the reader. */
  stream(reader: EventReader): ReadableStream<Uint8Array> {
    return sseStream(reader, this.clock);
  }

  /** Ends that actor's streams; how many. */
  disconnect(actorId: string): number {
    const own = [...this.readers].filter(([, { id }]) => id === actorId);
    for (const [reader] of own) reader.end();
    return own.length;
  }

  dispose(): void {
    this.owned.dispose();
    for (const reader of [...this.readers.keys()]) reader.end();
  }

  /** Before anything that the event tells is appended: from here on agents are told nothing more. */
  private noteAccess({ session: { id, access } }: SessionEvent): void {
    if (access !== "sealed") this.sealed.delete(id);
    else this.sealed.add(id);
    // Ids of sessions that are gone stay for as long as their events may; the oldest go first.
    for (const old of this.sealed) {
      if (this.sealed.size <= limits.events) break;
      this.sealed.delete(old);
    }
  }

  private append(news: NewsBody, isSealed: boolean): void {
    const event = this.ring.append(news, this.clock.now(), isSealed);
    for (const reader of [...this.readers.keys()]) reader.appended(event);
  }
}
