// The journal's records, and what one command printed (OP3).
import type { Clock } from "#lib/base/clock.ts";
import { parseCursor } from "#lib/protocol/cursor.ts";
import { TermError } from "#lib/protocol/errors.ts";
import type { CommandList, CommandRecord, OutputReply } from "#lib/protocol/journal.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { JournalApi } from "#server/host/journal/journal-api.ts";
import { readInOrder } from "./in-order.ts";
import { outputReply } from "./read-output.ts";
import type { Session } from "./session.ts";

export type CommandIndex = number | "latest";

export interface CommandsQuery {
  readonly from?: number | undefined;
  readonly tail?: number | undefined;
  readonly limit?: number | undefined;
}

export interface CommandOutputQuery {
  /** Its last so many lines. */
  readonly tail?: number | undefined;
  readonly max_bytes?: number | undefined;
}

export interface CommandOutput {
  readonly record: CommandRecord;
  readonly output: OutputReply;
}

export function listCommands(
  session: Session,
  clock: Clock,
  { from, tail, limit }: CommandsQuery,
): Promise<CommandList> {
  return readInOrder(session, clock, async () => {
    const { journal } = session;
    const { oldestIndex, nextIndex, integration } = journal;
    const count = limit ?? tail ?? limits.journalListed;
    const first = from ?? Math.max(oldestIndex, nextIndex - count);
    return {
      commands: [...journal.list(first, count)],
      oldest_index: oldestIndex,
      next_index: nextIndex,
      integration,
    };
  });
}

export function getCommand(
  session: Session,
  clock: Clock,
  index: CommandIndex,
): Promise<CommandRecord> {
  return readInOrder(session, clock, async () => find(session.journal, index));
}

export function readCommandOutput(
  session: Session,
  clock: Clock,
  index: CommandIndex,
  { max_bytes = limits.outputBytes.default, tail }: CommandOutputQuery = {},
): Promise<CommandOutput> {
  return readInOrder(session, clock, async (screen) => {
    const record = find(session.journal, index);
    const end = record.ended_at === null ? null : parseCursor(record.end);
    const output = await screen.outputInSlices(parseCursor(record.start), end, max_bytes, tail);
    return { record, output: outputReply(output) };
  });
}

function find(journal: JournalApi, index: CommandIndex): CommandRecord {
  const record = index === "latest" ? journal.latest() : journal.record(index);
  if (record) return record;
  throw new TermError("COMMAND_NOT_FOUND", absence(journal, index));
}

function absence({ oldestIndex, nextIndex, integration }: JournalApi, index: CommandIndex): string {
  if (nextIndex === oldestIndex) {
    return integration === "none" || integration === "off"
      ? "the shell has announced no command: it prints no markers"
      : "no command was run yet";
  }
  return `command ${index} is not kept: the journal has ${oldestIndex} to ${nextIndex - 1}`;
}
