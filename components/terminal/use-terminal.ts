// A pooled terminal and its state, as React sees them.
import { useEffect, useSyncExternalStore } from "react";
import { useStore } from "zustand";
import { useApp } from "#components/dashboard/app-context.tsx";
import type { SessionTerminal, TerminalSnapshot } from "#lib/xterm/terminal-status.ts";
import type { PooledTerminal } from "./terminal-pool.ts";

/** Makes the terminal on first use. */
export function usePooledTerminal(id: string, isWanted: boolean): PooledTerminal {
  const { terminals } = useApp();
  useEffect(() => {
    if (isWanted) terminals.open(id);
  }, [terminals, id, isWanted]);
  return useStore(terminals.store, (entries) => entries[id]) ?? loading;
}
const loading: PooledTerminal = { kind: "loading" };

export function useTerminalSnapshot(terminal: SessionTerminal): TerminalSnapshot {
  return useSyncExternalStore(terminal.subscribe, terminal.getSnapshot, terminal.getSnapshot);
}
