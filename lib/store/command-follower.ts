// Keeps the book of commands complete for the sessions that somebody looks at: lists once, then asks only for what is missing or has
// gone on, when the session says so. Single records come from attachments; this fills the gaps between them.
import type { Clock } from "#lib/base/clock.ts";
import { type Disposable, DisposableStore, toDisposable } from "#lib/base/lifecycle.ts";
import type { ApiClient } from "#lib/client/api-client.ts";
import { limits } from "#lib/protocol/limits.ts";
import { type CommandBook, staleFrom } from "./command-book.ts";
import type { ServerMirror } from "./server-mirror.ts";

/** A program that runs ten commands a second costs three questions a second. */
const paceMs = 300;
const retryMs = 5_000;

export interface CommandFollower extends Disposable {
  /** Until it is given back. */
  follow(id: string): Disposable;
}

export function createCommandFollower(options: {
  api: Pick<ApiClient, "listCommands">;
  mirror: ServerMirror;
  book: CommandBook;
  clock: Clock;
}): CommandFollower {
  const { api, mirror, book, clock } = options;
  const store = new DisposableStore();
  const wanted = new Map<string, number>();
  const timers = new Map<string, Disposable>();
  const asking = new Set<string>();

  const lastOf = (id: string) => mirror.getState().sessions[id]?.last_command ?? null;
  const isKnown = (id: string) => mirror.getState().sessions[id] !== undefined;

  async function ask(id: string): Promise<void> {
    timers.delete(id);
    const from = staleFrom(book.of(id), lastOf(id));
    if (store.isDisposed || from === null || asking.has(id) || !wanted.has(id) || !isKnown(id))
      return;
    asking.add(id);
    let nextMs = paceMs;
    try {
      const query = { from, limit: limits.journalRecords };
      const list = await api.listCommands({ params: { id }, query });
      if (!store.isDisposed && isKnown(id)) book.applyServerList(id, list);
    } catch {
      // Gone or unreachable: the connection's own signs say so, and a session that is still there is asked again.
      nextMs = retryMs;
    } finally {
      asking.delete(id);
    }
    later(id, nextMs);
  }

  function later(id: string, afterMs: number): void {
    if (store.isDisposed || timers.has(id) || asking.has(id) || !wanted.has(id)) return;
    if (staleFrom(book.of(id), lastOf(id)) === null) return;
    timers.set(
      id,
      clock.after(afterMs, () => void ask(id)),
    );
  }

  const lookAll = () => {
    for (const id of wanted.keys()) later(id, paceMs);
  };
  let order = mirror.getState().order;
  store.add(
    toDisposable(
      mirror.subscribe((state) => {
        if (state.order !== order) {
          order = state.order;
          for (const id of Object.keys(book.getState().sessions))
            if (!state.sessions[id]) book.forget(id);
        }
        lookAll();
      }),
    ),
  );
  store.add(toDisposable(book.subscribe(lookAll)));
  store.add(
    toDisposable(() => {
      for (const timer of timers.values()) timer.dispose();
    }),
  );

  return {
    follow(id) {
      wanted.set(id, (wanted.get(id) ?? 0) + 1);
      later(id, 0);
      return toDisposable(() => {
        const left = (wanted.get(id) ?? 1) - 1;
        if (left > 0) wanted.set(id, left);
        else wanted.delete(id);
      });
    },
    dispose: () => store.dispose(),
  };
}
