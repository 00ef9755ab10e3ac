// Whether a wait is over, and why (WT1, WT5). Pure: one record of facts in, the first outcome of the one order of precedence out.
import { assertNever } from "#lib/base/assert.ts";
import { limits } from "#lib/protocol/limits.ts";
import {
  type Confidence,
  type WaitCondition,
  type WaitOutcome,
  waitOutcomes,
} from "#lib/protocol/wait.ts";
import type { WaitFacts } from "./wait-facts.ts";

export interface Judgement {
  readonly outcome: WaitOutcome;
  readonly confidence: Confidence;
  /** Of `for`; absent for what nobody asked for. */
  readonly condition?: number;
  readonly because: string;
  readonly line?: string;
}

export interface WaitTerms {
  /** null: the defaults. */
  readonly conditions: readonly WaitCondition[] | null;
  readonly timeoutMs: number;
  readonly throughCredential: boolean;
}

type Found = Omit<Judgement, "outcome">;

export function judge(facts: WaitFacts, terms: WaitTerms): Judgement | null {
  for (const outcome of waitOutcomes) {
    const found = judges[outcome](facts, terms);
    if (found) return { outcome, ...found };
  }
  return null;
}

const judges: Readonly<Record<WaitOutcome, (facts: WaitFacts, terms: WaitTerms) => Found | null>> =
  {
    sealed: ({ isSealed }) =>
      isSealed ? exact("A person disconnected agents from this session.") : null,

    human_took_over: ({ takenBy }, terms) =>
      takenBy !== null && !waitsForKeyboard(terms)
        ? exact(`${takenBy} took the keyboard while you waited.`)
        : null,

    human_required: ({ needsPerson, activity }, terms) =>
      needsPerson && !terms.throughCredential && !waitsForKeyboard(terms)
        ? {
            confidence: activity.credential === "prompt" ? "inferred" : "exact",
            because: "The program asks for a password; a person has to answer.",
          }
        : null,

    exited: ({ exit }, { conditions }) => {
      if (!exit) return null;
      const condition = conditions?.findIndex((each) => "exit" in each) ?? -1;
      return {
        ...exact(exit === "closed" ? "The session was closed." : howItEnded(exit)),
        ...(condition < 0 ? {} : { condition }),
      };
    },

    matched: (facts, { conditions }) =>
      first(conditions, (condition, i) =>
        "command_done" in condition || "exit" in condition || isQuiet(condition)
          ? null
          : met(condition, facts, i),
      ),

    command_done: (facts, { conditions }) =>
      conditions
        ? first(conditions, (each) => ("command_done" in each ? commandDone(facts) : null))
        : commandDone(facts),

    settled: (facts, terms) =>
      terms.conditions
        ? first(terms.conditions, (each, i) => (isQuiet(each) ? met(each, facts, i) : null))
        : settled(facts),

    timed_out: (facts, terms) =>
      facts.elapsedMs < terms.timeoutMs
        ? null
        : exact(
            `None of the conditions was met within ${terms.timeoutMs} ms. ${whyNot(facts, terms)}`,
          ),
  };

function whyNot({ activity, integration, mayType }: WaitFacts, terms: WaitTerms): string {
  // Where agents may only look, no person needs to have the keyboard.
  if (waitsForKeyboard(terms) && !mayType)
    return "You may not type yet: a person has the keyboard, or lets agents only look.";
  const marks = hasMarkers(integration) ? "" : " The shell announces no commands.";
  return `${sentence(activity.because)}${marks}`;
}

function first(
  conditions: WaitTerms["conditions"],
  of: (condition: WaitCondition, index: number) => Found | null,
): Found | null {
  for (const [i, condition] of conditions?.entries() ?? []) {
    const found = of(condition, i);
    if (found) return { ...found, condition: i };
  }
  return null;
}

/** A single condition that is no `command_done` and no `exit`. */
function met(condition: WaitCondition, facts: WaitFacts, index: number): Found | null {
  if ("text" in condition || "regex" in condition) {
    const hit = facts.hits.get(index);
    const what = "text" in condition ? "The text" : "The pattern";
    return hit
      ? { ...exact(`${what} was printed, from where the wait began to look.`), line: hit.line }
      : null;
  }
  if ("prompt" in condition) return prompt(facts);
  if ("phase" in condition) {
    const { phase, confidence, because } = facts.activity;
    return facts.isSettled && phase === condition.phase
      ? { confidence, because: sentence(because) }
      : null;
  }
  if ("quiet_ms" in condition) {
    const isSo = facts.quietMs >= condition.quiet_ms;
    return isSo ? inferred(`Nothing was printed for ${condition.quiet_ms} ms.`) : null;
  }
  if ("screen_stable_ms" in condition) {
    const isSo = facts.stableMs >= condition.screen_stable_ms;
    return isSo
      ? inferred(`The screen stayed the same for ${condition.screen_stable_ms} ms.`)
      : null;
  }
  if ("keyboard" in condition)
    return facts.mayType ? exact("No person holds the keyboard: you may type.") : null;
  if ("command_done" in condition || "exit" in condition) return null;
  return assertNever(condition);
}

function prompt({ shell, integration, activity, isSettled }: WaitFacts): Found | null {
  if (!activity.atPrompt || !isSettled) return null;
  if (hasMarkers(integration) && shell !== "running")
    return { confidence: "marker", because: "The shell told that it shows its prompt." };
  return { confidence: "inferred", because: sentence(activity.because) };
}

function commandDone(facts: WaitFacts): Found | null {
  const { ended, isPromptBack, integration, activity, isSettled, wasBusy } = facts;
  if (ended) {
    if (!isPromptBack) return null;
    const { exit_code } = ended;
    const how = exit_code === undefined ? "it told no exit code" : `exit code ${exit_code}`;
    return { confidence: "marker", because: `The shell told that the command ended; ${how}.` };
  }
  if (hasMarkers(integration) || !wasBusy || !isSettled || activity.phase !== "idle") return null;
  if (activity.isContinued) return null;
  return inferred(
    `${sentence(activity.because)} The shell announces no commands, so that the command is over is concluded and its exit code unknown.`,
  );
}

/** Nobody said what to wait for, and no command ended: does it wait for its user, or did it fall silent? */
function settled(facts: WaitFacts): Found | null {
  const { activity, isSettled, quietMs, needsPerson } = facts;
  const { phase, confidence, because } = activity;
  // A person is answering: that is not what the one who waits can do (CR2).
  if (needsPerson) return null;
  if (isSettled && (phase === "waiting_input" || phase === "idle"))
    return { confidence, because: sentence(because) };
  const isSilent = phase === "running" && confidence === "inferred";
  return isSilent && quietMs >= limits.waitSettleMs
    ? inferred(
        `Nothing was printed for ${limits.waitSettleMs} ms, and nothing tells whether it still works.`,
      )
    : null;
}

function isQuiet(condition: WaitCondition): boolean {
  return "quiet_ms" in condition || "screen_stable_ms" in condition;
}

function waitsForKeyboard({ conditions }: WaitTerms): boolean {
  return conditions?.some((each) => "keyboard" in each) ?? false;
}

function hasMarkers(integration: WaitFacts["integration"]): boolean {
  return integration === "osc133" || integration === "osc633";
}

function exact(because: string): Found {
  return { confidence: "exact", because };
}

function inferred(because: string): Found {
  return { confidence: "inferred", because };
}

function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}

function howItEnded({ exit_code, signal }: { exit_code: number | null; signal: string | null }) {
  return signal === null
    ? `The program exited with ${exit_code}.`
    : `The program was ended by ${signal}.`;
}
