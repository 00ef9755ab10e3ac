// Cuts what revoked, expired and ended credentials hold open (SE4, T42, T43): the folder is watched and also looked at twice a second,
// because a watch may miss. The host is asked first, so that viewers hear 4401 from it; then whatever is left is ended here.
import { type FSWatcher, watch } from "node:fs";
import { type Clock, systemClock } from "#lib/base/clock.ts";
import { type Disposable, DisposableStore } from "#lib/base/lifecycle.ts";
import { limits } from "#lib/protocol/limits.ts";
import { type CredentialStore, isCredentialLive } from "#server/state/credential-store.ts";
import type { HostLink } from "./host-link.ts";
import { closeCodes, type OpenConnections } from "./open-connections.ts";
import type { WebLog } from "./web-log.ts";

/** Time for the host's own close frames to arrive. */
const leftoversMs = 200;

export class Revocation implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly ending = new Set<string>();

  constructor(
    private readonly store: CredentialStore,
    private readonly connections: OpenConnections,
    private readonly link: HostLink,
    private readonly log: WebLog,
    private readonly clock: Clock = systemClock,
  ) {}

  start(): void {
    this.owned.add(this.clock.every(limits.revocationCheckMs, () => this.check()));
    let watcher: FSWatcher;
    try {
      watcher = watch(this.store.folder, () => this.check());
    } catch {
      // No watches left on this machine: the look twice a second is enough.
      return;
    }
    watcher.on("error", () => watcher.close());
    this.owned.add({ dispose: () => watcher.close() });
  }

  dispose(): void {
    this.owned.dispose();
  }

  /** Ends every connection whose credential no longer opens anything. */
  check(): void {
    for (const { via, id } of this.connections.principals()) {
      if (this.ending.has(id) || isCredentialLive(this.store, via, id)) continue;
      this.ending.add(id);
      this.log("info", "credential ended; closing what it holds open", { credential: id });
      for (const connection of this.connections.connectionsOf(id))
        if (connection.kind !== "socket") connection.end(0, "");
      this.link
        .current()
        ?.request("POST", "/internal/disconnect", { body: { actor: id }, timeoutMs: 2_000 })
        .catch(() => {
          // A host that does not answer: the leftovers are ended here.
        });
      this.clock.after(leftoversMs, () => {
        for (const connection of this.connections.connectionsOf(id))
          connection.end(closeCodes.unauthorised, "UNAUTHENTICATED");
        this.ending.delete(id);
      });
    }
  }
}
