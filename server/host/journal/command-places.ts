// Where commands stand in the lines that are kept now, as rows: for viewers, who have the lines and not their numbers.
import type { Cursor } from "#lib/protocol/cursor.ts";
import type { KeptCommand } from "./command-record.ts";
import type { JournalScreen } from "./journal-screen.ts";

export interface CommandPlaces {
  /** Index and row, oldest first; row -1: the command's line is gone, and something that it printed is not. */
  readonly rows: [number, number][];
  readonly inputRow: number | null;
}

export function placesOf(
  kept: readonly Pick<KeptCommand, "index" | "line" | "start" | "end">[],
  input: Cursor | null,
  screen: Pick<JournalScreen, "locate">,
): CommandPlaces {
  const rows: [number, number][] = [];
  for (const { index, line, start, end } of kept) {
    const begins = screen.locate(line ?? start);
    if (!begins.evicted) rows.push([index, begins.row]);
    else if (end === null || !screen.locate(end.at).evicted) rows.push([index, -1]);
  }
  const typed = input && screen.locate(input);
  return { rows, inputRow: typed && !typed.evicted ? typed.row : null };
}
