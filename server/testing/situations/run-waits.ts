// Waits in one step of a situation, and says which verdict was wrong: one with the defaults, and those that the situation names.
// A default wait that ends with ten seconds of silence says so itself, and calls nothing done: no mistake, but counted.
import type { ActReply, Verdict, WaitRequest } from "#lib/protocol/wait.ts";
import type { SessionPort } from "#server/host/session/session-port.ts";
import { patience } from "../patience.ts";
import type { Mistake } from "./run-phases.ts";
import type { ExpectedWait, Situation, Step } from "./situation.ts";

const defaultWithinMs = 5_000;
/** A busy machine may wake us late. */
const slackMs = 3_000;

export interface StepWaits {
  readonly mistakes: readonly Mistake[];
  /** Whether silence ended the wait before the work did. */
  readonly isSilence: boolean;
}

/** Begins the step at `index`, typing included, and answers when all its waits are over. `startedMs`: when its program was started. */
export async function runWaits(
  situation: Situation,
  index: number,
  port: SessionPort,
  startedMs: number,
): Promise<StepWaits> {
  const mistakes: Mistake[] = [];
  const step = situation.steps[index] as Step;
  const beganMs = index === 0 && step.keys === undefined ? startedMs : performance.now();
  const { busyMs = 0, withinMs = defaultWithinMs } = step;
  const timeout_ms = busyMs + Math.round(patience(withinMs + slackMs));
  const named = (situation.waits ?? []).filter((each) => each.step === index);
  const others = named.map((each) => ({ each, verdict: port.wait(requestOf(each)) }));
  const verdict = await waitFor(port, step, { timeout_ms });
  const atMs = performance.now() - beganMs;
  const told = `${verdict.outcome} (${verdict.confidence}) after ${Math.round(atMs)} ms: ${verdict.evidence.because}`;
  const isOver = verdict.outcome !== "timed_out" && verdict.outcome !== "human_required";
  const isEarly = isOver && atMs < busyMs;
  if (isEarly && !isSilence(verdict)) {
    const isWaiting = verdict.evidence.phase === "waiting_input";
    mistakes.push({ kind: isWaiting ? "false waiting" : "false done", step: index, what: told });
  }
  if (step.expect && step.expect !== "running" && step.expect !== "starting" && !isOver)
    mistakes.push({ kind: "missed", step: index, what: told });
  if (step.outcome && isOver && verdict.outcome !== step.outcome)
    mistakes.push({
      kind: verdict.outcome === "command_done" ? "false done" : "missed",
      step: index,
      what: told,
    });
  for (const other of others) {
    const wrong = judgeNamed(other.each, await other.verdict);
    if (wrong) mistakes.push({ kind: "missed", step: index, what: wrong });
  }
  return { mistakes, isSilence: isEarly && isSilence(verdict) };
}

async function waitFor(port: SessionPort, { keys }: Step, wait: WaitRequest): Promise<Verdict> {
  if (keys === undefined) return port.wait(wait);
  const reply: ActReply = await port.act({ input: [{ text: keys }], wait, read: "none" });
  return reply.wait;
}

/** It says itself that it knows nothing but silence: neither done nor waiting. */
function isSilence({ outcome, confidence, evidence }: Verdict): boolean {
  return outcome === "settled" && confidence === "inferred" && evidence.phase === "running";
}

function requestOf({ for: conditions, timeoutMs, throughCredential }: ExpectedWait): WaitRequest {
  return {
    ...(conditions ? { for: [...conditions] } : {}),
    ...(timeoutMs === undefined ? {} : { timeout_ms: timeoutMs }),
    ...(throughCredential === undefined ? {} : { through_credential: throughCredential }),
  };
}

function judgeNamed(wanted: ExpectedWait, got: Verdict): string | null {
  const { outcome, confidence, notBeforeMs = 0, withinMs } = wanted;
  const isRight =
    got.outcome === outcome &&
    (confidence === undefined || got.confidence === confidence) &&
    got.elapsed_ms >= notBeforeMs - 100 &&
    (withinMs === undefined || got.elapsed_ms <= patience(withinMs));
  return isRight ? null : `wanted ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}`;
}
