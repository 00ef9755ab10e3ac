import { describe, expect, it } from "vitest";
import { en } from "#components/strings/en.ts";
import { freeLease, type Lease } from "#lib/protocol/lease.ts";
import { plainState, type SessionInfo } from "#lib/protocol/session.ts";
import type { TerminalStatus } from "#lib/xterm/terminal-status.ts";
import type { WhoseHands } from "#lib/xterm/whose-hands.ts";
import type { Banner } from "./banner.ts";
import { bannerOf } from "./banner-state.ts";

const session: SessionInfo = {
  ...plainState,
  id: "a".repeat(26),
  name: "one",
  pid: 1,
  command: ["bash"],
  cwd: "/srv",
  foreground: null,
  cols: 80,
  rows: 24,
  title: "",
  phase: "idle",
  exited: false,
  exit_code: null,
  signal: null,
  viewers: 1,
  created_at: "2026-01-01T00:00:00.000Z",
  exited_at: null,
  tags: [],
};
const claude = {
  name: "claude-1",
  typedMs: null,
  writes: 0,
  lookedMs: null,
  waitsMs: null,
  waitsFor: null,
  caption: null,
};
const calm: WhoseHands = {
  me: "ada",
  lease: freeLease,
  leaseMs: 0,
  access: "collaborate",
  credential: null,
  need: null,
  agent: claude,
  answeredMs: null,
  isAnswering: false,
};
const held = (part: Partial<Lease> = {}): Lease => ({
  ...freeLease,
  holder: "human",
  cause: "typing",
  actor: "Ada",
  actor_id: "ada",
  until: "2026-01-01T00:00:02.500Z",
  remaining_ms: 2_500,
  epoch: 1,
  ...part,
});
const by = (actor: string) => ({ actor, actor_id: actor.toLowerCase() });

interface Case {
  hands?: Partial<WhoseHands>;
  status?: TerminalStatus;
  info?: Partial<SessionInfo>;
  isReadOnly?: boolean;
  isTouch?: boolean;
  isStill?: boolean;
  nowMs?: number;
  wallMs?: number;
}
function banner(one: Case): Banner {
  return bannerOf(
    {
      snapshot: {
        status: one.status ?? { kind: "live" },
        isReadOnly: one.isReadOnly ?? false,
        hands: { ...calm, ...one.hands },
      },
      session: { ...session, ...one.info },
      me: null,
      isTouch: one.isTouch ?? false,
      isStill: one.isStill ?? false,
      wallMs: one.wallMs ?? 0,
      nowMs: one.nowMs ?? 0,
    },
    en,
  );
}
const offline = (part: object = {}): TerminalStatus => ({
  kind: "offline",
  sinceMs: 0,
  attempt: 3,
  untilMs: 3_500,
  droppedKeys: 0,
  ...part,
});
// By the clock of whoever looks.
const endedAt = new Date(2026, 0, 1, 14, 2, 11).toISOString();
const begunAt = new Date(2026, 0, 1, 13, 58, 59).toISOString();
const secret = { source: "echo_off", since: "2026-01-01T00:00:00.000Z" } as const;
const question = {
  reason: "question",
  since: "2026-01-01T00:00:00.000Z",
  detail: "Which database?",
  by: "claude-1",
} as const;

