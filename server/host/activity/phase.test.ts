import { describe, expect, it } from "vitest";
import {
  editorMode,
  hidden,
  lineMode,
  notReading,
  observation,
  program,
  reading,
  shell,
  unknownRead,
} from "#server/testing/observations.ts";
import type { Observation } from "./observation.ts";
import { phaseLadder, phaseOf } from "./phase.ts";

const fishAsks: Partial<Observation> = {
  foreground: shell("fish"),
  read: reading("fish", { how: "mixed", call: "poll" }),
  settings: editorMode,
  isOtherLine: true,
};

/** Rung -> what decides it, and what does not although it is close. */
const table: Record<
  string,
  {
    says: string;
    when: readonly Partial<Observation>[];
    not?: readonly Partial<Observation>[];
  }
> = {
  exited: {
    says: "exited exact",
    when: [{ lifecycle: "exited", read: reading("cat") }, { lifecycle: "closed" }],
  },
  starting: {
    says: "starting exact",
    when: [
      { lifecycle: "starting", ageMs: 10 },
      { lifecycle: "starting", read: unknownRead },
      { lifecycle: "starting", ageMs: 10, read: { kind: "gone" }, foreground: null },
    ],
    not: [
      { lifecycle: "starting", ageMs: 10, read: reading("cat") },
      { lifecycle: "starting", ageMs: 251 },
      { lifecycle: "starting", ageMs: 9_000, read: { kind: "gone" }, foreground: null },
    ],
  },
  line_unanswered: {
    says: "running inferred",
    when: [
      { isLineUnanswered: true, shell: "input", foreground: shell("bash") },
      { isLineUnanswered: true, shell: "input", foreground: program("cat"), read: reading("cat") },
    ],
    not: [{ isLineUnanswered: true, shell: "input", foreground: program("sleep") }],
  },
  shell_prompt: {
    says: "idle marker",
    when: [
      { shell: "input", foreground: shell("bash"), read: reading("bash", { call: "pselect" }) },
      { shell: "prompt", foreground: shell("zsh"), read: reading("zsh") },
      { shell: "idle", foreground: shell("fish"), read: hidden("fish") },
      { shell: "input", foreground: shell("bash"), read: reading("bash"), isReadFresh: false },
    ],
    not: [
      { shell: "input", foreground: shell("bash"), read: notReading },
      { shell: "running", foreground: shell("bash"), read: reading("bash") },
      { shell: "input", foreground: program("fzf"), read: reading("fzf") },
      { shell: "input", foreground: shell("bash"), read: reading("fzf") },
      {
        shell: "input",
        foreground: shell("zsh"),
        read: reading("zsh"),
        cursorLine: "zsh: correct 'lss' to 'ls' [nyae]? ",
      },
    ],
  },
  marked_prompt: {
    says: "idle marker",
    when: [{ foreground: null, read: unknownRead, shell: "input" }],
    not: [{ foreground: null, read: unknownRead, shell: "running" }],
  },
  stale_read: {
    says: "running inferred",
    when: [
      { read: reading("cat"), isReadFresh: false },
      { read: hidden("sudo"), isReadFresh: false },
    ],
  },
  shell_reads: {
    says: "idle inferred",
    when: [
      {
        foreground: shell("bash"),
        read: reading("bash", { call: "pselect" }),
        settings: lineMode,
        areSettingsOfRead: false,
      },
      {
        foreground: shell("bash"),
        read: reading("bash", { call: "pselect" }),
        settings: editorMode,
      },
      { foreground: shell("zsh"), read: reading("zsh"), settings: editorMode },
      {
        foreground: program("bash", { isShell: true }),
        read: reading("bash", { call: "pselect" }),
        settings: editorMode,
      },
    ],
    not: [
      { foreground: shell("bash"), read: reading("bash"), settings: lineMode },
      // `read -s -n1` of bash: the mode is a line editor's, the call is not.
      { foreground: shell("bash"), read: reading("bash"), settings: editorMode },
      {
        foreground: shell("bash", { runsScript: true }),
        read: reading("bash", { call: "pselect" }),
        settings: editorMode,
      },
      { foreground: shell("bash"), read: reading("vim", { how: "timed" }), settings: editorMode },
    ],
  },
  shell_asks: {
    says: "waiting_input inferred",
    when: [fishAsks],
    not: [
      { ...fishAsks, quietMs: 100 },
      { ...fishAsks, isOtherLine: false },
      { ...fishAsks, read: reading("fzf", { how: "mixed" }) },
    ],
  },
  plain_shell_prompt: {
    says: "idle inferred",
    when: [
      { foreground: shell("dash"), read: reading("dash"), cursorLine: "$ " },
      {
        foreground: shell("dash"),
        read: reading("dash"),
        shellLine: { isContinued: false, isAtPlainPrompt: true },
      },
    ],
    not: [
      { foreground: shell("dash"), read: reading("dash"), cursorLine: "Name: " },
      {
        foreground: shell("sh", { runsScript: true }),
        read: reading("sh"),
        cursorLine: "price in $ ",
      },
      { foreground: shell("sh"), read: reading("fzf"), cursorLine: "> " },
      { foreground: shell("sh"), read: reading("sh"), cursorLine: "Continue? [Y/n] " },
    ],
  },
  password: {
    says: "waiting_input exact",
    when: [{ read: reading("ssh"), credential: { source: "echo_off", isAsked: true } }],
    not: [
      { read: notReading, credential: { source: "echo_off", isAsked: false } },
      { read: notReading, credential: { source: "manual", isAsked: true } },
    ],
  },
  blocked_read: {
    says: "waiting_input exact",
    when: [
      { read: reading("cat") },
      { read: reading("python3", { call: "pselect" }), settings: editorMode },
      { foreground: shell("bash"), read: reading("bash"), settings: lineMode },
      { read: reading("cat"), quietMs: 0, altScreen: true },
    ],
  },
  full_screen: {
    says: "waiting_input inferred",
    when: [
      { read: reading("vim", { how: "timed" }), altScreen: true, quietMs: 0 },
      { read: reading("opencode", { how: "mixed" }), altScreen: true, quietMs: 500 },
    ],
    not: [
      { read: reading("opencode", { how: "mixed" }), altScreen: true, quietMs: 400 },
      { read: reading("tmux: client", { how: "mixed" }), altScreen: true },
      { read: notReading, altScreen: true },
    ],
  },
  timed_read: {
    says: "waiting_input inferred",
    when: [
      { read: reading("node", { how: "timed" }), cursorLine: "> ", quietMs: 250 },
      { read: reading("node", { how: "timed" }), cursorLine: "... " },
      { read: reading("node", { how: "timed" }), cursorLine: "Press any key to go on..." },
      { read: reading("bash", { how: "timed" }), foreground: shell("bash"), quietMs: 250 },
    ],
    not: [
      { read: reading("node", { how: "timed" }), cursorLine: "> ", quietMs: 100 },
      { read: reading("node", { how: "timed" }), cursorLine: "" },
      { read: reading("node", { how: "timed" }), cursorLine: "Downloading 37%" },
      { read: reading("node", { how: "timed" }), cursorLine: "Compiling..." },
    ],
  },
  mixed_read: {
    says: "waiting_input inferred",
    when: [
      { read: reading("ssh", { how: "mixed" }), cursorLine: "ada@host:~$ ", quietMs: 500 },
      { read: reading("ssh", { how: "mixed" }), cursorLine: "Go on? [y/N] ", quietMs: 500 },
      { read: reading("ssh", { how: "mixed" }), cursorLine: "srv1% " },
      { read: reading("ssh", { how: "mixed" }), cursorLine: "(gdb) " },
      { read: reading("ssh", { how: "mixed" }), cursorLine: "Port [8080]: " },
      { read: reading("ssh", { how: "mixed" }), cursorLine: "Which one [1-5] " },
      { read: reading("ssh", { how: "mixed" }), cursorLine: "ada@mac dir2 % " },
      { read: reading("ssh", { how: "mixed" }), cursorLine: "Use 90% of the disk? (y/n) " },
      {
        read: reading("tmux: client", { how: "mixed" }),
        cursorLine: "$ ",
        altScreen: true,
      },
    ],
    not: [
      { read: reading("ssh", { how: "mixed" }), cursorLine: "ada@host:~$ ", quietMs: 100 },
      { read: reading("ssh", { how: "mixed" }), cursorLine: "Downloading: " },
      { read: reading("ssh", { how: "mixed" }), cursorLine: "Loading…" },
      { read: reading("ssh", { how: "mixed" }), cursorLine: "0% [Working]" },
      { read: reading("ssh", { how: "mixed" }), cursorLine: "Connecting to host (attempt 1)" },
      { read: reading("ssh", { how: "mixed" }), cursorLine: "Compiling [3/5] " },
      { read: reading("ssh", { how: "mixed" }), cursorLine: "Progress: [ 37%]" },
      { read: reading("ssh", { how: "mixed" }), cursorLine: "[####  ] 4 MB (eta 0:12)" },
      { read: reading("ssh", { how: "mixed" }), cursorLine: "Receiving objects:  37%" },
      { read: reading("vite", { how: "mixed" }), cursorLine: "" },
    ],
  },
  not_reading: {
    says: "running exact",
    when: [
      { read: notReading },
      { read: notReading, cursorLine: "Password: " },
      { read: notReading, cursorLine: "root@host:~# " },
      { read: notReading, cursorLine: "Ready? [y/N] " },
      { foreground: shell("bash"), read: notReading, settings: editorMode },
    ],
  },
  silent_shell: {
    says: "idle inferred",
    when: [
      { foreground: shell("bash", { runsScript: true }), read: unknownRead, cursorLine: "$ " },
    ],
  },
  silent_prompt: {
    says: "waiting_input inferred",
    when: [
      { foreground: null, read: unknownRead, cursorLine: "Overwrite? (y/n) " },
      { read: hidden("doas"), cursorLine: "Really? " },
    ],
    not: [
      { foreground: null, read: unknownRead, cursorLine: "Overwrite? (y/n) ", quietMs: 1_000 },
      { foreground: null, read: unknownRead, cursorLine: "Compiling: " },
      { foreground: null, read: unknownRead, cursorLine: "Loading…" },
      { read: hidden("sudo", false), cursorLine: "Really? " },
    ],
  },
  silent_plain_prompt: {
    says: "idle inferred",
    when: [{ foreground: null, read: unknownRead, cursorLine: "ada@host:~$ " }],
    not: [{ foreground: null, read: unknownRead, shell: "running", cursorLine: "$ " }],
  },
  running: {
    says: "running inferred",
    when: [
      { foreground: null, read: unknownRead, cursorLine: "Compiling: " },
      { foreground: null, read: unknownRead, cursorLine: "Loading…" },
      { read: hidden("apt") },
      { read: reading("vite", { how: "mixed" }) },
    ],
  },
};

