// What the API needs of the host beneath it. The session registry and start.ts fill it; tests may too.
import type { Actor } from "#lib/protocol/actor.ts";
import type { AuditActName, AuditQuery, AuditReply } from "#lib/protocol/audit.ts";
import type { Me } from "#lib/protocol/login.ts";
import type { ProfilesReply } from "#lib/protocol/profiles.ts";
import type { CreateSession, ListedSession, SessionInfo } from "#lib/protocol/session.ts";
import type { WaitManyReply, WaitManyRequest } from "#lib/protocol/wait.ts";
import type { EventReader, EventWish } from "../events/event-reader.ts";
import type { SessionPortApi } from "../session/session-port-api.ts";

/** What acts, for the records. */
export interface ActOf {
  readonly request: string;
  /** What is refused when not even the port is given; left out: a look. */
  readonly act?: AuditActName;
}

export interface HostCore {
  /** Throws the refusals named by the operation; no session remains then. */
  create(actor: Actor, request: CreateSession, by?: ActOf): Promise<SessionInfo>;
  /** Those that the actor may know of, oldest first; with a tag, without those that are sealed to it. */
  list(actor: Actor, tag: string | undefined): readonly ListedSession[];
  /** Throws SESSION_NOT_FOUND: absent, or not this actor's to know of. SEALED: there, and closed to agents. */
  port(
    actor: Actor,
    id: string,
    options?: { readonly readonly?: boolean } & Partial<ActOf>,
  ): SessionPortApi;
  /** Throws the refusals of `wait_many`; rejects when `signal` aborts. */
  waitMany(actor: Actor, request: WaitManyRequest, signal?: AbortSignal): Promise<WaitManyReply>;
  /** Newest entries that match, oldest first (AU1); what is still on its way to the disk is among them. */
  audit(query: AuditQuery): Promise<AuditReply>;
  /** Until what was done and refused so far is kept (AU1), or cannot be and people are warned; null: it is. */
  settled(): Promise<void> | null;
  readonly events: HostEvents;
  server(): Me["server"];
  profiles(): ProfilesReply;
}

export interface HostEvents {
  /** Id of the newest event: a list taken now is complete up to it. */
  readonly position: string;
  /** Only what the actor may know of. Throws TOO_MANY_SOCKETS. */
  open(actor: Actor, wish: EventWish): EventReader;
  /** As an event stream's bytes; cancelling it ends the reader. */
  stream(reader: EventReader): ReadableStream<Uint8Array>;
}
