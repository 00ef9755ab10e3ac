// Commands as React sees them.
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { useStore } from "zustand";
import { useApp } from "#components/dashboard/app-context.tsx";
import type { CommandRecord } from "#lib/protocol/journal.ts";
import { noCommands, type SessionCommands } from "#lib/store/command-book.ts";
import type { CommandLayout } from "#lib/xterm/command-layout.ts";
import type { SessionTerminal } from "#lib/xterm/terminal-status.ts";

/** Kept complete while somebody looks. */
export function useCommands(id: string): SessionCommands {
  const { book, follower } = useApp();
  useEffect(() => {
    const following = follower.follow(id);
    return () => following.dispose();
  }, [follower, id]);
  return useStore(book, ({ sessions }) => sessions[id]) ?? noCommands;
}

export function useRecordsByIndex(commands: SessionCommands): ReadonlyMap<number, CommandRecord> {
  return useMemo(
    () => new Map(commands.records.map((record) => [record.index, record])),
    [commands.records],
  );
}

export function useCommandLayout(terminal: SessionTerminal): CommandLayout | null {
  const { subscribe, getLayout } = terminal.commands;
  return useSyncExternalStore(subscribe, getLayout, getLayout);
}
