// How a command went, and which of many are wanted: what the marks and the journal panels have in common. Pure.
import type { CommandRecord } from "#lib/protocol/journal.ts";

export type CommandResult = "running" | "ok" | "failed" | "unknown";

/** Longer than this is a long command: worth a filter, and a notice when nobody watched. */
export const longMs = 10_000;
/** Shorter ones are not worth a number beside them. */
export const shownDurationMs = 2_000;

export function resultOf(record: CommandRecord | undefined): CommandResult {
  if (!record || record.ended_at === null) return "running";
  if (record.exit_code === undefined) return "unknown";
  return record.exit_code === 0 ? "ok" : "failed";
}

/** Output without a command line is no command to anybody who reads a list. */
export function isShown(record: CommandRecord): boolean {
  return !record.flags.includes("no_command");
}

export function durationOf(record: CommandRecord, nowMs: number): number {
  return record.ended_at === null
    ? Math.max(record.duration_ms, nowMs - Date.parse(record.started_at))
    : record.duration_ms;
}

export const commandFilters = ["failed", "agent", "long", "running"] as const;
export type CommandFilter = (typeof commandFilters)[number];

export interface FiledCommand {
  readonly session: string;
  readonly sessionName: string;
  readonly record: CommandRecord;
}

/** All filters that are on, and every word of the text. */
export function filterCommands(
  commands: readonly FiledCommand[],
  text: string,
  filters: ReadonlySet<CommandFilter>,
  nowMs: number,
): readonly FiledCommand[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return commands.filter(({ record, sessionName }) => {
    if (!isShown(record)) return false;
    const result = resultOf(record);
    if (filters.has("failed") && result !== "failed") return false;
    if (filters.has("running") && result !== "running") return false;
    if (filters.has("agent") && record.by_agent !== true) return false;
    if (filters.has("long") && durationOf(record, nowMs) < longMs) return false;
    if (words.length === 0) return true;
    const heap = [record.command ?? "", record.cwd, sessionName, ...record.by]
      .join("\n")
      .toLowerCase();
    return words.every((word) => heap.includes(word));
  });
}

/** Newest first, over all sessions. */
export function newestFirst(commands: readonly FiledCommand[]): readonly FiledCommand[] {
  return [...commands].sort(
    (a, b) =>
      Date.parse(b.record.started_at) - Date.parse(a.record.started_at) ||
      b.record.index - a.record.index,
  );
}
