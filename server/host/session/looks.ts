// One actor's looks at one session. What an agent is shown is noted for people, and it is told what happened while people had the keyboard.
// Knows no text by itself: whoever looks says how it is read.
import type { Clock } from "#lib/base/clock.ts";
import type { Handover } from "#lib/protocol/lease.ts";
import type { AgentView } from "#lib/protocol/writes.ts";
import type { Permission } from "./permission.ts";
import type { Session } from "./session.ts";

type From = AgentView["from"];

export class Looks {
  constructor(
    private readonly session: Session,
    private readonly permission: Permission,
    private readonly clock: Clock,
    /** Id of the request that looks; null: none. */
    private readonly request: string | null,
  ) {}

  /** Throws SEALED, also when a person sealed the session while it was read: that takes several turns (AC2). */
  async look<T>(read: (session: Session) => Promise<T>): Promise<T> {
    const { session, permission } = this;
    permission.demand("look");
    const found = await read(session);
    permission.demand("look");
    const { kind, name } = permission.actor;
    if (kind === "agent") session.agentNews.did("looked", name);
    return found;
  }

  /** A look whose reply shows something, with what an agent has to know of the time before it. */
  async shown<T extends object>(
    from: From,
    textOf: (reply: T) => string | null,
    read: (session: Session) => Promise<T>,
  ): Promise<T & { handover?: Handover }> {
    return this.handed(from, textOf, await this.look(read));
  }

  /** The same for a reply that was read already. */
  handed<T extends object>(
    from: From,
    textOf: (reply: T) => string | null,
    reply: T,
  ): T & { handover?: Handover } {
    const { actor } = this.permission;
    if (actor.kind !== "agent") return reply;
    this.showed(from, textOf(reply));
    const handover = this.session.traces.handovers.tell(actor);
    return handover ? { ...reply, handover } : reply;
  }

  /** `text` null: nothing was in the reply. */
  showed(from: From, text: string | null): void {
    const { session, permission, request, clock } = this;
    const { actor } = permission;
    if (actor.kind === "agent") session.traces.view.showed(actor, from, text, request, clock.now());
  }
}
