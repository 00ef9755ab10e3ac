import { describe, expect, it } from "vitest";
import { Emitter } from "#lib/base/emitter.ts";
import { FakeClock } from "#server/testing/fake-clock.ts";
import type { PageSignals } from "./page-signals.ts";
import { connecting, delayMs, type ReconnectState, reconnect } from "./reconnect.ts";
import { ReconnectTimer } from "./reconnect-timer.ts";

const middle = 0.5;

function failed(state: ReconnectState, nowMs: number, code = 1006): ReconnectState {
  return reconnect(state, { kind: "closed", code, isOver: false }, nowMs, middle);
}

describe("reconnect", () => {
  it("[AT8] doubles the delay from 0.5 s to 8 s, within a fifth either way", () => {
    const delays = [1, 2, 3, 4, 5, 6, 60].map((attempt) => delayMs(attempt, middle));
    expect(delays).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
    expect(delayMs(1, 0)).toBeCloseTo(400);
    expect(delayMs(5, 0.999_999)).toBeLessThan(9_600.1);
    expect(delayMs(5, 0.999_999)).toBeGreaterThan(9_599);
  });

  it.each([4400, 4401, 4403, 4404])("[AT7] never tries again after %i", (code) => {
    const state = failed(connecting(0), 10, code);
    expect(state).toEqual({ kind: "final", code });
    for (const kind of ["due", "woken", "asked", "opened"] as const)
      expect(reconnect(state, { kind }, 20_000, middle)).toBe(state);
  });

  it.each([1000, 1006, 1012, 4408, 4409])("[AT7] tries again after %i", (code) => {
    expect(failed(connecting(0), 10, code)).toMatchObject({ kind: "waiting", untilMs: 510 });
  });

  it("[AT7] waits at least 2 s after 4429", () => {
    expect(failed(connecting(0), 0, 4429)).toMatchObject({ attempt: 3, untilMs: 2_000 });
  });

  it("[B130] has nothing to come back for when the session is over", () => {
    const open = reconnect(connecting(0), { kind: "opened" }, 5, middle);
    const over = reconnect(open, { kind: "closed", code: 1006, isOver: true }, 10, middle);
    expect(over).toEqual({ kind: "final", code: 1006 });
  });

  it("[AT8] answers a wake-up at once, but not a second one within half a second", () => {
    const waiting = failed(connecting(0), 1_000);
    const again = reconnect(waiting, { kind: "woken" }, 1_001, middle);
    expect(again).toMatchObject({ kind: "connecting", startedMs: 1_001, lostMs: 1_000 });
    const failedAgain = failed(again, 1_002);
    expect(reconnect(failedAgain, { kind: "woken" }, 1_400, middle)).toBe(failedAgain);
    expect(reconnect(failedAgain, { kind: "woken" }, 1_501, middle).kind).toBe("connecting");
    expect(reconnect(failedAgain, { kind: "asked" }, 1_400, middle).kind).toBe("connecting");
  });

  it("counts from the start again only after a connection that lasted", () => {
    const second = failed(reconnect(failed(connecting(0), 0), { kind: "due" }, 500, middle), 501);
    expect(second).toMatchObject({ attempt: 2 });
    const open = reconnect(
      reconnect(second, { kind: "due" }, 2_000, middle),
      { kind: "opened" },
      2_001,
      middle,
    );
    expect(failed(open, 2_100)).toMatchObject({ attempt: 3 });
    expect(failed(open, 60_000)).toMatchObject({ attempt: 1, untilMs: 60_500, lostMs: 60_000 });
  });

  it("[B130] makes fewer than 10 attempts in 30 s when every connection is accepted and closed at once", () => {
    const clock = new FakeClock();
    const wake = new Emitter<void>();
    const page: PageSignals = {
      isVisible: () => true,
      onWake: wake.event,
      onVisibility: new Emitter<boolean>().event,
      dispose() {},
    };
    let attempts = 0;
    const timer: ReconnectTimer = new ReconnectTimer({
      clock,
      page,
      random: () => 0,
      connect: () => {
        attempts += 1;
        clock.after(1, () => {
          timer.tell({ kind: "opened" });
          timer.tell({ kind: "closed", code: 1006, isOver: false });
        });
      },
    });
    timer.start();
    clock.advance(30_000);
    expect(attempts).toBeLessThan(10);
    expect(attempts).toBeGreaterThan(5);
    timer.dispose();
    expect(clock.pending).toBe(0);
    expect(wake.listenerCount).toBe(0);
  });
});
