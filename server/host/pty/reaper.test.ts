// Who belongs to a session, and what a new host does about the sessions of a killed one (HO6, PT11, T107).
import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import { systemClock } from "#lib/base/clock.ts";
import { newSessionId } from "#lib/protocol/ids.ts";
import { type ProcessEntry, parseStat, readProcess, signalProcess } from "./process-table.ts";
import { endSession, endSurvivors } from "./reaper.ts";
import { findMembers, type ProcessDetails, type SessionTarget } from "./session-members.ts";

const entry = (pid: number, more: Partial<ProcessEntry> = {}): ProcessEntry => ({
  pid,
  startTime: 1_000 + pid,
  comm: "x",
  state: "S",
  parentPid: 1,
  groupId: pid,
  sessionId: pid,
  ttyDevice: 0,
  foregroundGroupId: -1,
  hasExecuted: true,
  ...more,
});
const table = (...entries: ProcessEntry[]) => new Map(entries.map((one) => [one.pid, one]));
const nothing: ProcessDetails = { sessionOf: () => null, usesTerminal: () => false };
const target = (more: Partial<SessionTarget> = {}): SessionTarget => ({
  leader: { pid: 50, startTime: 1_050 },
  known: [],
  session: "mine",
  tty: "/dev/pts/9",
  ...more,
});
const pids = (members: readonly ProcessEntry[]) =>
  members.map(({ pid }) => pid).sort((a, b) => a - b);

describe("who belongs to a session", () => {
  it("[PT11] the leader, its session, and every descendant of them", () => {
    const processes = table(
      entry(50),
      entry(60, { sessionId: 50 }),
      entry(61, { parentPid: 60 }),
      entry(62, { parentPid: 61 }),
      entry(70),
    );
    expect(pids(findMembers(processes, target(), nothing, 2))).toEqual([50, 60, 61, 62]);
  });

  it("[T107] nobody when the leader's pid, or only its session number, is another's by now", () => {
    const recycled = table(entry(50, { startTime: 9_999 }), entry(60, { sessionId: 50 }));
    expect(findMembers(recycled, target(), nothing, 2)).toEqual([]);
    const orphaned = table(entry(60, { sessionId: 50 }));
    expect(findMembers(orphaned, target(), nothing, 2)).toEqual([]);
    const known = [{ pid: 60, startTime: 1_060 }];
    expect(pids(findMembers(orphaned, target({ known }), nothing, 2))).toEqual([60]);
  });

  it("[T106] whoever carries the session's name, or left for a session of its own with our terminal", () => {
    const processes = table(entry(60), entry(61), entry(62), entry(63, { ttyDevice: 34_000 }));
    const details: ProcessDetails = {
      sessionOf: ({ pid }) => (pid === 60 ? "mine" : pid === 62 ? "another" : null),
      usesTerminal: ({ pid }) => pid >= 61,
    };
    // 62 belongs to another session, 63 has another terminal: both only write to ours.
    expect(pids(findMembers(processes, target(), details, 2))).toEqual([60, 61]);
    expect(pids(findMembers(processes, target({ tty: null }), details, 2))).toEqual([60]);
  });

  it("never this process, its ancestors, init, or anything older than the leader", () => {
    const details: ProcessDetails = { sessionOf: () => "mine", usesTerminal: () => true };
    const processes = table(
      entry(1),
      entry(40),
      entry(55),
      entry(56, { parentPid: 55 }),
      entry(57, { parentPid: 56 }),
    );
    expect(pids(findMembers(processes, target(), details, 56))).toEqual([57]);
  });

  it("reads names with spaces and parentheses", () => {
    const text = "7 (a) S (b) ) S 1 2 3 4 5 64 0 0 0 0 0 0 0 0 20 0 1 0 4242 0";
    expect(parseStat(text)).toMatchObject({
      pid: 7,
      comm: "a) S (b) ",
      parentPid: 1,
      groupId: 2,
      sessionId: 3,
      startTime: 4_242,
      hasExecuted: false,
    });
    expect(parseStat("")).toBeNull();
  });
});

describe("signals by pid and start time", () => {
  it("[PT11] [T107] a recycled pid is not hit", async () => {
    const victim = spawn("sleep", ["60"], { stdio: "ignore" });
    const pid = victim.pid ?? 0;
    const startTime = readProcess(pid)?.startTime ?? 0;
    const exited = new Promise((resolve) => victim.once("exit", (_, signal) => resolve(signal)));
    expect(signalProcess({ pid, startTime: startTime - 1 }, "SIGKILL")).toBe(false);
    const stale = { leader: { pid, startTime: startTime - 1 }, known: [], session: "x", tty: null };
    expect(await endSession(stale, "KILL", systemClock)).toEqual([]);
    expect(readProcess(pid)?.startTime).toBe(startTime);
    expect(signalProcess({ pid, startTime }, "SIGTERM")).toBe(true);
    expect(await exited).toBe("SIGTERM");
  });
});

describe("what a killed host left behind", () => {
  it("[HO6] is found by pid and by name, ended, and told; strangers are left alone", async () => {
    const start = (session: string, script: string) =>
      spawn("/bin/sh", ["-c", script], {
        stdio: "ignore",
        detached: true,
        env: {
          PATH: process.env.PATH ?? "",
          COTTY_SESSION: session,
        } as unknown as NodeJS.ProcessEnv,
      });
    const sessions = [newSessionId(), newSessionId(), newSessionId()] as const;
    const shell = start(sessions[0], "trap '' HUP; sleep 2001 & sleep 2002; sleep 2003");
    const renamed = start(sessions[1], "exec env -i sleep 2004");
    const orphan = start(sessions[2], "setsid sleep 2005 & exit 0");
    const stranger = start(newSessionId(), "sleep 2006");
    await new Promise((resolve) => orphan.once("exit", resolve));
    const record = (pid: number | undefined, session: string) => ({
      pid: pid ?? 0,
      startTime: readProcess(pid ?? 0)?.startTime ?? 0,
      session,
    });
    const gone = { pid: 4_000_000, startTime: 5, session: newSessionId() };
    const records = [
      record(shell.pid, sessions[0]),
      record(renamed.pid, sessions[1]),
      record(orphan.pid, sessions[2]),
      gone,
    ];
    const ended = await endSurvivors(records, systemClock);
    expect(ended.map(({ record: { session } }) => session)).toEqual([...sessions]);
    expect(ended[0]?.ended.length).toBeGreaterThanOrEqual(3);
    expect(ended[1]?.ended).toEqual([{ pid: renamed.pid, startTime: records[1]?.startTime }]);
    expect(await endSurvivors(records, systemClock)).toEqual([]);
    expect(readProcess(stranger.pid ?? 0)).not.toBeNull();
    process.kill(-(stranger.pid ?? 0), "SIGKILL");
  });
});
