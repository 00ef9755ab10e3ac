// When each session was last on screen in this browser. What happened before the browser first came counts as seen.
import * as z from "zod/mini";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { Clock } from "#lib/base/clock.ts";
import type { KeyValue } from "#lib/client/key-value.ts";
import { limits } from "#lib/protocol/limits.ts";

export const seenKey = "cotty.seen.v1";

const savedSchema = z.object({
  sinceMs: z.number(),
  sessions: z.record(z.string().check(z.maxLength(64)), z.number()),
});

interface SeenState {
  /** When this browser first came. */
  readonly sinceMs: number;
  readonly sessions: Readonly<Record<string, number>>;
}

export interface SeenStore extends StoreApi<SeenState> {
  /** Wall time. */
  at(id: string): number;
  mark(id: string): void;
  /** Forgets sessions that the server does not have. */
  keepOnly(ids: readonly string[]): void;
}

export function createSeen(keyValue: KeyValue, clock: Pick<Clock, "now">): SeenStore {
  const saved = read(keyValue.get(seenKey));
  const store = createStore<SeenState>()(() => saved ?? { sinceMs: clock.now(), sessions: {} });
  const save = (state: SeenState) => {
    store.setState(state);
    keyValue.set(seenKey, JSON.stringify(state));
  };
  if (!saved) save(store.getState());
  return Object.assign(store, {
    at: (id: string) => store.getState().sessions[id] ?? store.getState().sinceMs,
    mark(id: string) {
      const { sinceMs, sessions } = store.getState();
      const { [id]: _, ...rest } = sessions;
      const kept = Object.entries(rest).slice(1 - limits.sessions.max);
      save({ sinceMs, sessions: { ...Object.fromEntries(kept), [id]: clock.now() } });
    },
    keepOnly(ids: readonly string[]) {
      const { sinceMs, sessions } = store.getState();
      const known = new Set(ids);
      const kept = Object.entries(sessions).filter(([id]) => known.has(id));
      if (kept.length !== Object.keys(sessions).length)
        save({ sinceMs, sessions: Object.fromEntries(kept) });
    },
  });
}

function read(text: string | null): SeenState | null {
  try {
    return savedSchema.safeParse(JSON.parse(text ?? "")).data ?? null;
  } catch {
    // Nothing there, or not ours.
    return null;
  }
}
