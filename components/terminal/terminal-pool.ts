// The terminals of this page: one per open tab, made when first shown, kept while the tab is open. Loads xterm lazily.
import { createStore, type StoreApi } from "zustand/vanilla";
import { type Disposable, DisposableStore } from "#lib/base/lifecycle.ts";
import type {
  SessionTerminal,
  TerminalHost,
  TerminalPreferences,
} from "#lib/xterm/terminal-status.ts";

export type PooledTerminal =
  | { kind: "loading" }
  | { kind: "ready"; terminal: SessionTerminal }
  /** The code could not be loaded (server gone or newer than this page). */
  | { kind: "failed"; detail: string };

export interface TerminalPool extends Disposable {
  readonly store: StoreApi<Readonly<Record<string, PooledTerminal>>>;
  open(id: string): void;
  close(id: string): void;
  terminal(id: string): SessionTerminal | null;
  /** Those that are open. */
  all(): SessionTerminal[];
  setPreferences(preferences: TerminalPreferences): void;
}

type Make = (
  id: string,
  host: TerminalHost,
  preferences: TerminalPreferences,
) => Promise<SessionTerminal>;

export function createTerminalPool(options: {
  make: Make;
  hostOf: (id: string) => TerminalHost;
  preferences: TerminalPreferences;
  /** Subscribes to what the new terminal tells; owned by the pool. */
  onMade: (terminal: SessionTerminal, owned: DisposableStore) => void;
}): TerminalPool {
  const store = createStore<Readonly<Record<string, PooledTerminal>>>()(() => ({}));
  const owned = new Map<string, DisposableStore>();
  let preferences = options.preferences;
  const put = (id: string, entry: PooledTerminal) => store.setState({ [id]: entry });

  async function load(id: string, mine: DisposableStore) {
    try {
      const terminal = await options.make(id, options.hostOf(id), preferences);
      mine.add(terminal);
      // The tab may have been closed while the code was on its way.
      if (mine.isDisposed) return;
      options.onMade(terminal, mine);
      put(id, { kind: "ready", terminal });
    } catch (error) {
      if (!mine.isDisposed) put(id, { kind: "failed", detail: String(error) });
    }
  }

  function close(id: string) {
    owned.get(id)?.dispose();
    owned.delete(id);
    const { [id]: _, ...rest } = store.getState();
    store.setState(rest, true);
  }

  const all = () =>
    Object.values(store.getState()).flatMap((entry) =>
      entry.kind === "ready" ? [entry.terminal] : [],
    );

  return {
    store,
    open(id) {
      const entry = store.getState()[id];
      if (entry && entry.kind !== "failed") return;
      const mine = new DisposableStore();
      owned.set(id, mine);
      put(id, { kind: "loading" });
      void load(id, mine);
    },
    close,
    terminal(id) {
      const entry = store.getState()[id];
      return entry?.kind === "ready" ? entry.terminal : null;
    },
    all,
    setPreferences(next) {
      preferences = next;
      for (const terminal of all()) terminal.setPreferences(next);
    },
    dispose() {
      for (const id of [...owned.keys()]) close(id);
    },
  };
}
