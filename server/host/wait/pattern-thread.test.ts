import { afterEach, expect, it } from "vitest";
import { systemClock } from "#lib/base/clock.ts";
import { limits } from "#lib/protocol/limits.ts";
import { FakeClock } from "#server/testing/fake-clock.ts";
import { PatternThread, patternFault } from "./pattern-thread.ts";

let thread: PatternThread;
afterEach(() => thread.dispose());

it("[WT1] patterns are JavaScript's, over lines and whole characters", async () => {
  thread = new PatternThread(systemClock);
  expect(await thread.try("^b.$", "a\nb👍\nc")).toEqual({
    kind: "found",
    match: { index: 2, length: 3 },
  });
  expect(await thread.try("^x", "a\nb")).toEqual({ kind: "absent" });
  expect(patternFault("(")).toContain("Unterminated");
  expect(patternFault("a+")).toBeUndefined();
});

it("[WT1] one that takes for ever is given up, and those behind it are tried", async () => {
  thread = new PatternThread(systemClock);
  const endless = thread.try("^(a+)+$", `${"a".repeat(60)}b`);
  const behind = thread.try("b$", "ab");
  expect(await behind).toMatchObject({ kind: "found" });
  expect(await endless).toMatchObject({ kind: "refused" });
  // Nothing of this process stood still for it.
  expect(await thread.try("a", "a")).toMatchObject({ kind: "found" });
});

it.runIf(process.platform === "linux")(
  "[WT1] a pattern is not given up for what the processors did elsewhere, and not waited for for ever",
  async () => {
    const clock = new FakeClock();
    thread = new PatternThread(clock);
    await thread.try("a", "a");
    // The clock runs on, and the thread has not even heard of it.
    const late = thread.try("b$", "ab");
    clock.advance(5_000);
    expect(await late).toMatchObject({ kind: "found" });
    // One that never ends is given up by the clock where its thread's own time hardly passes: what is behind it gets its turn.
    const endless = thread.try("^(a+)+$", `${"a".repeat(60)}b`);
    const behind = thread.try("d$", "abcd");
    clock.advance(limits.waitRegexPatienceMs + 1_000);
    expect(await behind).toMatchObject({ kind: "found" });
    thread.dispose();
    expect(await endless).toMatchObject({ kind: "refused" });
  },
);

it("[WT1] what waits when the host stops is answered", async () => {
  thread = new PatternThread(systemClock);
  const asked = thread.try("a", "a");
  thread.dispose();
  expect(await asked).toMatchObject({ kind: "refused" });
});
