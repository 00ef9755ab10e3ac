// What a session is doing, derived from one observation (PH1, CR1); never assigned.
import type { Event } from "#lib/base/emitter.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { Phase } from "#lib/protocol/session.ts";
import type { Confidence, Explanation } from "#lib/protocol/wait.ts";

export interface ActivityState {
  readonly phase: Phase;
  readonly confidence: Confidence;
  /** A prompt of the shell is shown and nothing runs; by marker, or inferred. */
  readonly atPrompt: boolean;
  /** A shell without markers asks for the rest of a command: it is at a prompt, and nothing is done. */
  readonly isContinued: boolean;
  /** A password is asked for (CR1). */
  readonly credential: "echo_off" | "prompt" | "manual" | null;
  /** Sentence for people and models. */
  readonly because: string;
}

export interface ActivityApi {
  readonly state: ActivityState;
  /** Fires when anything in `state` but the sentence changed. */
  readonly onChange: Event<ActivityState>;
  /** Looks at once instead of at the next turn, and answers with what is true now; about 10 ms. */
  refresh(): Promise<ActivityState>;
  /** While it is held the pace does not slow down: somebody waits for a change. Dispose it when the wait is over. */
  attend(): Disposable;
  explain(): Promise<Explanation>;
  /** A person corrects the detection; it holds until the prompt is over. */
  treatAsSecret(): void;
  notAPassword(): void;
}
