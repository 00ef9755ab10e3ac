// One client's place in the ring, and what of it that client may and wants to see. Reads when its client has room, so a slow client costs
// a number here, not a queue; one that the ring has overtaken is over, and its client comes back by id to be told of the gap.
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { Actor } from "#lib/protocol/actor.ts";
import type { NewsType } from "#lib/protocol/events.ts";
import type { EventRing, KeptEvent } from "./event-ring.ts";

export interface EventWish {
  readonly session?: string | undefined;
  readonly types?: ReadonlySet<string> | undefined;
  /** Id of the last event that the client has; left out: from now on. */
  readonly after?: string | undefined;
}

export type Taken =
  | { readonly kind: "events"; readonly events: readonly KeptEvent[] }
  /** Events that this client had not read yet are gone. */
  | { readonly kind: "overtaken" };

/** What agents are told of a session that people closed to them: that it was, and that it is gone. */
const openOfSealed: ReadonlySet<string> = new Set(["access", "closed"] satisfies NewsType[]);

export class EventReader implements Disposable {
  /** Sequence of the last event that was taken or passed over. */
  private cursor: number;
  /** From where to where nothing is kept, when the client named an id that cannot be continued. */
  readonly gap: { readonly from: string; readonly to: string } | null = null;
  /** Called when there may be something to take. */
  onMore: () => void = () => {};
  /** Called once, when the server ends this reader. */
  onEnd: () => void = () => {};

  constructor(
    private readonly ring: EventRing,
    private readonly actor: Actor,
    private readonly wish: EventWish,
    private readonly leave: () => void,
    /** Whether a session is closed to agents now. */
    private readonly isSealed: (session: string) => boolean = () => false,
  ) {
    this.cursor = ring.last;
    const { after } = wish;
    if (after === undefined) return;
    const known = ring.sequenceOf(after);
    if (known !== undefined && known >= ring.oldest - 1) this.cursor = known;
    else {
      this.cursor = ring.oldest - 1;
      this.gap = { from: after, to: ring.idOf(this.cursor) };
    }
  }

  /** Id to come back with: everything up to it was taken, or is not for this client. */
  get position(): string {
    return this.ring.idOf(this.cursor);
  }

  /** The whole of what this client follows is over. */
  isLast(event: KeptEvent): boolean {
    return event.type === "closed" && event.session === this.wish.session;
  }

  /** An event came to be. */
  appended(event: KeptEvent): void {
    // What is not for this client must not make it look like one that fell behind.
    if (this.wants(event)) this.onMore();
    else if (this.cursor === event.sequence - 1) this.cursor = event.sequence;
  }

  /** Something is there that this client may see. */
  isDue(): boolean {
    for (let sequence = this.cursor + 1; sequence <= this.ring.last; sequence++) {
      const event = this.ring.at(sequence);
      if (!event || this.wants(event)) return true;
    }
    return false;
  }

  /** The next events, at least one where there is one, until they have `chars` characters. */
  take(chars: number): Taken {
    const events: KeptEvent[] = [];
    for (let taken = 0; taken < chars && this.cursor < this.ring.last; ) {
      const event = this.ring.at(this.cursor + 1);
      if (!event) return { kind: "overtaken" };
      this.cursor = event.sequence;
      if (!this.wants(event)) continue;
      events.push(event);
      taken += event.json.length;
      if (this.isLast(event)) break;
    }
    return { kind: "events", events };
  }

  /** By the server: the credential ended, or the host does. */
  end(): void {
    this.dispose();
    this.onEnd();
  }

  dispose(): void {
    this.leave();
  }

  private wants(event: KeptEvent): boolean {
    const { sessions, kind } = this.actor;
    if (kind === "agent" && !openOfSealed.has(event.type)) {
      if (event.isSealed || this.isSealed(event.session)) return false;
    }
    const { session, types } = this.wish;
    return (
      (sessions === undefined || sessions.includes(event.session)) &&
      (session === undefined || session === event.session) &&
      (types === undefined || types.has(event.type))
    );
  }
}
