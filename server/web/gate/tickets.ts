// Tickets for browser sockets (SE3, T44): 30 s, single use, bound to principal, session, access and origin. In memory: a ticket need not
// outlive web. Only the hash is kept, so a heap dump opens nothing.
import type { Clock } from "#lib/base/clock.ts";
import { limits } from "#lib/protocol/limits.ts";
import { isTicket, newTicket, secretHash } from "#server/state/credential-secret.ts";

export interface TicketGrant {
  readonly principal: { readonly via: "token" | "login"; readonly id: string };
  readonly session: string;
  readonly readonly: boolean;
  /** Origin of the call that made it; null for programs. */
  readonly origin: string | null;
}

interface Held {
  readonly grant: TicketGrant;
  /** Monotonic. */
  readonly until: number;
}

export class Tickets {
  /** Oldest first, as all live equally long. */
  private readonly held = new Map<string, Held>();
  private readonly perPrincipal = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  get size(): number {
    return this.held.size;
  }

  /** null when the principal holds too many unused ones. */
  issue(grant: TicketGrant): string | null {
    this.dropExpired();
    const count = this.perPrincipal.get(grant.principal.id) ?? 0;
    if (count >= limits.ticketsPerPrincipal || this.held.size >= limits.ticketsTotal) return null;
    const ticket = newTicket();
    this.held.set(secretHash(ticket), { grant, until: this.clock.monotonic() + limits.ticketMs });
    this.perPrincipal.set(grant.principal.id, count + 1);
    return ticket;
  }

  /** Takes the ticket: whatever comes of it, it is gone. The map is keyed by hash, so looking it up compares no secret. */
  redeem(presented: string): TicketGrant | null {
    if (!isTicket(presented)) return null;
    const hash = secretHash(presented);
    const found = this.held.get(hash);
    if (!found) return null;
    this.drop(hash, found);
    return found.until > this.clock.monotonic() ? found.grant : null;
  }

  private dropExpired(): void {
    const now = this.clock.monotonic();
    for (const [hash, held] of this.held) {
      if (held.until > now) return;
      this.drop(hash, held);
    }
  }

  private drop(hash: string, held: Held): void {
    this.held.delete(hash);
    const { id } = held.grant.principal;
    const left = (this.perPrincipal.get(id) ?? 1) - 1;
    if (left > 0) this.perPrincipal.set(id, left);
    else this.perPrincipal.delete(id);
  }
}
