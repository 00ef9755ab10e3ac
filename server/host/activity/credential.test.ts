import { describe, expect, it } from "vitest";
import {
  editorMode,
  hidden,
  lineMode,
  notReading,
  observation,
  passwordMode,
  program,
  reading,
  shell,
  unknownRead,
} from "#server/testing/observations.ts";
import {
  type CredentialInput,
  type CredentialState,
  nextCredential,
  noCredential,
} from "./credential.ts";
import type { Observation } from "./observation.ts";

type Step = Partial<Observation> | "submitted" | "treat" | "dismiss" | number;

/** Plays observations and words; a number is time passing. What comes out: kind, and source where there is one. */
function play(...steps: Step[]): string {
  let state: CredentialState = noCredential;
  let nowMs = 0;
  let last = observation();
  for (const step of steps) {
    if (typeof step === "number") {
      nowMs += step;
      continue;
    }
    if (typeof step === "object") last = observation(step);
    const input: CredentialInput =
      step === "submitted"
        ? { kind: "submitted" }
        : step === "treat"
          ? { kind: "treat_as_secret", seen: last }
          : step === "dismiss"
            ? { kind: "not_a_password", seen: last }
            : { kind: "looked", seen: last };
    state = nextCredential(state, input, nowMs);
  }
  return "source" in state ? `${state.kind} ${state.source}` : state.kind;
}

const hiddenPrompt: Step = { read: reading("sudo"), settings: passwordMode };
const shownPrompt: Step = {
  read: reading("python3"),
  settings: lineMode,
  cursorLine: "Verification code: ",
};
const working: Step = { read: notReading, settings: lineMode };

