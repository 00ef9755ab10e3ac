import { describe, expect, it } from "vitest";
import type { CommandRecord } from "#lib/protocol/journal.ts";
import { limits } from "#lib/protocol/limits.ts";
import { type WaitCondition, waitOutcomes } from "#lib/protocol/wait.ts";
import { judge, type WaitTerms } from "./wait-condition.ts";
import type { WaitFacts } from "./wait-facts.ts";

const nothing: WaitFacts = {
  elapsedMs: 0,
  isSealed: false,
  takenBy: null,
  needsPerson: false,
  mayType: true,
  exit: null,
  activity: {
    phase: "running",
    confidence: "exact",
    atPrompt: false,
    isContinued: false,
    credential: null,
    because: "make does not wait for the terminal",
  },
  isSettled: true,
  integration: "osc633",
  shell: "running",
  ended: null,
  isPromptBack: false,
  wasBusy: true,
  quietMs: 0,
  stableMs: 0,
  hits: new Map(),
};

const record: CommandRecord = {
  index: 3,
  flags: ["has_exit"],
  exit_code: 2,
  start: "1:0",
  end: "2:0",
  started_at: "2026-01-01T00:00:00.000Z",
  ended_at: "2026-01-01T00:00:01.000Z",
  duration_ms: 1_000,
  command: "make",
  command_from: "shell",
  cwd: "/",
  by: [],
  integration: "osc633",
};

const terms = (
  conditions: WaitCondition[] | null = null,
  more: Partial<WaitTerms> = {},
): WaitTerms => ({
  conditions,
  timeoutMs: 1_000,
  throughCredential: false,
  ...more,
});

const atPrompt = {
  ...nothing.activity,
  phase: "idle",
  confidence: "inferred",
  atPrompt: true,
  because: "bash has the terminal and edits a line",
} as const;
const asks = { ...nothing.activity, phase: "waiting_input", because: "cat reads" } as const;

describe("the judgement of a wait", () => {
  it("[WT5] tells the first of several outcomes, in the order of the one list", () => {
    const everything: WaitFacts = {
      ...nothing,
      elapsedMs: 1_000,
      isSealed: true,
      takenBy: "Ada",
      needsPerson: true,
      exit: { exit_code: 0, signal: null },
      ended: record,
      isPromptBack: true,
      quietMs: 500,
      hits: new Map([[0, { line: "ready" }]]),
    };
    const undo: Partial<WaitFacts>[] = [
      { isSealed: false },
      { takenBy: null },
      { needsPerson: false },
      { exit: null },
      { hits: new Map() },
      { ended: null },
      { quietMs: 0 },
    ];
    let facts = everything;
    const told: unknown[] = [];
    for (const change of [{}, ...undo]) {
      facts = { ...facts, ...change };
      const wanted = terms([{ text: "ready" }, { command_done: true }, { quiet_ms: 400 }]);
      told.push(judge(facts, wanted)?.outcome);
    }
    expect(told).toEqual([...waitOutcomes]);
  });

  it("[WT1] names the condition, and each has its own kind of certainty", () => {
    const cases: [WaitCondition, Partial<WaitFacts>, string, string][] = [
      [{ text: "a" }, { hits: new Map([[0, { line: "a" }]]) }, "matched", "exact"],
      [{ regex: "a" }, { hits: new Map([[0, { line: "a" }]]) }, "matched", "exact"],
      [{ command_done: true }, { ended: record, isPromptBack: true }, "command_done", "marker"],
      [{ prompt: true }, { activity: atPrompt, shell: "input" }, "matched", "marker"],
      [{ prompt: true }, { activity: atPrompt, integration: "none" }, "matched", "inferred"],
      [{ phase: "waiting_input" }, { activity: asks }, "matched", "exact"],
      [{ quiet_ms: 300 }, { quietMs: 300 }, "settled", "inferred"],
      [{ screen_stable_ms: 300 }, { stableMs: 300 }, "settled", "inferred"],
      [{ exit: true }, { exit: { exit_code: 1, signal: null } }, "exited", "exact"],
      [{ keyboard: true }, {}, "matched", "exact"],
    ];
    for (const [condition, facts, outcome, confidence] of cases) {
      const found = judge({ ...nothing, ...facts }, terms([condition]));
      expect([condition, found]).toMatchObject([condition, { outcome, confidence, condition: 0 }]);
      if ("keyboard" in condition) continue;
      expect([condition, judge(nothing, terms([condition]))]).toEqual([condition, null]);
    }
    expect(judge({ ...nothing, mayType: false }, terms([{ keyboard: true }]))).toBeNull();
  });

  it("[WT4] a wait for the keyboard that times out says that it is not the agent's yet", () => {
    const late = { ...nothing, elapsedMs: 1_000_000, mayType: false };
    expect(judge(late, terms([{ keyboard: true }]))?.because).toContain("You may not type yet");
    expect(judge(late, terms([{ text: "a" }]))?.because).not.toContain("type");
  });

  it("[WT8] phases decide nothing before it was looked and the screen is up to date", () => {
    for (const activity of [atPrompt, asks]) {
      expect(judge({ ...nothing, activity, isSettled: false }, terms())).toBeNull();
      expect(judge({ ...nothing, activity }, terms())).toMatchObject({ outcome: "settled" });
    }
  });

  it("[WT8] a command is done when its shell said so and shows its prompt again", () => {
    expect(judge({ ...nothing, ended: record }, terms())).toBeNull();
    const done = judge({ ...nothing, ended: record, isPromptBack: true }, terms());
    expect(done).toMatchObject({ outcome: "command_done", confidence: "marker" });
    expect(done?.because).toContain("exit code 2");
  });

  it("[JR6] without markers done is concluded, says so, and means nothing where nothing ran", () => {
    const facts = {
      ...nothing,
      integration: "none",
      shell: "unknown",
      activity: atPrompt,
    } as const;
    const done = judge(facts, terms());
    expect(done).toMatchObject({ outcome: "command_done", confidence: "inferred" });
    expect(done?.because).toContain("announces no commands");
    expect(judge({ ...facts, wasBusy: false }, terms())).toMatchObject({ outcome: "settled" });
  });

  it("[WT8] silence ends a wait only where nothing tells whether it works", () => {
    const quietMs = limits.waitSettleMs;
    expect(judge({ ...nothing, quietMs }, terms())).toBeNull();
    const activity = { ...nothing.activity, confidence: "inferred" } as const;
    expect(judge({ ...nothing, activity, quietMs }, terms())).toMatchObject({
      outcome: "settled",
      confidence: "inferred",
    });
  });

  it("[CR2] goes on through a password where it was asked to, and is not settled by it", () => {
    const facts = { ...nothing, needsPerson: true, activity: asks };
    expect(judge(facts, terms())).toMatchObject({ outcome: "human_required" });
    expect(judge(facts, terms(null, { throughCredential: true }))).toBeNull();
  });

  it("[LS4] who waits for the keyboard is not told that a person has it", () => {
    const facts = { ...nothing, takenBy: "Ada", needsPerson: true, mayType: false };
    expect(judge(facts, terms([{ keyboard: true }]))).toBeNull();
    expect(judge(facts, terms())).toMatchObject({ outcome: "human_took_over" });
  });

  it("[WT4] a timeout says what the session does", () => {
    const found = judge({ ...nothing, elapsedMs: 1_000 }, terms([{ text: "a" }]));
    expect(found?.because).toBe(
      "None of the conditions was met within 1000 ms. Make does not wait for the terminal.",
    );
  });
});
