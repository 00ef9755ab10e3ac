// The processes that have a terminal's foreground, found from the session's own process downwards: reading all of /proc would cost a hundred times
// as much. Linux only.
import { readdirSync } from "node:fs";
import { isLive, type ProcessEntry, parseStat } from "#server/host/pty/process-table.ts";
import { readProcFile } from "./proc-file.ts";

/** Processes of a session that are looked at; a build with more is not waiting for its user. */
const maxProcesses = 128;

export interface Member extends ProcessEntry {
  readonly threads: number;
}

/** Null when there is no such process. */
export function memberAt(pid: number): Member | null {
  try {
    const text = readProcFile(`/proc/${pid}/stat`);
    const entry = parseStat(text);
    // Field 20; the name before may hold blanks.
    const threads = Number(text.slice(text.lastIndexOf(")") + 2).split(" ", 18)[17]);
    return entry && { ...entry, threads };
  } catch {
    // Gone between listing and reading.
    return null;
  }
}

export function threadsOf({ pid, threads }: Member): readonly string[] {
  if (threads === 1) return [String(pid)];
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

export function childrenOf(member: Member): number[] {
  const children: number[] = [];
  for (const thread of threadsOf(member)) {
    try {
      const list = readProcFile(`/proc/${member.pid}/task/${thread}/children`);
      for (const word of list.split(" ")) if (word) children.push(Number(word));
    } catch {
      // The thread ended, or the kernel was built without this file.
    }
  }
  return children;
}

/** Live processes of the foreground group among the leader's descendants, the youngest generation last. */
export function membersOf(pgid: number, leader: Member): Member[] {
  const members: Member[] = [];
  const seen = new Set<number>();
  const waiting: Member[] = [leader];
  if (pgid !== leader.groupId) {
    const groupLeader = memberAt(pgid);
    if (groupLeader) waiting.push(groupLeader);
  }
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    if (seen.has(next.pid) || seen.size >= maxProcesses) continue;
    seen.add(next.pid);
    if (next.groupId === pgid && isLive(next)) members.push(next);
    for (const pid of childrenOf(next)) {
      const child = seen.has(pid) ? null : memberAt(pid);
      if (child) waiting.push(child);
    }
  }
  return members;
}
