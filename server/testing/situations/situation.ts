// The labelled corpus of issue 4: what a session does, over time, and what has to be said about it. Data: add a record to one of the lists
// beside this file, and server/host/situations.test.ts runs it with a real terminal and the real program.
//
// Steps run in order. `waits` is for the verdicts of waits on the same situation; a runner of waits reads it, the runner of phases does not.
import type { Phase } from "#lib/protocol/session.ts";
import type { Confidence, WaitCondition, WaitOutcome } from "#lib/protocol/wait.ts";

export interface Situation {
  /** What a person would call it; unique. */
  readonly name: string;
  readonly command: readonly string[];
  /** Programs beyond a minimal system: without one of them the situation is left out, and the report says so. In CI none may be. */
  readonly needs?: readonly string[];
  /** Files in its own folder, which is its working directory and its HOME. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Our own shell integration is loaded; otherwise the shell is as it comes. */
  readonly isIntegrated?: boolean;
  readonly steps: readonly Step[];
  readonly waits?: readonly ExpectedWait[];
}

export interface Step {
  /** Typed at the begin of the step. */
  readonly keys?: string;
  /**
   * For so long after the begin it works: `idle` would be a false "done", `waiting_input` or a password prompt a false "waiting". Choose it
   * so that it cannot be over earlier on any machine.
   */
  readonly busyMs?: number;
  /** Reached within `withinMs` after the busy time, and then kept for a moment. Absent: nothing more is expected of the step. */
  readonly expect?: Phase;
  readonly confidence?: Confidence;
  /** How a password prompt is recognised; absent: none may be seen in the whole step. */
  readonly credential?: "echo_off" | "prompt" | "any";
  /** The prompt of the step before may still be there in the beginning; with `credential`: it must never be away. */
  readonly after?: "credential";
  readonly withinMs?: number;
  /** What the wait of who types this is told, without conditions; absent: any that says that it is over. */
  readonly outcome?: WaitOutcome;
}

/** A wait that begins when step `step` does, right after its keys were typed. */
export interface ExpectedWait {
  readonly step: number;
  /** Absent: the defaults. */
  readonly for?: readonly WaitCondition[];
  readonly timeoutMs?: number;
  readonly throughCredential?: boolean;
  readonly outcome: WaitOutcome;
  readonly confidence?: Confidence;
  /** It must not be answered before, counted from its begin. */
  readonly notBeforeMs?: number;
  readonly withinMs?: number;
}

/** A script of the plain shell; no shell remains in front of its last program. */
export function sh(script: string): readonly string[] {
  return ["/bin/sh", "-c", script];
}

export function python(script: string): readonly string[] {
  return ["/usr/bin/env", "python3", "-c", script];
}
