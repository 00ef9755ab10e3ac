// Which processes belong to a session: pure choice over a process table (PT11, T106). Sends nothing.
import { readlinkSync } from "node:fs";
import { type ProcessEntry, type ProcessIdentity, readEnvironment } from "./process-table.ts";

export interface SessionTarget {
  /** The process that was spawned; null when it was gone before its start time could be read. */
  readonly leader: ProcessIdentity | null;
  /** Found before, so that they stay ours when the leader is gone. */
  readonly known: readonly ProcessIdentity[];
  /** Value of COTTY_SESSION in the environment of everything the session started. */
  readonly session: string | null;
  /** Path of the terminal while this host holds it; null afterwards, when the number may already be another's. */
  readonly tty: string | null;
}

/** What /proc tells beyond the table; a parameter, so that the choice can be tested with made-up processes. */
export interface ProcessDetails {
  /** COTTY_SESSION of the process, null without one. */
  sessionOf(entry: ProcessEntry): string | null;
  /** Whether standard input, output or error is the terminal at `tty`. */
  usesTerminal(entry: ProcessEntry, tty: string): boolean;
}

/**
 * Members of the target, the leader first. A process is a member when it is the leader or known; is in the leader's
 * session; carries the session's COTTY_SESSION; has left the session for one of its own with this terminal as its
 * standard input, output or error; or descends from a member. This process and its ancestors never are, nor is anything
 * that is older than the leader or already dead.
 */
export function findMembers(
  table: ReadonlyMap<number, ProcessEntry>,
  target: SessionTarget,
  details: ProcessDetails,
  self: number,
): ProcessEntry[] {
  const isAlive = (identity: ProcessIdentity) =>
    table.get(identity.pid)?.startTime === identity.startTime;
  const protectedPids = ancestorsOf(self, table);
  const members = new Set<number>();
  const anchors = [...(target.leader ? [target.leader] : []), ...target.known].filter(isAlive);
  for (const anchor of anchors) members.add(anchor.pid);

  // A session number stays taken while one of its processes lives; after that it may be a stranger's.
  const sessionId = target.leader?.pid;
  const ownsSessionId = anchors.some((anchor) => table.get(anchor.pid)?.sessionId === sessionId);
  const { session, tty } = target;
  const oldest = target.leader?.startTime ?? 0;
  for (const entry of table.values()) {
    if (members.has(entry.pid) || entry.startTime < oldest) continue;
    if (ownsSessionId && entry.sessionId === sessionId) members.add(entry.pid);
    else if (session !== null && details.sessionOf(entry) === session) members.add(entry.pid);
    else if (
      tty !== null &&
      entry.ttyDevice === 0 &&
      details.usesTerminal(entry, tty) &&
      details.sessionOf(entry) === null
    )
      members.add(entry.pid);
  }
  addDescendants(members, table);
  return [...members].flatMap((pid) => {
    const entry = table.get(pid);
    return entry && !protectedPids.has(pid) ? [entry] : [];
  });
}

function addDescendants(members: Set<number>, table: ReadonlyMap<number, ProcessEntry>): void {
  const children = new Map<number, number[]>();
  for (const entry of table.values()) {
    const siblings = children.get(entry.parentPid);
    if (siblings) siblings.push(entry.pid);
    else children.set(entry.parentPid, [entry.pid]);
  }
  // A set visits what is added during the visit: this reaches every generation.
  for (const pid of members) for (const child of children.get(pid) ?? []) members.add(child);
}

function ancestorsOf(self: number, table: ReadonlyMap<number, ProcessEntry>): Set<number> {
  const chain = new Set<number>([1]);
  for (let pid = self; pid > 0 && !chain.has(pid); pid = table.get(pid)?.parentPid ?? 0)
    chain.add(pid);
  return chain;
}

/** Sessions by process; bounded by starting anew. */
const sessions = new Map<string, string | null>();
const maxRemembered = 4_096;

/** Reads /proc, and remembers what does not change: the environment of a program, from its exec on. */
export const procDetails: ProcessDetails = {
  sessionOf(entry) {
    // Between fork and exec it shows the parent's, perhaps ours.
    if (!entry.hasExecuted) return readEnvironment(entry.pid, "COTTY_SESSION");
    const key = `${entry.pid}:${entry.startTime}`;
    const known = sessions.get(key);
    if (known !== undefined) return known;
    if (sessions.size >= maxRemembered) sessions.clear();
    const found = readEnvironment(entry.pid, "COTTY_SESSION");
    sessions.set(key, found);
    return found;
  },
  usesTerminal(entry, tty) {
    return [0, 1, 2].some((descriptor) => {
      try {
        return readlinkSync(`/proc/${entry.pid}/fd/${descriptor}`) === tty;
      } catch {
        // Closed, gone, or another user's.
        return false;
      }
    });
  },
};
