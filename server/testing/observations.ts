// Observations made up for tests of what follows from them: a plain one, changed where the test says so.
import type { Observation } from "#server/host/activity/observation.ts";
import type { TtyRead } from "#server/host/activity/tty-read.ts";

/** A program other than a shell runs, prints nothing and reads nothing. */
export function observation(change: Partial<Observation> = {}): Observation {
  return {
    lifecycle: "running",
    ageMs: 10_000,
    shell: "unknown",
    foreground: program("make"),
    read: notReading,
    isReadFresh: true,
    settings: { kind: "known", canonical: true, echo: true },
    areSettingsOfRead: true,
    quietMs: 10_000,
    sinceWriteMs: null,
    isLineUnanswered: false,
    cursorLine: "",
    isCursorAtEnd: true,
    title: "",
    isOtherLine: false,
    shellLine: { isContinued: false, isAtPlainPrompt: false },
    altScreen: false,
    isLineUntouched: true,
    credential: null,
    ...change,
  };
}

type Foreground = NonNullable<Observation["foreground"]>;

export function program(name: string, change: Partial<Foreground> = {}): Foreground {
  return {
    pgid: 200,
    name,
    isSessionLeader: false,
    isShell: false,
    runsScript: false,
    members: [200],
    ...change,
  };
}

export function shell(name: string, change: Partial<Foreground> = {}): Foreground {
  return program(name, {
    pgid: 100,
    members: [100],
    isSessionLeader: true,
    isShell: true,
    ...change,
  });
}

export const notReading: TtyRead = { kind: "not_reading", because: "it waits for something else" };
export const unknownRead: TtyRead = { kind: "unknown", because: "only Linux tells who reads" };

export function reading(
  name: string,
  change: Partial<Extract<TtyRead, { kind: "reading" }>> = {},
): TtyRead {
  return {
    kind: "reading",
    how: "blocked",
    call: "read",
    pid: 200,
    program: name,
    readBytes: 0,
    wait: "200.1",
    ...change,
  };
}

export function hidden(name: string, isSleeping = true): TtyRead {
  return { kind: "hidden", pid: 200, program: name, isSleeping, wait: "200.1" };
}

export const lineMode = { kind: "known", canonical: true, echo: true } as const;
export const editorMode = { kind: "known", canonical: false, echo: false } as const;
export const passwordMode = { kind: "known", canonical: true, echo: false } as const;
