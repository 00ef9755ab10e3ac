// Everything that a wait is judged by, as values at one moment. Whoever gathers them is session/session-waits.ts; tests make them up.
import type { Integration } from "#lib/protocol/integration.ts";
import type { CommandRecord } from "#lib/protocol/journal.ts";
import type { ExitStatus } from "#lib/protocol/session.ts";
import type { ActivityState } from "#server/host/activity/activity-api.ts";
import type { ShellState } from "#server/host/journal/journal-api.ts";

/** A text or pattern that was found in new output. */
export interface Hit {
  readonly line: string;
}

export interface WaitFacts {
  readonly elapsedMs: number;
  /** Agents are disconnected from the session; false for a person's wait. */
  readonly isSealed: boolean;
  /** A person took the keyboard since the wait began, by typing or on purpose; null: nobody, or it is a person who waits. */
  readonly takenBy: string | null;
  /** A password is asked for, and an agent waits. */
  readonly needsPerson: boolean;
  /** The one who waits may type now. */
  readonly mayType: boolean;
  readonly exit: ExitStatus | "closed" | null;
  /** As of the last look; a program or shell that has not answered what was typed is `running` to it. */
  readonly activity: ActivityState;
  /**
   * It was looked, everything that had been printed by then came to the screen, and nothing was typed or printed since: a program that waits
   * has shown by then why. Without this, its phase decides nothing.
   */
  readonly isSettled: boolean;
  readonly integration: Integration;
  readonly shell: ShellState;
  /** The command that ran when the wait began, or the first one after, has ended. */
  readonly ended: CommandRecord | null;
  /** The shell is back at its prompt after that, or has had its time to come back. */
  readonly isPromptBack: boolean;
  /** Something ran, or a line was sent, at or after the wait's begin: without it "done" would mean nothing. */
  readonly wasBusy: boolean;
  /** Since the wait's begin or the last output, whichever was later. */
  readonly quietMs: number;
  readonly stableMs: number;
  /** By index of the condition. */
  readonly hits: ReadonlyMap<number, Hit>;
}