describe("password prompts", () => {
  it("[CR1] echo off in line mode while the program in front reads the terminal is one", () => {
    expect(play(hiddenPrompt)).toBe("asked echo_off");
    expect(play({ read: hidden("sudo"), settings: passwordMode })).toBe("asked echo_off");
    expect(play({ foreground: shell("bash"), read: reading("bash"), settings: passwordMode })).toBe(
      "asked echo_off",
    );
  });

  it("[CR1] none is: a line editor's mode, echo off while nobody reads, a read from before the last key", () => {
    expect(play({ read: reading("bash", { call: "pselect" }), settings: editorMode })).toBe("none");
    expect(play({ read: notReading, settings: passwordMode })).toBe("none");
    expect(play({ ...(hiddenPrompt as object), isReadFresh: false })).toBe("none");
    expect(play({ read: hidden("sudo", false), settings: passwordMode })).toBe("none");
  });

  it("[CR1] a known prompt at the cursor is one when the program reads, also when it shows asterisks", () => {
    expect(play(shownPrompt)).toBe("asked prompt");
    expect(
      play({
        read: reading("sudo-rs"),
        settings: editorMode,
        cursorLine: "[sudo: authenticate] Password: ",
      }),
    ).toBe("asked prompt");
  });

  it("[CR1] a prompt known by its words is one of hidden lines as soon as the settings tell", () => {
    const words = { ...shownPrompt, settings: { kind: "unknown", reason: "gone" } as const };
    expect(play(words)).toBe("asked prompt");
    expect(play(words, { ...words, settings: passwordMode })).toBe("asked echo_off");
    expect(play(hiddenPrompt, shownPrompt)).toBe("asked echo_off");
  });

  it("[CR1] a pinentry asks for one, whatever it draws and where, and no more when it is gone", () => {
    const asks = {
      foreground: program("gpg"),
      read: reading("pinentry-curses", { how: "timed", call: "poll" }),
      settings: editorMode,
      altScreen: true,
      cursorLine: "│ Passphrase: ",
      isCursorAtEnd: false,
    };
    expect(play(asks)).toBe("asked echo_off");
    expect(play(asks, "submitted", { foreground: shell("bash") })).toBe("none");
  });

  it("[CR1] the same words are none when the program works, the cursor stands elsewhere, somebody typed them, or a shell shows its prompt", () => {
    const line = { cursorLine: "Password: " };
    expect(play({ ...line, read: notReading })).toBe("none");
    expect(play({ ...line, read: reading("cat"), isCursorAtEnd: false })).toBe("none");
    expect(play({ ...line, read: reading("cat"), isLineUntouched: false })).toBe("none");
    expect(play({ ...line, read: reading("vim"), altScreen: true })).toBe("none");
    expect(
      play({ ...line, shell: "input", foreground: shell("bash"), read: reading("bash") }),
    ).toBe("none");
    expect(
      play({
        ...line,
        foreground: shell("bash"),
        read: reading("bash", { call: "pselect" }),
        settings: editorMode,
      }),
    ).toBe("none");
  });

  it("[CR1] where the system does not tell who reads, silence behind the words has to do", () => {
    const line = {
      cursorLine: "Password: ",
      read: unknownRead,
      foreground: null,
      settings: { kind: "unknown", reason: "" },
    } as const;
    expect(play({ ...line, quietMs: 100 })).toBe("none");
    expect(play({ ...line, quietMs: 300 })).toBe("asked prompt");
  });

  it("[CR1] [CR3] an answered prompt is not over in the pause after a wrong password", () => {
    const story: Step[] = [hiddenPrompt, 1_000, "submitted", 10, working, 1_900, working];
    expect(play(...story)).toBe("answered echo_off");
    expect(play(...story, 100, hiddenPrompt)).toBe("asked echo_off");
  });

  it("[CR3] it is not over as long as echo is off", () => {
    const hiddenWork = { read: notReading, settings: passwordMode };
    expect(play(hiddenPrompt, "submitted", 10, hiddenWork, 60_000, hiddenWork)).toBe(
      "answered echo_off",
    );
  });

  it("[CR3] it is over when the program reads something else, starts another, gives the terminal back, or has gone on for long", () => {
    const answered: Step[] = [hiddenPrompt, 1_000, "submitted", 10, working];
    expect(play(...answered)).toBe("answered echo_off");
    expect(play(...answered, 50, { read: reading("sudo"), settings: lineMode })).toBe("none");
    expect(
      play(...answered, 50, { foreground: program("apt", { pgid: 300 }), read: notReading }),
    ).toBe("none");
    expect(play(...answered, 5_000, working)).toBe("none");
    expect(play(...answered, 50, { lifecycle: "exited" })).toBe("none");
  });

  it("[CR3] a process that only checks the password is not taken for the command that follows", () => {
    const checking = {
      ...(working as object),
      foreground: program("sudo", { members: [200, 201] }),
    };
    const answered: Step[] = [hiddenPrompt, "submitted", 10, working];
    expect(play(...answered, 50, checking, 100, working, 500, working)).toBe("answered echo_off");
    expect(play(...answered, 50, checking, 250, checking)).toBe("none");
  });

  it("[CR3] a look between two keys of a password does not end it; a program that gave up does", () => {
    const raw = { read: reading("sudo-rs"), settings: editorMode };
    const prompt = { ...raw, cursorLine: "Password: " };
    const typed = { ...raw, cursorLine: "Password: ***", isLineUntouched: false };
    expect(play(prompt, 100, { read: notReading }, 20, typed)).toBe("asked prompt");
    expect(play(hiddenPrompt, 100, working, 200, working)).toBe("answered echo_off");
    expect(play(hiddenPrompt, 100, working, 200, working, 5_000, working)).toBe("none");
  });

  it("[CR1] somebody may say that it is one, and that it is none; both hold until that prompt is over", () => {
    const plain = { read: reading("psql"), cursorLine: "code " };
    expect(play(plain)).toBe("none");
    expect(play(plain, "treat", 5_000, plain)).toBe("asked manual");
    expect(play(plain, "treat", "submitted", 100, plain)).toBe("none");

    expect(play(hiddenPrompt, "dismiss", 5_000, hiddenPrompt)).toBe("dismissed");
    expect(play(hiddenPrompt, "dismiss", "submitted", 100, working)).toBe("dismissed");
    expect(play(hiddenPrompt, "dismiss", "submitted", 100, working, 100, hiddenPrompt)).toBe(
      "asked echo_off",
    );
    const other = { ...(hiddenPrompt as object), foreground: program("su", { pgid: 300 }) };
    expect(play(hiddenPrompt, "dismiss", 100, other)).toBe("asked echo_off");
  });
});
