// Which program has a terminal's foreground now, and where it works (OP1, PT6). Asked on demand; watches nothing.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";
import { isLive, type ProcessEntry, readProcess } from "./process-table.ts";

export interface Foreground {
  /** Foreground process group of the terminal. */
  readonly pgid: number;
  /** Program name; null when no member of the group could be read. */
  readonly name: string | null;
  /** Working directory; null when it is not ours to read. */
  readonly cwd: string | null;
  /** The session's own process (the shell) is in front: no program runs in it. */
  readonly isSessionLeader: boolean;
}

/** `pid` is the session's own process. Null off Linux, after its end, or while it has no terminal. About 0.1 ms. */
export function readForeground(pid: number): Foreground | null {
  const leader = readProcess(pid);
  if (!leader || leader.foregroundGroupId <= 0) return null;
  const pgid = leader.foregroundGroupId;
  const member = memberOf(pgid, leader);
  return {
    pgid,
    name: member && programName(member),
    cwd: member && linkOf(`/proc/${member.pid}/cwd`),
    isSessionLeader: pgid === leader.groupId,
  };
}

/** A live process of the group: its leader, or, when that has ended (`true | less`), a descendant of the shell. */
function memberOf(pgid: number, shell: ProcessEntry): ProcessEntry | null {
  const groupLeader = pgid === shell.groupId ? shell : readProcess(pgid);
  if (groupLeader && groupLeader.groupId === pgid && isLive(groupLeader)) return groupLeader;
  for (const child of childrenOf(shell.pid)) {
    const entry = readProcess(child);
    if (entry && entry.groupId === pgid && isLive(entry)) return entry;
  }
  return null;
}

function childrenOf(pid: number): number[] {
  const children: number[] = [];
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const list = readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8");
      for (const word of list.split(" ")) if (word) children.push(Number(word));
    }
  } catch {
    // The shell ended while we looked, or the kernel was built without this file.
  }
  return children;
}

/** The kernel cuts names at 15 bytes; the whole one is taken from argv where it is the same program. */
export function programName(entry: ProcessEntry): string {
  if (entry.comm.length < 15) return entry.comm;
  try {
    const command = readFileSync(`/proc/${entry.pid}/cmdline`, "utf8").split("\0")[0] ?? "";
    const name = basename(command);
    return name.startsWith(entry.comm) ? name : entry.comm;
  } catch {
    return entry.comm;
  }
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
