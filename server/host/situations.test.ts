// Issue 4, shown by 3: the labelled corpus (server/testing/situations) with real terminals and real programs, sixteen at a time. Each is played
// once, and judged twice: what is told of it all the time (its phase, a password prompt), and what waits answer who begin with each step.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { person } from "#server/testing/session-rig.ts";
import { situations } from "#server/testing/situations/all.ts";
import { playAll, type Wrong } from "#server/testing/situations/play-all.ts";
import { type Mistake, runPhases } from "#server/testing/situations/run-phases.ts";
import { runWaits } from "#server/testing/situations/run-waits.ts";
import type { Situation } from "#server/testing/situations/situation.ts";
import { leftOut, missing, openStage } from "#server/testing/situations/stage.ts";

const only = process.env.COTTY_SITUATION;
const playable = situations.filter(
  (each) => missing(each).length === 0 && (!only || each.name.includes(only)),
);

/** What one situation got wrong, by who judged it. */
const mistaken = { phases: new Map<string, Wrong[]>(), waits: new Map<string, Wrong[]>() };
const latenciesMs: number[] = [];
let silences = 0;

let stage: Awaited<ReturnType<typeof openStage>>;

/** Mistakes of both; those of another try of the same situation are replaced. */
async function play(situation: Situation): Promise<readonly Mistake[]> {
  const scene = await stage.play(situation);
  const port = stage.registry.port(person, scene.id);
  const ofWaits: Mistake[] = [];
  const begin = async (index: number) => {
    const waits = runWaits(situation, index, port, scene.startedMs).then((step) => {
      ofWaits.push(...step.mistakes);
      if (step.isSilence) silences++;
    });
    // The keys are on their way.
    await new Promise(setImmediate);
    return { over: waits };
  };
  try {
    const { mistakes, latenciesMs: told } = await runPhases(situation, scene, begin);
    latenciesMs.push(...told);
    const { name } = situation;
    const named = (all: readonly Mistake[]) => all.map((each) => ({ name, ...each }));
    mistaken.phases.set(name, named(mistakes));
    mistaken.waits.set(name, named(ofWaits));
    if (mistakes.length > 0)
      console.log(
        `${name}\n${JSON.stringify(await scene.activity.explain())}\n${await scene.screen()}`,
      );
    return [...mistakes, ...ofWaits];
  } finally {
    await scene.end();
  }
}

function summary(wrong: readonly Wrong[]): string {
  const count = (kind: Mistake["kind"]) => wrong.filter((each) => each.kind === kind).length;
  const right = playable.length - new Set(wrong.map(({ name }) => name)).size;
  return `${right} of ${playable.length} right, ${count("false done")} false done, ${count("false waiting")} false waiting, ${count("missed")} missed`;
}

describe.runIf(process.platform === "linux")("the corpus of situations", () => {
  beforeAll(async () => {
    stage = await openStage();
    await playAll(playable, play);
  }, 400_000);
  afterAll(() => stage?.close());

  it("[PH1] has at least sixty, each with a name of its own", () => {
    expect(situations.length).toBeGreaterThanOrEqual(60);
    expect(new Set(situations.map(({ name }) => name)).size).toBe(situations.length);
  });

  it("[PH1] plays at least sixty here, and in CI every one", () => {
    const left = leftOut(situations);
    expect(situations.length - left.length, left.join("\n")).toBeGreaterThanOrEqual(60);
    if (process.env.CI) expect(left).toEqual([]);
    expect([mistaken.phases.size, mistaken.waits.size]).toEqual([playable.length, playable.length]);
  });

  it("[PH1] [PH2] [CR1] [WT8] nothing is called done or waiting that is not, and everything that waits is found", () => {
    const wrong = [...mistaken.phases.values()].flat();
    latenciesMs.sort((a, b) => a - b);
    console.log(
      `phases: ${summary(wrong)}; median ${Math.round(latenciesMs[latenciesMs.length >> 1] ?? 0)} ms until told`,
    );
    expect(wrong).toEqual([]);
  });

  it("[WT2] [WT8] no wait is over while a program works, and all that wait or are done are told", () => {
    const wrong = [...mistaken.waits.values()].flat();
    console.log(
      `waits: ${summary(wrong)}; ${silences} ended by silence, as they say themselves, while a program worked`,
    );
    expect(wrong).toEqual([]);
  });
});
