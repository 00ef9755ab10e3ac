import { describe, expect, it } from "vitest";
import { en } from "#components/strings/en.ts";
import { plainState, type SessionInfo } from "#lib/protocol/session.ts";
import {
  commandLine,
  detailOf,
  grouped,
  isShell,
  matches,
  runningProgram,
  shortPath,
  statusOf,
  statusWord,
} from "./session-status.ts";

const base: SessionInfo = {
  ...plainState,
  id: "a".repeat(26),
  name: "one",
  pid: 1,
  command: ["/bin/bash"],
  cwd: "/srv",
  foreground: null,
  cols: 80,
  rows: 24,
  title: "",
  phase: "idle",
  exited: false,
  exit_code: null,
  signal: null,
  viewers: 0,
  created_at: "2026-01-01T00:00:00Z",
  exited_at: null,
  tags: [],
};

describe("status of a session", () => {
  it("a shell at its prompt has nothing to lose; a program in front of it has", () => {
    expect(runningProgram(base)).toBeNull();
    expect(runningProgram({ ...base, foreground: "/usr/bin/vim" })).toBe("vim");
    expect(runningProgram({ ...base, command: ["/usr/bin/htop"] })).toBe("htop");
    expect(runningProgram({ ...base, command: ["bash", "-c", "make"] })).toBe("bash");
    expect(runningProgram({ ...base, exited: true, foreground: "vim" })).toBeNull();
  });

  it("login and option arguments leave a shell a shell; a script does not", () => {
    expect(isShell(["-zsh"])).toBe(true);
    expect(isShell(["bash", "--login", "-i"])).toBe(true);
    expect(isShell(["/bin/sh", "build.sh"])).toBe(false);
    expect(isShell(["ssh"])).toBe(false);
    expect(isShell(["fish"])).toBe(true);
  });

  it("an ended session keeps its result whatever the link says; a living one is offline without it", () => {
    const offline = { kind: "offline" } as const;
    const online = { kind: "online" } as const;
    const word = (part: Partial<SessionInfo>, link: typeof offline | typeof online) =>
      statusWord(statusOf({ ...base, ...part }, link), { ...base, ...part }, en);
    expect(word({ exited: true, exit_code: 0 }, offline)).toBe("Done");
    expect(word({ exited: true, exit_code: 3 }, online)).toBe("Exit 3");
    expect(word({ exited: true, signal: "SIGKILL" }, online)).toBe("SIGKILL");
    expect(word({}, offline)).toBe("Offline");
    expect(word({}, online)).toBe("Ready");
    expect(word({ phase: "running" }, online)).toBe("Working");
    expect(word({ phase: "waiting_input", foreground: "vim" }, online)).toBe("Ready");
    expect(word({ phase: "starting" }, online)).toBe("Starting");
  });

  it("groups keep the order of creation and leave out what is empty", () => {
    const ids = grouped([
      { ...base, id: "1" },
      { ...base, id: "2", phase: "running" },
      { ...base, id: "3" },
    ]).map(({ group, sessions }) => [group, sessions.map(({ id }) => id)]);
    expect(ids).toEqual([
      ["working", ["2"]],
      ["idle", ["1", "3"]],
    ]);
  });

  it("[UI 4] a session whose place is held stays there, others go where they belong", () => {
    const sessions = ["1", "2"].map((id) => ({ ...base, id, phase: "running" as const }));
    const held = grouped(sessions, new Set(["1"]), new Map([["1", "idle"]]));
    expect(held.map(({ group, sessions: [only] }) => [group, only?.id])).toEqual([
      ["working", "2"],
      ["idle", "1"],
    ]);
  });

  it("[UI 4] the detail is the command that runs, as the shell told it", () => {
    const last = {
      index: 1,
      command: "make all",
      running: true,
      exit_code: null,
      started_at: base.created_at,
      duration_ms: null,
      by: [],
    };
    expect(detailOf({ ...base, foreground: "make", last_command: last })).toBe("make all");
    expect(detailOf({ ...base, last_command: { ...last, running: false } })).toBe("/srv");
  });

  it("the detail is the running program, else the command, else the place", () => {
    expect(detailOf({ ...base, foreground: "/usr/bin/vim" })).toBe("vim");
    expect(detailOf({ ...base, command: ["/usr/bin/npm", "run", "a b"] })).toBe("npm run 'a b'");
    expect(detailOf(base)).toBe("/srv");
    expect(commandLine(["it's"])).toBe(`'it'\\''s'`);
  });

  it("of a long path the end is kept, at least its last name", () => {
    expect(shortPath("/home/max/projects/cotty", 24)).toBe("/home/max/projects/cotty");
    expect(shortPath("/home/max/infra/staging/eu-central-1", 24)).toBe("…/staging/eu-central-1");
    expect(shortPath(`/srv/${"x".repeat(40)}`, 24)).toBe(`…/${"x".repeat(40)}`);
  });

  it("the filter looks at name, place, program and tags, in any case", () => {
    expect(matches(base, "ONE")).toBe(true);
    expect(matches({ ...base, tags: ["Deploy"] }, "deploy")).toBe(true);
    expect(matches(base, "elsewhere")).toBe(false);
  });
});
