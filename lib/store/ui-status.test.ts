import { describe, expect, it } from "vitest";
import { freeLease, type Lease } from "#lib/protocol/lease.ts";
import { plainState, type SessionInfo } from "#lib/protocol/session.ts";
import { uiStatus } from "./ui-status.ts";

type Facts = Parameters<typeof uiStatus>[0];

const idle: Facts = {
  ...plainState,
  phase: "idle",
  exited: false,
  exit_code: null,
  signal: null,
};
const exited = (exit_code: number | null, signal: string | null = null): Facts => ({
  ...idle,
  phase: "exited",
  exited: true,
  exit_code,
  signal,
});

describe("ui status", () => {
  it.each<[string, Facts, "online" | "offline" | "signed_out" | "starting", object]>([
    [
      "a shell at its prompt",
      idle,
      "online",
      {
        state: "ready",
        word: "Ready",
        icon: "circle",
        token: "st-idle",
        dot: "ring",
        group: "idle",
      },
    ],
    [
      "a command that runs",
      { ...idle, phase: "running" },
      "online",
      {
        state: "running",
        word: "Working",
        icon: "loader",
        token: "st-idle",
        dot: "half",
        group: "working",
      },
    ],
    [
      "a session that is starting",
      { ...idle, phase: "starting" },
      "online",
      { state: "running", word: "Working", group: "working" },
    ],
    ["a link that is still starting", idle, "starting", { state: "ready", group: "idle" }],
    [
      "a lost link",
      idle,
      "offline",
      {
        state: "offline",
        word: "Offline",
        icon: "wifi-off",
        token: "st-attention",
        dot: "dashed",
        group: "idle",
      },
    ],
    [
      "a lost link to a busy session",
      { ...idle, phase: "running" },
      "offline",
      { state: "offline", group: "working" },
    ],
    ["a lost login", idle, "signed_out", { state: "offline" }],
    [
      "exit 0",
      exited(0),
      "online",
      {
        state: "done",
        word: "Done",
        icon: "check",
        token: "text-3",
        dot: "check",
        group: "exited",
      },
    ],
    [
      "exit 3",
      exited(3),
      "online",
      {
        state: "failed",
        word: "Exit 3",
        icon: "x",
        token: "st-danger",
        dot: "cross",
        group: "exited",
      },
    ],
    [
      "death by a signal",
      exited(null, "SIGKILL"),
      "online",
      { state: "failed", word: "SIGKILL", group: "exited" },
    ],
    ["an end without a reason", exited(null), "online", { state: "failed", word: "Ended" }],
    [
      "an exited session behind a lost link",
      exited(0),
      "offline",
      { state: "done", group: "exited" },
    ],
    [
      "[PH1] a program that waits for its user",
      { ...idle, phase: "waiting_input" },
      "online",
      { state: "ready", word: "Ready", group: "idle" },
    ],
  ])("shows %s", (_, facts, kind, expected) => {
    expect(uiStatus(facts, { kind })).toMatchObject(expected);
  });

  const held = (part: Partial<Lease> = {}): Facts => ({
    ...idle,
    lease: {
      ...freeLease,
      holder: "human",
      cause: "typing",
      actor: "Mia Wolf",
      actor_id: "mia",
      ...part,
    },
  });
  const secret = { source: "prompt", since: "2026-01-01T00:00:00.000Z" } as const;
  const question = { reason: "question", since: secret.since, detail: "?", by: "claude" } as const;
  const typing = { agent: { name: "claude", typing: true } };

  it.each<[string, Facts, object]>([
    [
      "Password",
      { ...idle, credential: secret },
      { icon: "key-round", token: "st-danger", dot: "square", group: "needs_you", pulses: true },
    ],
    [
      "Needs you",
      { ...idle, need: question },
      { icon: "bell-ring", token: "st-attention", dot: "filled", group: "needs_you", pulses: true },
    ],
    [
      "You",
      held({ actor_id: "me" }),
      { state: "human", icon: "keyboard", token: "st-human", dot: "filled" },
    ],
    ["Mia", held(), { state: "other", icon: "keyboard", dot: "presence" }],
    ["Someone", held({ actor: null, actor_id: null }), { state: "other" }],
    [
      "Held",
      held({ cause: "hold", actor_id: "me" }),
      { icon: "pin", token: "st-human", dot: "pinned" },
    ],
    ["Typing", { ...idle, ...typing }, { icon: "bot", token: "st-acting" }],
    ["Working", { ...idle, phase: "running", access: "sealed" }, { icon: "loader" }],
    [
      "Read-only",
      { ...idle, ...typing, access: "observe" },
      { icon: "lock", token: "st-observe", dot: "ring" },
    ],
    [
      "Sealed",
      { ...idle, access: "sealed" },
      { icon: "unplug", token: "st-danger", dot: "crossed" },
    ],
  ])("[LS1] the word %s has its icon, colour and shape", (word, facts, expected) => {
    const status = uiStatus(facts, { kind: "online" }, { me: "me" });
    expect(status).toMatchObject({ word, pulses: false, ...expected });
  });

  it("the highest state wins, an end and a lost link before all", () => {
    const all: Facts = { ...held(), ...typing, credential: secret, need: question };
    const states = [
      uiStatus(all),
      uiStatus({ ...all, credential: null }),
      uiStatus({ ...all, credential: null, need: null }),
      uiStatus({ ...all, credential: null, need: null, lease: freeLease }),
      uiStatus({ ...idle, phase: "running" }, undefined, { me: null, isLookedAt: true }),
      uiStatus(all, { kind: "offline" }),
      uiStatus({ ...all, exited: true, exit_code: 0 }),
    ].map(({ state }) => state);
    expect(states).toEqual([
      "secret",
      "attention",
      "other",
      "acting",
      "viewing",
      "offline",
      "done",
    ]);
  });

  it("has a word, a shape and a group for every combination of facts", () => {
    const phases: SessionInfo["phase"][] = [
      "starting",
      "running",
      "waiting_input",
      "idle",
      "exited",
    ];
    for (const phase of phases)
      for (const kind of ["starting", "online", "offline", "signed_out"] as const) {
        const status = uiStatus({ ...idle, phase, exited: phase === "exited" }, { kind });
        expect(status.word).not.toBe("");
        expect(status.dot).not.toBe("");
        expect(status.group === "exited").toBe(phase === "exited");
      }
  });
});
