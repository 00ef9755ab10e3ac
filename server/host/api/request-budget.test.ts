import { describe, expect, it } from "vitest";
import { TermError } from "#lib/protocol/errors.ts";
import { limits } from "#lib/protocol/limits.ts";
import { FakeClock } from "#server/testing/fake-clock.ts";
import { RequestBudget } from "./request-budget.ts";

function refusalOf(act: () => void): TermError {
  try {
    act();
  } catch (error) {
    if (error instanceof TermError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("the request budget of an actor", () => {
  it("[LM] a burst passes, one more is 429 TOO_FAST with the time to wait, and then passes", () => {
    const clock = new FakeClock();
    const budget = new RequestBudget(clock);
    for (let i = 0; i < limits.requestBurst; i++) budget.take("bot");
    const refused = refusalOf(() => budget.take("bot"));
    expect(refused.code).toBe("TOO_FAST");
    const waitMs = refused.extra.retryAfterMs ?? 0;
    expect(waitMs).toBeGreaterThan(0);
    clock.advance(waitMs - 1);
    expect(refusalOf(() => budget.take("bot")).code).toBe("TOO_FAST");
    clock.advance(1);
    budget.take("bot");
  });

  it("[LM] the rate holds over time, whatever is refused meanwhile", () => {
    const clock = new FakeClock();
    const budget = new RequestBudget(clock);
    let passed = 0;
    for (let ms = 0; ms < 10_000; ms++) {
      clock.advance(1);
      for (let i = 0; i < 3; i++) {
        try {
          budget.take("bot");
          passed += 1;
        } catch {
          // Counted by what passes.
        }
      }
    }
    const wanted = limits.requestBurst + 10 * limits.requestsPerSecond;
    expect(Math.abs(passed - wanted)).toBeLessThanOrEqual(2);
  });

  it("one actor's haste costs another nothing", () => {
    const budget = new RequestBudget(new FakeClock());
    for (let i = 0; i < limits.requestBurst; i++) budget.take("bot");
    expect(refusalOf(() => budget.take("bot")).code).toBe("TOO_FAST");
    budget.take("other");
  });

  it("[LM] of more actors than are kept, those idle longest are forgotten", () => {
    const budget = new RequestBudget(new FakeClock());
    for (let i = 0; i < limits.requestBurst; i++) budget.take("first");
    for (let i = 0; i < limits.requestActors - 1; i++) budget.take(`actor${i}`);
    expect(refusalOf(() => budget.take("first")).code).toBe("TOO_FAST");
    // "first" was just used: the ones before it go.
    for (let i = 0; i < limits.requestActors - 1; i++) budget.take(`later${i}`);
    expect(refusalOf(() => budget.take("first")).code).toBe("TOO_FAST");
    for (let i = 0; i < limits.requestActors; i++) budget.take(`last${i}`);
    budget.take("first");
  });
});
