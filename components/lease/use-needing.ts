// Ids of the sessions that need somebody.
import { useMemo } from "react";
import { useStore } from "zustand";
import { useApp } from "#components/dashboard/app-context.tsx";

export function useNeeding(): ReadonlySet<string> {
  const list = useStore(useApp().needs.store, (state) => state.list);
  return useMemo(() => new Set(list.map(({ id }) => id)), [list]);
}
