// One command as it is kept, and as the wire shows it (JR2).
import type { Clock } from "#lib/base/clock.ts";
import { type Cursor, compareCursors, formatCursor } from "#lib/protocol/cursor.ts";
import type { CommandRecord, RecordFlag } from "#lib/protocol/journal.ts";
import type { JournalScreen } from "./journal-screen.ts";

interface CommandEnd {
  readonly at: Cursor;
  readonly how: "announced" | "incomplete" | "pty_exited";
  readonly status: number | null;
  readonly wallMs: number;
  readonly monotonicMs: number;
}

export interface KeptCommand
  extends Pick<CommandRecord, "index" | "command" | "command_from" | "cwd" | "integration"> {
  readonly by: readonly string[];
  readonly isAgents: boolean;
  /** Nothing was typed, as far as anybody told; not: nothing is known. */
  readonly isEmpty: boolean;
  /** Where its line was typed; null: no mark B told. */
  readonly line: Cursor | null;
  readonly start: Cursor;
  readonly wallMs: number;
  readonly monotonicMs: number;
  readonly end: CommandEnd | null;
}

/** As it is now: while it runs, its end is where the cursor stands. */
export function shown(kept: KeptCommand, screen: JournalScreen, clock: Clock): CommandRecord {
  const { index, command, command_from, cwd, integration, start, end, wallMs, monotonicMs } = kept;
  const at = later(start, end?.at ?? screen.position());
  const status = end?.how === "announced" ? end.status : null;
  const untilMs = end?.monotonicMs ?? clock.monotonic();
  return {
    index,
    flags: flagsOf(kept, screen),
    ...(status === null ? {} : { exit_code: status }),
    start: formatCursor(start),
    end: formatCursor(at),
    started_at: new Date(wallMs).toISOString(),
    ended_at: end ? new Date(end.wallMs).toISOString() : null,
    duration_ms: Math.max(0, Math.round(untilMs - monotonicMs)),
    command,
    command_from,
    cwd,
    by: [...kept.by],
    ...(kept.isAgents ? { by_agent: true as const } : {}),
    integration,
  };
}

function flagsOf({ end, isEmpty, start }: KeptCommand, screen: JournalScreen) {
  const { evicted, reflowed } = screen.locate(start);
  const flags: RecordFlag[] = [];
  if (!end) flags.push("running");
  if (end?.how === "announced" && end.status !== null) flags.push("has_exit");
  if (isEmpty) flags.push("no_command");
  if (end && end.how !== "announced") flags.push("incomplete");
  if (evicted) flags.push("evicted");
  if (end?.how === "pty_exited") flags.push("pty_exited");
  if (reflowed) flags.push("reflowed");
  return flags;
}

/** Programs may move the cursor above the place where they began; a region is never turned around. */
function later(a: Cursor, b: Cursor): Cursor {
  return compareCursors(a, b) > 0 ? a : b;
}
