import { describe, expect, it } from "vitest";
import { memoryKeyValue } from "#lib/client/key-value.ts";
import type { LastCommand, SessionInfo } from "#lib/protocol/session.ts";
import { sessionInfo } from "#server/testing/fake-socket.ts";
import { type NeedFacts, needOf, needsOf } from "./needs.ts";
import { createSeen, seenKey } from "./seen.ts";

const start = Date.parse("2026-01-01T00:00:00.000Z");
const at = (ms: number) => new Date(start + ms).toISOString();
const facts = (part: Partial<NeedFacts> = {}): NeedFacts => ({
  seenMs: () => start,
  waitingMs: () => null,
  nowMs: start + 600_000,
  ...part,
});
const command = (part: Partial<LastCommand>): LastCommand => ({
  index: 1,
  command: "make",
  running: false,
  exit_code: 0,
  started_at: at(1_000),
  duration_ms: 60_000,
  by: [],
  ...part,
});
const one = (id: string, part: Partial<SessionInfo>) => sessionInfo({ id, ...part });
const password = { credential: { source: "echo_off", since: at(9_000) } } as const;
const question = {
  need: { reason: "question", since: at(8_000), detail: "Which one?", by: "claude" },
} as const;
const failed = { exited: true, exit_code: 2, exited_at: at(5_000) };
const finished = { last_command: command({}) };
const stalled = { phase: "waiting_input", foreground: "read" } as const;

describe("who needs a person", () => {
  it("[OP5] is one order over all sessions: password, question, failed, finished, stalled; then the longest wait", () => {
    const list = [
      one("e", stalled),
      one("d", finished),
      one("c2", { ...failed, exited_at: at(6_000) }),
      one("c1", failed),
      one("b", question),
      one("a", password),
      one("none", {}),
    ];
    const waitingMs = (id: string) => (id === "e" ? start + 1 : null);
    expect(needsOf(list, facts({ waitingMs })).map(({ id, reason }) => `${id} ${reason}`)).toEqual([
      "a password",
      "b question",
      "c1 failed",
      "c2 failed",
      "d finished",
      "e stalled",
    ]);
  });

  it("what was seen needs nobody, but a password and a call stay until they are answered", () => {
    const seen = facts({ seenMs: () => start + 900_000, waitingMs: () => start + 1 });
    for (const part of [failed, finished, stalled]) expect(needOf(one("x", part), seen)).toBeNull();
    expect(needOf(one("x", password), seen)?.reason).toBe("password");
    expect(needOf(one("x", question), seen)?.evidence).toEqual({
      kind: "said",
      by: "claude",
      text: "Which one?",
    });
  });

  it("short commands are no news, failed ones sooner than good ones; what still runs is not done", () => {
    const reason = (part: Partial<LastCommand>) =>
      needOf(one("x", { last_command: command(part) }), facts())?.reason ?? null;
    expect(reason({ duration_ms: 29_999 })).toBeNull();
    expect(reason({ duration_ms: 30_000 })).toBe("finished");
    expect(reason({ exit_code: 1, duration_ms: 4_999 })).toBeNull();
    expect(reason({ exit_code: 1, duration_ms: 5_000 })).toBe("failed");
    expect(reason({ running: true, duration_ms: null, exit_code: null })).toBeNull();
    expect(reason({ exit_code: null })).toBe("finished");
  });

  it("a program stalls when it has waited for a minute; after its end it asks nothing", () => {
    const waits = (ms: number) => facts({ waitingMs: () => start + 600_000 - ms });
    expect(needOf(one("x", stalled), waits(59_999))).toBeNull();
    expect(needOf(one("x", stalled), waits(60_000))?.reason).toBe("stalled");
    expect(needOf(one("x", { ...password, ...failed }), facts())?.reason).toBe("failed");
    expect(
      needOf(one("x", { ...failed, exit_code: null, signal: "SIGKILL" }), facts())?.evidence,
    ).toEqual({ kind: "exit", code: null, signal: "SIGKILL" });
    expect(needOf(one("x", { ...failed, exit_code: 0 }), facts())?.reason).toBe("finished");
  });
});

describe("what was seen", () => {
  it("is remembered by the browser; what happened before it first came counts as seen", () => {
    const keyValue = memoryKeyValue();
    const clock = { now: () => nowMs };
    let nowMs = 100;
    const seen = createSeen(keyValue, clock);
    expect(seen.at("a")).toBe(100);
    nowMs = 200;
    seen.mark("a");
    expect(createSeen(keyValue, clock).at("a")).toBe(200);
    expect(createSeen(keyValue, clock).at("b")).toBe(100);
    seen.keepOnly(["b"]);
    expect(createSeen(keyValue, clock).at("a")).toBe(100);
    keyValue.set(seenKey, "{");
    expect(createSeen(keyValue, clock).at("a")).toBe(200);
  });
});
