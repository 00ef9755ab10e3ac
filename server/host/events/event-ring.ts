// The last events in order, each with its id and already as JSON: it is written once, however many read it. Bounded in number and in
// bytes, the oldest go first. Knows no reader.

import type { NewsBody, NewsType, SessionNews } from "#lib/protocol/events.ts";
import type { SessionId } from "#lib/protocol/ids.ts";
import { formatEventId, parseEventId } from "./event-id.ts";

export interface KeptEvent {
  readonly id: string;
  readonly sequence: number;
  readonly type: NewsType;
  readonly session: SessionId;
  readonly json: string;
  /** Of a session that was closed to agents then (AC2). */
  readonly isSealed: boolean;
}

export interface RingBounds {
  readonly events: number;
  /** Characters of JSON. */
  readonly bytes: number;
}

export class EventRing {
  private readonly slots: (KeptEvent | undefined)[] = [];
  private bytes = 0;
  private first = 1;
  private next = 1;

  constructor(
    private readonly life: string,
    private readonly bounds: RingBounds,
  ) {}

  /** Sequence of the newest event; 0 before the first. */
  get last(): number {
    return this.next - 1;
  }

  /** Sequence of the oldest that is kept; `last + 1` when none is. */
  get oldest(): number {
    return this.first;
  }

  idOf(sequence: number): string {
    return formatEventId({ life: this.life, sequence });
  }

  /** Sequence of an id of this life of the host that is not in the future; else undefined. */
  sequenceOf(id: string): number | undefined {
    const place = parseEventId(id);
    return place && place.life === this.life && place.sequence <= this.last
      ? place.sequence
      : undefined;
  }

  append(body: NewsBody, atMs: number, isSealed = false): KeptEvent {
    const sequence = this.next++;
    const { type, session, ...rest } = body;
    const id = this.idOf(sequence);
    const at = new Date(atMs).toISOString();
    const json = JSON.stringify({ type, id, at, session, ...rest } as SessionNews);
    const kept: KeptEvent = { id, sequence, type, session, json, isSealed };
    if (sequence - this.first >= this.bounds.events) this.evict();
    this.slots[sequence % this.bounds.events] = kept;
    this.bytes += json.length;
    while (this.bytes > this.bounds.bytes && this.first < sequence) this.evict();
    return kept;
  }

  /** Undefined when it is not kept any more, or not there yet. */
  at(sequence: number): KeptEvent | undefined {
    if (sequence < this.first || sequence > this.last) return undefined;
    return this.slots[sequence % this.bounds.events];
  }

  private evict(): void {
    const slot = this.first % this.bounds.events;
    this.bytes -= this.slots[slot]?.json.length ?? 0;
    this.slots[slot] = undefined;
    this.first += 1;
  }
}
