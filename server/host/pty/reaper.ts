// Ends every process of a session (PT11, HO6, T106, T107): the signal, then SIGKILL after a grace. Owns no terminal.
// Out of reach: a process that left the session, lost its parent, dropped the terminal and emptied its environment, all four.
import { type Clock, sleep } from "#lib/base/clock.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { SignalName } from "#lib/protocol/session.ts";
import {
  type ProcessEntry,
  type ProcessIdentity,
  processTime,
  readEnvironment,
  readProcessTable,
  readProcessTableSince,
  signalProcess,
} from "./process-table.ts";
import { findMembers, procDetails, type SessionTarget } from "./session-members.ts";

/** First look after a signal: most shells are gone by then. Doubles up to the maximum. */
const firstLookMs = 8;
const maxLookMs = 64;
/** How long SIGKILL is repeated for processes that fork faster than they are found. */
const killPersistenceMs = 1_000;
const killRounds = 6;
/** Looks that find nobody although a group still answers: a process between two forks, or a zombie nobody has collected yet. */
const emptyLookLimit = 2;

/** Kills what is there now, without waiting; for a host that is going away. Blocks for some milliseconds. */
export function killSession(target: SessionTarget): void {
  if (process.platform !== "linux") {
    if (target.leader) killGroup(target.leader.pid, "SIGKILL");
    return;
  }
  const killed = new Map<string, ProcessIdentity>();
  for (let round = 0; round < killRounds; round++) {
    const before = killed.size;
    const known = [...target.known, ...killed.values()];
    const table = readProcessTable();
    for (const member of findMembers(table, { ...target, known }, procDetails, process.pid)) {
      signalProcess(member, "SIGKILL");
      killed.set(keyOf(member), identityOf(member));
    }
    // Whoever was forked while we killed is found in the next round.
    if (killed.size === before) return;
  }
}

/**
 * Signals every member, also those that appear meanwhile; SIGKILL to all that are left after `limits.killGraceMs`.
 * Resolves with the identities of all that were signalled, when none is left or SIGKILL was sent.
 */
export async function endSession(
  target: SessionTarget,
  signal: SignalName,
  clock: Clock,
): Promise<ProcessIdentity[]> {
  if (process.platform !== "linux") return endGroup(target, signal, clock);
  const signalled = new Map<string, ProcessIdentity>();
  const groups = new Set<number>(target.leader ? [target.leader.pid] : []);
  const start = clock.monotonic();
  let killSince: number | null = signal === "KILL" ? start : null;
  let waitMs = firstLookMs;
  let emptyLooks = 0;
  // Nobody can be missing from a table that is younger than our last signal.
  let actedAt = processTime();
  for (;;) {
    const known = [...target.known, ...signalled.values()];
    const table = readProcessTableSince(actedAt);
    const members = findMembers(table, { ...target, known }, procDetails, process.pid);
    const now = clock.monotonic();
    if (members.length === 0) {
      const lingering = [...groups].filter((group) => killGroup(group, 0));
      if (lingering.length === 0 || ++emptyLooks > emptyLookLimit) break;
      for (const group of lingering) catchBetweenForks(group, target.session);
      waitMs = firstLookMs;
    }
    if (killSince === null && now - start >= limits.killGraceMs) {
      killSince = now;
      waitMs = firstLookMs;
    }
    if (killSince !== null && now - killSince > killPersistenceMs) break;
    for (const member of members) {
      if (killSince !== null) kill(member, target.leader);
      else if (!signalled.has(keyOf(member))) {
        signalProcess(member, `SIG${signal}`);
        // A stopped process acts on a signal only when it continues.
        if (member.state === "T") signalProcess(member, "SIGCONT");
      }
      if (member.sessionId === target.leader?.pid) groups.add(member.groupId);
      signalled.set(keyOf(member), identityOf(member));
    }
    actedAt = processTime();
    await sleep(clock, waitMs);
    waitMs = Math.min(waitMs * 2, maxLookMs);
  }
  return [...signalled.values()];
}

/** With its whole group, where that is surely the session's: a signal to a group also reaches who was forked this instant. */
function kill(member: ProcessEntry, leader: ProcessIdentity | null): void {
  if (!signalProcess(member, "SIGKILL")) return;
  if (member.sessionId === leader?.pid) killGroup(member.groupId, "SIGKILL");
}

/**
 * A process that forks and ends all the time slips through every listing, but not through a signal to its group. Stopped,
 * it can be looked at: ours is killed, a stranger's group that took the number goes on.
 */
function catchBetweenForks(group: number, session: string | null): void {
  if (session === null) return;
  killGroup(group, "SIGSTOP");
  const isOurs = [...readProcessTable().values()].some(
    (entry) => entry.groupId === group && readEnvironment(entry.pid, "COTTY_SESSION") === session,
  );
  killGroup(group, isOurs ? "SIGKILL" : "SIGCONT");
}

const keyOf = ({ pid, startTime }: ProcessIdentity) => `${pid}:${startTime}`;
const identityOf = ({ pid, startTime }: ProcessIdentity) => ({ pid, startTime });

/** A session of a host that is gone, as that host wrote it down. */
export interface SessionRecord {
  readonly pid: number;
  readonly startTime: number;
  /** Its COTTY_SESSION. */
  readonly session: string;
}

/** Ends what an earlier host left behind (HO6); tells, per record with survivors, which processes were ended. */
export async function endSurvivors(
  records: readonly SessionRecord[],
  clock: Clock,
): Promise<{ record: SessionRecord; ended: ProcessIdentity[] }[]> {
  const results = await Promise.all(
    records.map(async (record) => ({
      record,
      ended: await endSession(
        {
          leader: { pid: record.pid, startTime: record.startTime },
          known: [],
          session: record.session,
          tty: null,
        },
        "HUP",
        clock,
      ),
    })),
  );
  return results.filter((result) => result.ended.length > 0);
}

/** Without /proc: the leader's process group is all that can be named. */
async function endGroup(
  target: SessionTarget,
  signal: SignalName,
  clock: Clock,
): Promise<ProcessIdentity[]> {
  const { leader } = target;
  if (!leader || !killGroup(leader.pid, `SIG${signal}`)) return [];
  const deadline = clock.monotonic() + limits.killGraceMs;
  while (clock.monotonic() < deadline) {
    await sleep(clock, maxLookMs);
    if (!killGroup(leader.pid, 0)) return [leader];
  }
  killGroup(leader.pid, "SIGKILL");
  return [leader];
}

function killGroup(groupId: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-groupId, signal);
  } catch {
    // No such group any more.
    return false;
  }
}
