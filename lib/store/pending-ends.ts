// "End" with a way back: the hang-up is sent five seconds after the person asked, unless they undo. Nothing is sent if the page
// goes away meanwhile: a session that lives on by mistake is found again, one that was ended by mistake is not.
import { createStore, type StoreApi } from "zustand/vanilla";
import type { Clock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";

export const undoMs = 5_000;

export type PendingEnd =
  | { kind: "waiting"; untilMs: number }
  /** The request is under way. */
  | { kind: "ending" };

export interface PendingEndsState {
  ends: Readonly<Record<string, PendingEnd>>;
}

export interface PendingEnds extends StoreApi<PendingEndsState>, Disposable {
  /** Asking twice changes nothing. */
  ask(id: string): void;
  undo(id: string): void;
}

/** `end` closes the session on the server; when it rejects, the session is simply no longer pending and `onFailed` is told. */
export function createPendingEnds(options: {
  clock: Clock;
  end: (id: string) => Promise<void>;
  onFailed: (id: string, error: unknown) => void;
}): PendingEnds {
  const { clock } = options;
  const store = createStore<PendingEndsState>()(() => ({ ends: {} }));
  const timers = new Map<string, Disposable>();
  const set = (id: string, end: PendingEnd | null) => {
    const { [id]: _, ...rest } = store.getState().ends;
    store.setState({ ends: end === null ? rest : { ...rest, [id]: end } });
  };
  const send = async (id: string) => {
    timers.delete(id);
    set(id, { kind: "ending" });
    try {
      await options.end(id);
    } catch (error) {
      options.onFailed(id, error);
    } finally {
      set(id, null);
    }
  };
  return Object.assign(store, {
    ask(id: string) {
      if (store.getState().ends[id]) return;
      timers.set(
        id,
        clock.after(undoMs, () => void send(id)),
      );
      set(id, { kind: "waiting", untilMs: clock.now() + undoMs });
    },
    undo(id: string) {
      const timer = timers.get(id);
      if (!timer) return;
      timer.dispose();
      timers.delete(id);
      set(id, null);
    },
    dispose() {
      for (const timer of timers.values()) timer.dispose();
      timers.clear();
    },
  });
}
