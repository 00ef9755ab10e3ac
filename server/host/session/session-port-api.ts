// What one actor may do with one session, as transports see it. They depend on this and never on what stands behind it.

import type { GridSize } from "#lib/protocol/geometry.ts";
import type { InputItem, WriteReply } from "#lib/protocol/input.ts";
import type { CommandList, CommandRecord, OutputReply } from "#lib/protocol/journal.ts";
import type { Access, Lease, LeaseAction } from "#lib/protocol/lease.ts";
import type { MouseEvent } from "#lib/protocol/mouse.ts";
import type { ScreenQuery, ScreenReply, ScreenText } from "#lib/protocol/screen.ts";
import type { ChangeSession, SessionInfo, SignalName } from "#lib/protocol/session.ts";
import type { Act, ActReply, Explanation, Verdict, WaitRequest } from "#lib/protocol/wait.ts";
import type { AgentView, WritesQuery, WritesReply } from "#lib/protocol/writes.ts";
import type { Sink } from "#server/host/viewer/sink.ts";
import type { AttachmentApi, AttachOptions } from "./attachment-api.ts";
import type {
  CommandIndex,
  CommandOutput,
  CommandOutputQuery,
  CommandsQuery,
} from "./read-commands.ts";
import type { OutputQuery } from "./read-output.ts";

export interface WriteOptions {
  gapMs?: number | undefined;
  /** What becomes of a person's unsent text, once the keyboard is the agents' again (DR2). */
  ifDraft?: "clear" | "keep" | undefined;
  /** Shown to people and journalled, never typed. */
  note?: string | undefined;
  request?: string | undefined;
}

export interface SessionPortApi {
  /** Throws SEALED, as every look of an agent at a sealed session does. */
  info(): SessionInfo;
  change(change: ChangeSession): SessionInfo;
  /**
   * All or nothing; refuses UNKNOWN_KEY, LINE_TOO_LONG, INPUT_BACKLOG and what decide.ts does. They are queued before it returns, but when a
   * line is so long that the terminal has to be asked (IN7), and before the first prompt of a shell (IN8). An agent's are answered when all of it is at
   * the program (bounded by `limits.inputAnswerMs`); dropped before that, or cut: LEASE_LOST or HUMAN_REQUIRED with `delivered`.
   */
  write(items: readonly InputItem[], options?: WriteOptions): Promise<WriteReply>;
  /** One event as one unit; refuses BAD_REQUEST (not on the screen), MOUSE_NOT_REPORTED and what `write` does. Returns the number of reports. */
  mouse(event: MouseEvent): number;
  resize(size: GridSize): void;
  signal(signal: SignalName): void;
  /** Ends the process tree and removes the session. */
  close(signal: SignalName): Promise<void>;
  /** Waits until everything printed before the call is on the screen (bounded), then reads it whole. */
  screen(): Promise<ScreenText>;
  /** The same in the form that was asked for (OP2). */
  readScreen(query: ScreenQuery): Promise<ScreenReply>;
  /** The observation behind the phase, and the rung that decided (OP4). */
  explain(): Promise<Explanation>;
  /** Refuses BAD_PATTERN and TOO_MANY_WAITS; a timeout is a verdict. Rejects when `signal` aborts. */
  wait(request: WaitRequest, signal?: AbortSignal): Promise<Verdict>;
  /** Type, wait and read (OP7); refuses what `write` and `wait` do. */
  act(
    request: Act,
    options?: { request?: string | undefined },
    signal?: AbortSignal,
  ): Promise<ActReply>;
  /** Waits likewise, then reads what was printed after a cursor (OP3), or last; from the oldest kept line without either. */
  readOutput(query: OutputQuery): Promise<OutputReply>;
  listCommands(query: CommandsQuery): Promise<CommandList>;
  /** Refuses COMMAND_NOT_FOUND. */
  getCommand(index: CommandIndex): Promise<CommandRecord>;
  readCommandOutput(index: CommandIndex, query?: CommandOutputQuery): Promise<CommandOutput>;
  /** A viewer; `sink` gets hello, then snapshot or resume, then the log; or frames. Throws TOO_MANY_VIEWERS. */
  attach(sink: Sink, options: AttachOptions): AttachmentApi;
  /** For people: who typed what, and what an agent was last shown. */
  listWrites(query: WritesQuery): WritesReply;
  agentView(): AgentView | null;
  lease(): Lease;
  /** For people: taking, holding and handing back, and what they say about the line and about passwords. */
  keyboard(action: LeaseAction["action"]): Lease;
  /** For people (AC1). In force when it returns. */
  setAccess(access: Access): SessionInfo;
  /** Calls a person; kept until somebody types or dismisses it. */
  requestHuman(reason: string): SessionInfo;
}