describe("the line above a terminal", () => {
  it.each<[string, Case, Partial<Banner>]>([
    [
      "ready",
      {},
      {
        tone: "calm",
        icon: "circle",
        headline: "Ready",
        detail: "claude-1 may type. Start typing to take the keyboard.",
        actions: [],
        line: "none",
      },
    ],
    [
      "acting",
      { hands: { agent: { ...claude, typedMs: 0, waitsMs: 0 } }, nowMs: 1_400 },
      {
        tone: "acting",
        icon: "bot",
        headline: "claude-1 is typing",
        detail: "Waiting for the program",
        actions: ["interrupt"],
      },
    ],
    [
      "acting",
      {
        hands: { agent: { ...claude, typedMs: 0, waitsMs: 0, waitsFor: "ready in" } },
        nowMs: 1_400,
      },
      { headline: "claude-1 is typing", detail: "Waiting for “ready in”" },
    ],
    [
      "viewing",
      { hands: { agent: { ...claude, lookedMs: 0 } }, nowMs: 1_400 },
      {
        tone: "viewing",
        icon: "eye",
        headline: "claude-1 is looking",
        detail: "",
        actions: [],
      },
    ],
    [
      "human",
      { hands: { lease: held() } },
      {
        tone: "human",
        icon: "keyboard",
        headline: "You’re typing",
        detail: "claude-1 gets the keyboard back in 2.5\u00a0s",
        actions: ["hold", "handBackNow"],
        line: "running",
      },
    ],
    [
      "drafting",
      { hands: { lease: held({ draft: { age_ms: 9 }, until: null, remaining_ms: null }) } },
      {
        tone: "human",
        icon: "keyboard",
        headline: "You’re typing",
        detail: "Unsent text on the line — claude-1 waits",
        actions: ["clearLine", "hold", "handBackNow"],
        line: "full",
      },
    ],
    [
      "held",
      { hands: { lease: held({ cause: "takeover", until: null, remaining_ms: null }) } },
      {
        tone: "human",
        icon: "pin",
        headline: "You hold the keyboard",
        detail: "Until you hand it back",
        actions: ["handBack"],
        line: "none",
      },
    ],
    [
      "other",
      { hands: { lease: held(by("Mia")) } },
      {
        tone: "human",
        icon: "keyboard",
        headline: "Mia is typing",
        detail: "Type twice to take the keyboard",
        actions: ["ask"],
        line: "none",
      },
    ],
    [
      "attention",
      { hands: { need: question } },
      {
        tone: "attention",
        icon: "bell-ring",
        headline: "claude-1 needs you",
        detail: "Which database?",
        actions: ["take", "dismiss"],
      },
    ],
    [
      "secret",
      { hands: { credential: secret, lease: held({ cause: "credential" }) } },
      {
        tone: "danger",
        icon: "key-round",
        headline: "Password needed",
        detail: "Type it here. Agents are paused and can’t see what you type.",
        actions: ["notPassword"],
        line: "none",
      },
    ],
    [
      "observe",
      { hands: { access: "observe" } },
      {
        tone: "observe",
        icon: "lock",
        headline: "Agents are read-only",
        detail: "They can look, not type.",
        actions: [],
      },
    ],
    [
      "sealed",
      { hands: { access: "sealed" } },
      {
        tone: "danger",
        icon: "unplug",
        headline: "Agents disconnected",
        detail: "They can’t see or type here.",
        actions: ["reconnect"],
      },
    ],
    [
      "offline",
      { status: offline(), wallMs: 1_500 },
      {
        tone: "attention",
        icon: "wifi-off",
        headline: "Reconnecting…",
        detail: "Attempt 3 · next in 2 s · keys are not sent",
        actions: ["retry"],
      },
    ],
    [
      "exited",
      {
        status: { kind: "exited", exitCode: 1, signal: null },
        info: { exited: true, exit_code: 1, exited_at: endedAt, created_at: begunAt },
      },
      {
        tone: "danger",
        icon: "x",
        headline: "Process ended",
        detail: `exit 1 · ${en.format.time(new Date(endedAt))} · ran 3 m 12 s`,
        actions: ["restart", "end"],
        line: "none",
      },
    ],
    [
      "alone",
      { hands: { agent: null } },
      {
        tone: "calm",
        icon: "terminal",
        headline: "Your terminal",
        detail: "No agent connected yet.",
        actions: ["connect"],
      },
    ],
  ])("[LS5] state %s has its words, icon, colour and actions", (state, one, expected) => {
    expect(banner(one)).toMatchObject({ state, ...expected });
    expect(JSON.stringify(banner(one)).toLowerCase()).not.toContain("lease");
  });

  it("[LS5] the highest state wins: password, a call, a person, an agent's typing, its looking, what agents may do", () => {
    const all: Partial<WhoseHands> = {
      credential: secret,
      need: question,
      lease: held(),
      agent: { ...claude, typedMs: 0, lookedMs: 0 },
    };
    const states: string[] = [];
    const hands = { ...all };
    for (const next of ["credential", "need", "lease"] as const) {
      states.push(banner({ hands }).state);
      Object.assign(hands, { [next]: next === "lease" ? freeLease : null });
    }
    states.push(banner({ hands }).state);
    states.push(banner({ hands: { ...hands, agent: { ...claude, lookedMs: 0 } } }).state);
    states.push(banner({ hands: { ...hands, agent: null, access: "observe" } }).state);
    expect(states).toEqual(["secret", "attention", "human", "acting", "viewing", "observe"]);
    expect(banner({ hands: all, status: offline(), wallMs: 2_000 }).state).toBe("offline");
  });

  it("[LS5] the countdown goes by halves, by whole seconds where nothing may move, and is none when it never goes back", () => {
    const at = (nowMs: number, isStill = false) =>
      banner({ hands: { lease: held({ remaining_ms: 4_000 }) }, nowMs, isStill }).detail;
    expect(at(0)).toContain("in 4\u00a0s");
    expect(at(100)).toContain("in 4\u00a0s");
    expect(at(600)).toContain("in 3.5\u00a0s");
    expect(at(600, true)).toContain("in 4\u00a0s");
    expect(at(9_000)).toContain("in 0\u00a0s");
    expect(banner({ hands: { lease: held({ until: null, remaining_ms: null }) } })).toMatchObject({
      detail: "Until you hand it back",
      line: "none",
    });
  });

  it("[DR1] what an agent left on the line is said, and can be cleared", () => {
    expect(banner({ hands: { lease: held({ left_by: "claude-1" }) } })).toMatchObject({
      detail: "claude-1 left text on the line",
      actions: ["clearLine", "hold", "handBackNow"],
      line: "running",
    });
    const draft = { draft: { age_ms: 61_000 } };
    expect(banner({ hands: { lease: { ...freeLease, ...draft } } }).detail).toContain(
      "Unsent text",
    );
  });

  it("who has the keyboard is known by id: another person of the same name is another", () => {
    expect(banner({ hands: { lease: held({ actor_id: "other" }) } }).headline).toBe(
      "Ada is typing",
    );
    expect(banner({ hands: { lease: held({ cause: "hold", ...by("Mia") }) } }).headline).toBe(
      "Mia holds the keyboard",
    );
  });

  it("[LS9] how another person's keyboard is taken is said, and offered by name where keys do not take it", () => {
    const mias = (politeness: Lease["politeness"]) =>
      banner({ hands: { lease: held({ ...by("Mia"), politeness }) } });
    expect(mias("immediate")).toMatchObject({
      detail: "Type to take the keyboard",
      actions: ["ask"],
    });
    expect(mias("ask")).toMatchObject({
      detail: "Keys don’t take the keyboard here",
      actions: ["ask", "take"],
    });
    // A host of before says nothing, and is polite.
    expect(mias(null)).toMatchObject({ detail: "Type twice to take the keyboard" });
  });

  it("[CR2] touch gets a field for the answer; when it was sent the line says so for a moment", () => {
    const asked = { credential: secret };
    expect(banner({ hands: asked, isTouch: true }).actions).toEqual(["answer", "notPassword"]);
    const sent = { answeredMs: 0 };
    expect(banner({ hands: sent, nowMs: 1_400 })).toMatchObject({
      state: "answered",
      headline: "Sent. claude-1 continues.",
    });
    expect(banner({ hands: { ...sent, access: "sealed" }, nowMs: 100 }).headline).toBe("Sent.");
    expect(banner({ hands: sent, nowMs: 1_501 }).state).toBe("ready");
  });

  it("what an agent said about a write stands beside it; a program in front is said to work", () => {
    const agent = { ...claude, typedMs: 0, caption: { text: "run the tests", atMs: 0 } };
    expect(banner({ hands: { agent }, nowMs: 1_000 }).detail).toBe("run the tests");
    expect(banner({ info: { phase: "running" } })).toMatchObject({
      icon: "loader",
      headline: "Working",
    });
    expect(
      banner({ hands: { agent: null }, info: { agent: { name: "codex", typing: false } } }).detail,
    ).toContain("codex may type");
  });

  it("agents that may not type get nothing back, and the line says what they may", () => {
    const lease = held();
    expect(banner({ hands: { lease, access: "observe" } }).detail).toBe("They can look, not type.");
    expect(banner({ hands: { lease, access: "sealed" } }).detail).toContain("can’t see or type");
  });

  it("[AT5] who may only look is told what goes on and can do nothing about it", () => {
    expect(banner({ isReadOnly: true })).toMatchObject({ tone: "observe", headline: "View only" });
    for (const hands of [
      { need: question },
      { credential: secret },
      { lease: held(by("Mia")) },
      { access: "sealed" as const },
      { agent: { ...claude, typedMs: 0 } },
    ])
      expect(banner({ hands, isReadOnly: true }).actions).toEqual([]);
    expect(banner({ hands: { lease: held(by("Mia")) }, isReadOnly: true }).headline).toBe(
      "Mia is typing",
    );
  });

  it("[AT8] a lost connection says attempt, time and that keys are not sent, after a second", () => {
    expect(banner({ status: offline(), wallMs: 999 }).headline).toBe("Ready");
    expect(banner({ status: offline({ untilMs: null }), wallMs: 5_000 }).detail).toBe(
      "Attempt 3 · keys are not sent",
    );
  });

  it("[AT8] dropped keys are counted in the line, and after half a minute it offers to reload", () => {
    const dropped = (droppedKeys: number) =>
      banner({ status: offline({ droppedKeys }), wallMs: 2_000 }).detail;
    expect(dropped(7)).toContain("7 keys were not sent");
    expect(dropped(1)).toContain("1 key was not sent");
    expect(banner({ status: offline(), wallMs: 30_000 })).toMatchObject({
      headline: "Still trying. Reload?",
      actions: ["reload", "retry"],
    });
  });

  it("[B130] an ended process shows how it ended and how long it ran, and can be started again", () => {
    const info = { exited: true, exit_code: 1, exited_at: "2026-01-01T00:03:12.000Z" };
    const ended = (exitCode: number | null, signal: string | null = null) =>
      banner({ status: { kind: "exited", exitCode, signal }, info });
    expect(ended(1).detail).toMatch(/^exit 1 · .+ · ran 3 m 12 s$/);
    expect(ended(0)).toMatchObject({ tone: "calm", icon: "check" });
    expect(ended(null, "SIGKILL").detail).toMatch(/^ended by SIGKILL/);
  });

  it("[B130] a session that is gone says so and offers only to close the tab", () => {
    expect(banner({ status: { kind: "gone" } })).toMatchObject({ actions: ["closeTab"] });
  });
});
