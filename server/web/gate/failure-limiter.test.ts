import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { limits } from "#lib/protocol/limits.ts";
import { FakeClock } from "#server/testing/fake-clock.ts";
import { facts, gateDouble } from "#server/testing/gate-double.ts";
import { FailureLimiter } from "./failure-limiter.ts";

const list = "/api/v1/sessions";

describe("FailureLimiter", () => {
  it("[T37] ten thousand guesses in a minute are looked up thirty times at most; a good token waits too, elsewhere it works", () => {
    const double = gateDouble();
    const guess = facts("GET", list, { authorization: "Bearer wrong" });
    const codes = new Map<string, number>();
    for (let at = 0; at < 10_000; at += 1) {
      const judged = double.gate.judge(guess);
      const code = judged.pass ? "pass" : judged.refusal.code;
      codes.set(code, (codes.get(code) ?? 0) + 1);
      double.clock.advance(6);
    }
    expect(double.lookUps).toBeLessThanOrEqual(30);
    expect(double.lookUps).toBeGreaterThan(10);
    expect([...codes.keys()].sort()).toEqual(["TOO_MANY_ATTEMPTS", "UNAUTHENTICATED"]);

    double.gate.judge(guess);
    const right = { authorization: "Bearer owner" };
    const here = double.gate.judge(facts("GET", list, right));
    expect(here).toMatchObject({ pass: false, refusal: { code: "TOO_MANY_ATTEMPTS" } });
    expect(!here.pass && here.refusal.retryAfterMs).toBeGreaterThan(0);
    expect(double.gate.judge(facts("GET", list, right, { peer: "10.0.0.9" })).pass).toBe(true);
    double.clock.advance(limits.failureRefillMs);
    expect(double.gate.judge(facts("GET", list, right)).pass).toBe(true);
  });

  it("[T06] what a client says about where it comes from makes no second source", () => {
    const double = gateDouble();
    for (let at = 0; at < 100; at += 1) {
      const headers = { authorization: "Bearer wrong", "x-forwarded-for": `10.0.0.${at}` };
      double.gate.judge(facts("GET", list, headers));
    }
    expect(double.lookUps).toBe(limits.failuresPerSource);
  });

  it("a stale token of a program does not lock out the page on the same machine", () => {
    const limiter = new FailureLimiter(new FakeClock());
    for (let at = 0; at < 50; at += 1) limiter.failed("127.0.0.1", "token");
    expect(limiter.check("127.0.0.1", "token")?.code).toBe("TOO_MANY_ATTEMPTS");
    expect(limiter.check("127.0.0.1", "login")).toBeNull();
    expect(limiter.check("127.0.0.1", "code")).toBeNull();
  });

  it("[T37] a crowd is limited as a whole, but not whom it has nothing to do with", () => {
    const clock = new FakeClock();
    const limiter = new FailureLimiter(clock);
    limiter.succeeded("192.0.2.1", "token");
    for (let at = 0; at < limits.failuresPerMinute; at += 1)
      limiter.failed(`10.0.${at >> 8}.${at & 255}`, "token");
    expect(limiter.check("203.0.113.7", "token")?.code).toBe("TOO_MANY_ATTEMPTS");
    expect(limiter.check("192.0.2.1", "token")).toBeNull();
    clock.advance(60_000);
    expect(limiter.check("203.0.113.7", "token")).toBeNull();
  });

  it("an IPv6 /64 is one source, and so are an IPv4 address and its mapped form", () => {
    const limiter = new FailureLimiter(new FakeClock());
    for (let at = 1; at <= limits.failuresPerSource; at += 1)
      limiter.failed(`2001:db8:1:2::${at.toString(16)}`, "token");
    expect(limiter.check("2001:db8:1:2:ffff::1", "token")).not.toBeNull();
    expect(limiter.check("2001:db8:1:3::1", "token")).toBeNull();
    for (let at = 0; at < limits.failuresPerSource; at += 1) limiter.failed("10.0.0.1", "token");
    expect(limiter.check("::ffff:10.0.0.1", "token")).not.toBeNull();
    expect(limiter.check("::1", "token")).toBeNull();
  });

  it("[T38] a million sources take the room of ten thousand", () => {
    const limiter = new FailureLimiter(new FakeClock());
    setFlagsFromString("--expose-gc");
    const collect: () => void = runInNewContext("gc");
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let at = 0; at < 1_000_000; at += 1)
      limiter.failed(`10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`, "token");
    expect(limiter.size).toBeLessThanOrEqual(limits.limiterSources);
    collect();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(16 * 1024 * 1024);
  });
});
