// The journal as the rest of a session uses it: phase, waits, the API and the drawer.
import type { Event } from "#lib/base/emitter.ts";
import type { Cursor } from "#lib/protocol/cursor.ts";
import type { Integration } from "#lib/protocol/integration.ts";
import type { CommandRecord } from "#lib/protocol/journal.ts";

/** Where the shell is, as its markers told; `unknown` until the first one. */
export type ShellState = "unknown" | "idle" | "prompt" | "input" | "running";

export type JournalNews =
  | { kind: "state"; state: ShellState }
  | { kind: "began"; record: CommandRecord }
  | { kind: "ended"; record: CommandRecord };

export interface JournalApi {
  readonly state: ShellState;
  readonly integration: Integration;
  /** Index of the next command. */
  readonly nextIndex: number;
  readonly oldestIndex: number;
  /** Right after the parse of the marker, in its place in the stream. */
  readonly onNews: Event<JournalNews>;
  /** Marker B of the line that is being typed now (state `input`); what stands from there on is typed, not printed. */
  readonly inputStart: Cursor | null;
  /** Where the last command's input began and its output began: the echo of its line stands between. */
  readonly lastInput: { readonly start: Cursor; readonly end: Cursor } | null;
  /** Directory by OSC 7 or 633;P;Cwd; null: never told. */
  readonly cwd: string | null;
  /** undefined: evicted, or not there yet. */
  record(index: number): CommandRecord | undefined;
  latest(): CommandRecord | undefined;
  /** Oldest first. */
  list(from: number, limit: number): readonly CommandRecord[];
}