describe("the ladder of phases", () => {
  it("[PH1] has a table for each of its rungs, in its order", () => {
    expect(Object.keys(table)).toEqual(phaseLadder.map(({ name }) => name));
  });

  for (const [rung, { says, when, not = [] }] of Object.entries(table)) {
    it(`[PH1] ${rung}: ${says}`, () => {
      for (const change of when) {
        const verdict = phaseOf(observation(change));
        expect([verdict.rung, `${verdict.phase} ${verdict.confidence}`, change]).toEqual([
          rung,
          says,
          change,
        ]);
        expect(verdict.because).not.toBe("");
      }
      for (const change of not)
        expect([phaseOf(observation(change)).rung, change]).not.toEqual([rung, change]);
    });
  }

  it("[WT8] a line that ends in a colon or three dots is no prompt by itself, whoever is in front", () => {
    for (const cursorLine of ["Compiling: ", "Loading…", "Loading...", "Password: "])
      for (const foreground of [null, program("make"), shell("sh", { runsScript: true })])
        for (const read of [notReading, unknownRead])
          expect(phaseOf(observation({ cursorLine, foreground, read })).phase).toBe("running");
  });

  it("[PH1] a password that a hidden program asks for is waited for, and not called exact", () => {
    const credential = { source: "echo_off", isAsked: true } as const;
    const verdict = phaseOf(observation({ read: hidden("sudo"), credential }));
    expect(verdict).toMatchObject({ phase: "waiting_input", confidence: "inferred" });
  });
});
