import { describe, expect, it } from "vitest";
import { limits } from "#lib/protocol/limits.ts";
import { FrameBudget, type FrameCost } from "./frame-budget.ts";

/** Sends `perSecond` frames evenly for `seconds`, obeying pauses; when it was closed, in ms, and how many got through. */
function run(cost: FrameCost, perSecond: number, seconds: number, bytes = 10) {
  const budget = new FrameBudget(0);
  let blockedUntil = 0;
  let taken = 0;
  for (let i = 0; i < perSecond * seconds; i += 1) {
    const now = Math.max((i * 1000) / perSecond, blockedUntil);
    if (now > seconds * 1000) break;
    const verdict = budget.take(cost, bytes, now);
    if (verdict.kind === "close") return { closedAt: now, taken };
    taken += 1;
    if (verdict.kind === "pause") blockedUntil = now + verdict.ms;
  }
  return { closedAt: undefined, taken };
}

describe("frame budget", () => {
  it("[T56] frames within the limits are never slowed", () => {
    expect(run("control", limits.controlFramesPerSecond, 60)).toEqual({
      closedAt: undefined,
      taken: 60 * limits.controlFramesPerSecond,
    });
    expect(run("frame", limits.framesPerSecond, 60).taken).toBe(60 * limits.framesPerSecond);
  });

  it("[T56] a burst is slowed and then forgiven", () => {
    const budget = new FrameBudget(0);
    const verdicts = Array.from({ length: 100 }, () => budget.take("control", 10, 0));
    expect(verdicts.slice(0, 50).every(({ kind }) => kind === "go")).toBe(true);
    expect(verdicts.at(-1)).toEqual({ kind: "pause", ms: 1_000 });
    expect(budget.take("control", 10, 5_000)).toEqual({ kind: "go" });
    // Long after the first excess, a second burst is again only slowed.
    const later = Array.from({ length: 100 }, () => budget.take("control", 10, 60_000));
    expect(later.some(({ kind }) => kind === "close")).toBe(false);
  });

  it("[T56] a flood that goes on is slowed to the limit and ended after 10 s", () => {
    for (const [cost, limit] of [
      ["control", limits.controlFramesPerSecond],
      ["frame", limits.framesPerSecond],
    ] as const) {
      const { closedAt, taken } = run(cost, limit * 20, 60);
      expect(closedAt).toBeGreaterThanOrEqual(limits.overBudgetMs);
      expect(closedAt).toBeLessThan(limits.overBudgetMs + 2_500);
      expect(taken).toBeLessThanOrEqual(limit * 14);
    }
  });

  it("[T56] a large paste is read at 1 MiB/s and never ended for it", () => {
    const { closedAt, taken } = run("frame", 100, 30, 64 * 1024);
    expect(closedAt).toBeUndefined();
    expect(taken * 64 * 1024).toBeLessThan(33 * limits.inwardBytesPerSecond);
    expect(taken * 64 * 1024).toBeGreaterThan(27 * limits.inwardBytesPerSecond);
  });

  it("[T56] acknowledgements and sizes cost their bytes only", () => {
    const { closedAt, taken } = run("bytes", 5_000, 20, 40);
    expect(closedAt).toBeUndefined();
    expect(taken).toBe(100_000);
  });
});
