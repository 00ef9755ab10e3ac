// Issue 4, shown by 3: the labelled corpus (server/testing/situations) with real terminals and real programs, sixteen at a time.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { situations } from "#server/testing/situations/all.ts";
import { playAll } from "#server/testing/situations/play-all.ts";
import { type Mistake, runPhases } from "#server/testing/situations/run-phases.ts";
import { leftOut, missing, openStage } from "#server/testing/situations/stage.ts";

const only = process.env.COTTY_SITUATION;

let stage: Awaited<ReturnType<typeof openStage>>;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

describe.runIf(process.platform === "linux")("the corpus of situations", () => {
  it("[PH1] has at least sixty, each with a name of its own", () => {
    expect(situations.length).toBeGreaterThanOrEqual(60);
    expect(new Set(situations.map(({ name }) => name)).size).toBe(situations.length);
  });

  it("[PH1] plays at least sixty here, and in CI every one", () => {
    const left = leftOut(situations);
    expect(situations.length - left.length, left.join("\n")).toBeGreaterThanOrEqual(60);
    if (process.env.CI) expect(left).toEqual([]);
  });

  it("[PH1] [PH2] [CR1] [WT8] nothing is called done or waiting that is not, and everything that waits is found", async () => {
    const wanted = situations.filter(({ name }) => !only || name.includes(only));
    const playable = wanted.filter((each) => missing(each).length === 0);
    const latenciesMs: number[] = [];
    const wrong = await playAll(playable, async (situation) => {
      const scene = await stage.play(situation);
      try {
        const run = await runPhases(situation, scene);
        latenciesMs.push(...run.latenciesMs);
        if (run.mistakes.length > 0)
          console.log(
            `${situation.name}\n${JSON.stringify(await scene.activity.explain())}\n${await scene.screen()}`,
          );
        return run.mistakes;
      } finally {
        await scene.end();
      }
    });

    const count = (kind: Mistake["kind"]) => wrong.filter((each) => each.kind === kind).length;
    const right = playable.length - new Set(wrong.map(({ name }) => name)).size;
    latenciesMs.sort((a, b) => a - b);
    console.log(
      `situations: ${right} of ${playable.length} right, ${count("false done")} false done, ${count("false waiting")} false waiting, ${count("missed")} missed; ` +
        `median ${Math.round(latenciesMs[latenciesMs.length >> 1] ?? 0)} ms until told; ${wanted.length - playable.length} left out for want of a program`,
    );
    expect(wrong).toEqual([]);
  }, 400_000);
});
