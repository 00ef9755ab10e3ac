// Plays one situation and says what was wrong about the phases and password prompts that were told meanwhile.
import type { ActivityState } from "#server/host/activity/activity-api.ts";
import { patience } from "../patience.ts";
import type { Situation, Step } from "./situation.ts";
import type { Scene } from "./stage.ts";

export interface Mistake {
  /** Told to be done, or to wait, while it worked; or a verdict that came late or was another. */
  readonly kind: "false done" | "false waiting" | "missed";
  readonly step: number;
  readonly what: string;
}

interface Seen {
  readonly atMs: number;
  readonly state: ActivityState;
}

const defaultWithinMs = 8_000;
/** What is reached has to last a moment: nothing flickers. */
const keptMs = 250;

export interface PhaseRun {
  readonly mistakes: readonly Mistake[];
  /** From the begin of the step to its expectation, where the step has no busy time. */
  readonly latenciesMs: readonly number[];
}

/** A step that has begun: its keys are typed. `over` is awaited before the next one. */
export interface Begun {
  readonly over: Promise<unknown>;
}

/** `begin`: begins the step at that index; by itself it only types. */
export async function runPhases(
  situation: Situation,
  scene: Scene,
  begin: (index: number) => Promise<Begun> = typing(situation, scene),
): Promise<PhaseRun> {
  const { activity } = scene;
  const mistakes: Mistake[] = [];
  const latenciesMs: number[] = [];
  const seen: Seen[] = [{ atMs: performance.now(), state: activity.state }];
  const listening = activity.onChange((state) => seen.push({ atMs: performance.now(), state }));
  try {
    for (const [index, step] of situation.steps.entries()) {
      const note = (kind: Mistake["kind"], what: string) =>
        mistakes.push({ kind, step: index, what });
      // The first one began before its program did.
      const beganMs = index === 0 ? scene.startedMs : performance.now();
      const begun = await begin(index);
      const told = () => statesSince(seen, beganMs);
      if (step.busyMs !== undefined) {
        await pause(step.busyMs - (performance.now() - beganMs));
        // A busy machine may wake us late: what was told by then is another matter.
        const untilMs = beganMs + step.busyMs;
        for (const state of statesSince(seen, beganMs, untilMs)) judgeBusy(step, state, note);
      }
      if (!step.expect) {
        await begun.over;
        continue;
      }
      const fromMs = performance.now();
      const reached = await within(step.withinMs ?? defaultWithinMs, () =>
        meets(step, activity.state),
      );
      if (!reached) {
        note("missed", `expected ${shown(step)}, was ${JSON.stringify(activity.state)}`);
        await begun.over;
        break;
      }
      if (step.busyMs === undefined) latenciesMs.push(performance.now() - fromMs);
      const reachedMs = performance.now();
      await pause(keptMs);
      for (const state of statesSince(seen, reachedMs))
        if (!meets(step, state))
          note("missed", `did not stay ${shown(step)}: ${JSON.stringify(state)}`);
      if (!step.credential && !step.after)
        for (const state of told())
          if (state.credential)
            note("false waiting", `a password is asked for: ${JSON.stringify(state)}`);
      if (step.credential && step.after === "credential")
        for (const state of told())
          if (!state.credential) note("missed", "the password prompt was thought to be over");
      await begun.over;
    }
  } finally {
    listening.dispose();
  }
  return { mistakes, latenciesMs };
}

function typing({ steps }: Situation, scene: Scene): (index: number) => Promise<Begun> {
  return async (index) => {
    const { keys } = steps[index] as Step;
    if (keys !== undefined) await scene.type(keys);
    return { over: Promise.resolve() };
  };
}

function judgeBusy(
  step: Step,
  { phase, credential, because }: ActivityState,
  note: (kind: Mistake["kind"], what: string) => void,
): void {
  if (phase === "idle" || phase === "exited") note("false done", because);
  if (phase === "waiting_input") note("false waiting", because);
  if (credential && step.after !== "credential") note("false waiting", `a password: ${because}`);
  if (!credential && step.after === "credential" && step.credential)
    note("missed", "the password prompt was thought to be over");
}

/** States that began in that time. */
function statesSince(
  seen: readonly Seen[],
  sinceMs: number,
  untilMs = Number.POSITIVE_INFINITY,
): readonly ActivityState[] {
  return seen.filter(({ atMs }) => atMs > sinceMs && atMs <= untilMs).map(({ state }) => state);
}

function meets(step: Step, state: ActivityState): boolean {
  if (state.phase !== step.expect) return false;
  if (step.confidence && state.confidence !== step.confidence) return false;
  if (step.credential === "any") return state.credential !== null;
  if (step.credential) return state.credential === step.credential;
  return state.credential === null;
}

function shown({ expect, confidence, credential }: Step): string {
  return [expect, confidence, credential].filter(Boolean).join(" ");
}

async function within(limitMs: number, isSo: () => boolean): Promise<boolean> {
  const beganMs = performance.now();
  while (!isSo()) {
    if (performance.now() - beganMs > patience(limitMs)) return false;
    await pause(10);
  }
  return true;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(ms, 0)));
}
