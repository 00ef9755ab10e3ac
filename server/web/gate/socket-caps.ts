// Gate step 1 (T54): how many connections may be open that have shown no credential. Above the cap an older silent one makes room,
// so that a crowd of idle connections cannot keep a person from signing in. Knows sockets only as things to be dropped.
import { limits } from "#lib/protocol/limits.ts";

export interface CappedSocket {
  destroy(): unknown;
}

interface Entry {
  /** A silent connection has sent no complete request yet. */
  isSilent: boolean;
}

export class SocketCaps<S extends CappedSocket> {
  private readonly unknown = new Map<S, Entry>();

  constructor(
    private readonly cap: number = limits.unauthenticatedSockets,
    /** 0 <= x < 1; which of the candidates goes must not be predictable. */
    private readonly random: () => number = Math.random,
  ) {}

  get unauthenticated(): number {
    return this.unknown.size;
  }

  opened(socket: S): void {
    if (this.unknown.size >= this.cap) this.makeRoom();
    this.unknown.set(socket, { isSilent: true });
  }

  /** A complete request head came, whatever the gate says of it. */
  heard(socket: S): void {
    const entry = this.unknown.get(socket);
    if (entry) entry.isSilent = false;
  }

  /** A credential was shown and held: no longer counted. */
  authenticated(socket: S): void {
    this.unknown.delete(socket);
  }

  closed(socket: S): void {
    this.unknown.delete(socket);
  }

  /** When web leaves: nobody waits for connections that have asked for nothing, such as a browser's spare ones. */
  dropSilent(): void {
    for (const [socket, entry] of [...this.unknown]) if (entry.isSilent) socket.destroy();
  }

  private makeRoom(): void {
    const all = [...this.unknown];
    const silent = all.filter(([, entry]) => entry.isSilent);
    const candidates = silent.length > 0 ? silent : all;
    const chosen = candidates[Math.floor(this.random() * candidates.length)];
    if (!chosen) return;
    this.unknown.delete(chosen[0]);
    chosen[0].destroy();
  }
}
