// The commands of sessions as the server told them: lists and single records put together, each in its newest state. Changes only through
// the applyServer… functions.
import { createStore, type StoreApi } from "zustand/vanilla";
import type { Integration } from "#lib/protocol/integration.ts";
import type { CommandList, CommandRecord } from "#lib/protocol/journal.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { LastCommand } from "#lib/protocol/session.ts";

export interface SessionCommands {
  /** Oldest first; what ran without a command line is left out nowhere but in what is shown. */
  readonly records: readonly CommandRecord[];
  /** Lower indices have left the journal. */
  readonly oldest: number;
  readonly integration: Integration;
  /** A list has come; before, "none" means that nothing is known. */
  readonly isLoaded: boolean;
}

export const noCommands: SessionCommands = {
  records: [],
  oldest: 1,
  integration: "none",
  isLoaded: false,
};

export interface CommandBookState {
  sessions: Readonly<Record<string, SessionCommands>>;
}

export interface CommandBook extends StoreApi<CommandBookState> {
  of(id: string): SessionCommands;
  applyServerList(id: string, list: CommandList): void;
  applyServerRecord(id: string, record: CommandRecord): void;
  forget(id: string): void;
}

export function createCommandBook(): CommandBook {
  const store = createStore<CommandBookState>()(() => ({ sessions: {} }));
  const of = (id: string) => store.getState().sessions[id] ?? noCommands;
  const put = (id: string, commands: SessionCommands) => {
    if (commands !== of(id))
      store.setState({ sessions: { ...store.getState().sessions, [id]: commands } });
  };
  return Object.assign(store, {
    of,
    applyServerList: (id: string, list: CommandList) => put(id, withList(of(id), list)),
    applyServerRecord: (id: string, record: CommandRecord) =>
      put(id, withRecords(of(id), [record])),
    forget(id: string) {
      const { [id]: gone, ...sessions } = store.getState().sessions;
      if (gone) store.setState({ sessions });
    },
  });
}

export function withList(known: SessionCommands, list: CommandList): SessionCommands {
  const { commands, oldest_index, integration } = list;
  const merged = withRecords({ ...known, oldest: Math.max(known.oldest, oldest_index) }, commands);
  const isSame =
    known.isLoaded &&
    known.integration === integration &&
    known.oldest === merged.oldest &&
    sameRecords(known.records, merged.records);
  return isSame ? known : { ...merged, integration, isLoaded: true };
}

/** A record that has ended is not overtaken by an older one of its beginning, in whichever order they come. */
export function withRecords(
  known: SessionCommands,
  news: readonly CommandRecord[],
): SessionCommands {
  const byIndex = new Map(known.records.map((record) => [record.index, record]));
  for (const record of news) {
    const before = byIndex.get(record.index);
    if (before && before.ended_at !== null && record.ended_at === null) continue;
    byIndex.set(record.index, record);
  }
  const newest = Math.max(0, ...byIndex.keys());
  const oldest = Math.max(known.oldest, newest - limits.journalRecords + 1);
  const records = [...byIndex.values()]
    .filter(({ index }) => index >= oldest)
    .sort((a, b) => a.index - b.index);
  const integration = news.at(-1)?.integration ?? known.integration;
  return { ...known, records, oldest, integration };
}

/** For lists, as the session would tell it; null when `known` is newer. */
export function lastCommandOf(
  record: CommandRecord,
  known: LastCommand | null,
): LastCommand | null {
  const { index, command, exit_code = null, started_at, ended_at, duration_ms, by } = record;
  const running = ended_at === null;
  if (known && (known.index > index || (known.index === index && !known.running))) return null;
  return {
    index,
    command: command && cutLine(command),
    running,
    exit_code,
    started_at,
    duration_ms: running ? null : duration_ms,
    by,
  };
}

function cutLine(command: string): string {
  const line = command.replace(/\s*\n\s*/g, " ").trim();
  return line.length > 200 ? `${line.slice(0, 199)}\u2026` : line;
}

/** Where to ask from so that nothing is missing and nothing that runs stays old; null: nothing is due. `last`: as the session says. */
export function staleFrom(
  { records, oldest, isLoaded }: SessionCommands,
  last: { readonly index: number; readonly running: boolean } | null,
): number | null {
  if (!isLoaded) return oldest;
  let expected = oldest;
  for (const { index, ended_at } of records) {
    if (index > expected) return expected;
    if (ended_at === null && last && (last.index > index || !last.running)) return index;
    expected = index + 1;
  }
  return last && last.index >= expected ? expected : null;
}

function sameRecords(a: readonly CommandRecord[], b: readonly CommandRecord[]): boolean {
  return a.length === b.length && a.every((record, at) => record === b[at]);
}
