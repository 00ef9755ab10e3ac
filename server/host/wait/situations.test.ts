// Issue 4, shown by 3: waits over the labelled corpus (server/testing/situations), with real terminals and real programs. No wait may be too early.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { person } from "#server/testing/session-rig.ts";
import { situations } from "#server/testing/situations/all.ts";
import { playAll } from "#server/testing/situations/play-all.ts";
import type { Mistake } from "#server/testing/situations/run-phases.ts";
import { runWaits } from "#server/testing/situations/run-waits.ts";
import { missing, openStage } from "#server/testing/situations/stage.ts";

const only = process.env.COTTY_SITUATION;

let stage: Awaited<ReturnType<typeof openStage>>;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

describe.runIf(process.platform === "linux")("waits over the corpus of situations", () => {
  it("[WT2] [WT8] none is over while a program works, and all that wait or are done are told", async () => {
    const playable = situations.filter(
      (each) => missing(each).length === 0 && (!only || each.name.includes(only)),
    );
    let silences = 0;
    const wrong = await playAll(playable, async (situation) => {
      const scene = await stage.play(situation);
      try {
        const port = stage.registry.port(person, scene.id);
        const run = await runWaits(situation, port, scene.startedMs);
        silences += run.silences;
        return run.mistakes;
      } finally {
        await scene.end();
      }
    });
    const count = (kind: Mistake["kind"]) => wrong.filter((each) => each.kind === kind).length;
    console.log(
      `waits: ${playable.length - new Set(wrong.map(({ name }) => name)).size} of ${playable.length} right, ${count("false done")} false done, ` +
        `${count("false waiting")} false waiting, ${count("missed")} missed; ${silences} ended by silence, as they say themselves, while a program worked`,
    );
    expect(wrong).toEqual([]);
  }, 400_000);
});
