// Who holds what open: principal -> sockets and running replies, so that a revoked credential is gone within a second (SE4, I6).
import { type Disposable, toDisposable } from "#lib/base/lifecycle.ts";
import type { SocketCounts } from "./gate/quota.ts";

/** Close codes that web itself sends (AT7; 1012 is "service restart", after which clients come back). */
export const closeCodes = { restarting: 1012, unauthorised: 4401 } as const;

export interface OpenConnection {
  /** A stream is a reply that has no end of its own. */
  readonly kind: "socket" | "reply" | "stream";
  /** Ends it with a WebSocket close code; a reply is cut. */
  end(code: number, reason: string): void;
}

export interface OpenPrincipal {
  readonly via: "token" | "login";
  readonly id: string;
}

export class OpenConnections implements SocketCounts {
  private readonly byPrincipal = new Map<
    string,
    { readonly principal: OpenPrincipal; readonly open: Set<OpenConnection> }
  >();
  private sockets = 0;

  /** Sockets only: that is what the quotas are about. */
  get total(): number {
    return this.sockets;
  }

  of(id: string): number {
    let count = 0;
    for (const connection of this.connectionsOf(id)) if (connection.kind === "socket") count += 1;
    return count;
  }

  add(principal: OpenPrincipal, connection: OpenConnection): Disposable {
    const entry = this.byPrincipal.get(principal.id) ?? { principal, open: new Set() };
    this.byPrincipal.set(principal.id, entry);
    entry.open.add(connection);
    if (connection.kind === "socket") this.sockets += 1;
    return toDisposable(() => {
      entry.open.delete(connection);
      if (connection.kind === "socket") this.sockets -= 1;
      if (entry.open.size === 0) this.byPrincipal.delete(principal.id);
    });
  }

  principals(): OpenPrincipal[] {
    return Array.from(this.byPrincipal.values(), ({ principal }) => principal);
  }

  /** A copy: ending a connection changes the index. */
  connectionsOf(id: string): OpenConnection[] {
    return [...(this.byPrincipal.get(id)?.open ?? [])];
  }

  all(): OpenConnection[] {
    return Array.from(this.byPrincipal.values()).flatMap(({ open }) => [...open]);
  }
}
