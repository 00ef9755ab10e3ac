// What a wait came to, for people and for scripts: a word, a sentence, an exit code.
import type { Verdict, WaitOutcome } from "#lib/protocol/wait.ts";
import { exitCodes } from "./exit.ts";
import { plain, tell } from "./terminal-output.ts";

const codes: Record<WaitOutcome, number> = {
  sealed: exitCodes.lease,
  human_took_over: exitCodes.lease,
  human_required: exitCodes.humanRequired,
  exited: exitCodes.ok,
  matched: exitCodes.ok,
  command_done: exitCodes.ok,
  settled: exitCodes.ok,
  timed_out: exitCodes.timedOut,
};

/**
 * 0 when it ended as was asked. `isEndAsked`: the end of the program answers the question; otherwise it means that what was waited for
 * cannot come any more (1).
 */
export function exitOfVerdict(verdict: Verdict, isEndAsked = true): number {
  if (verdict.outcome === "exited" && !isEndAsked) return exitCodes.failed;
  return codes[verdict.outcome];
}

export function tellVerdict({ outcome, evidence }: Verdict): void {
  tell(`${outcome}: ${plain(evidence.because)}`);
}
