// Whether an agent has just looked at a session whose terminal is open here; for a moment after each look.
import { useEffect, useReducer, useSyncExternalStore } from "react";
import { useStore } from "zustand";
import { useApp } from "#components/dashboard/app-context.tsx";
import { viewingMs } from "./hands-facts.ts";

const never = () => () => {};

export function useLooking(id: string): boolean {
  const { terminals } = useApp();
  const entry = useStore(terminals.store, (entries) => entries[id]);
  const terminal = entry?.kind === "ready" ? entry.terminal : null;
  const lookedAt = () => terminal?.getSnapshot().hands?.agent?.lookedMs ?? null;
  const atMs = useSyncExternalStore(terminal?.subscribe ?? never, lookedAt, () => null);
  const [, again] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (atMs === null) return;
    const timer = setTimeout(again, Math.max(0, atMs + viewingMs - performance.now()) + 1);
    return () => clearTimeout(timer);
  }, [atMs]);
  return atMs !== null && performance.now() - atMs < viewingMs;
}
