// What /proc/<pid>/stat says (proc_pid_stat(5)). Linux only: elsewhere everything reads as absent. Decides nothing.
// Read as utf8, which Node does in one call: another encoding, or none, takes twice as long and a new 64 KiB buffer each time.
import { readdirSync, readFileSync } from "node:fs";

/** Start time makes a pid unmistakable: the number is recycled, the pair is not (PT11, T107). */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks since boot (field 22). */
  readonly startTime: number;
}

export interface ProcessEntry extends ProcessIdentity {
  /** The kernel's name of the program, cut at 15 bytes. */
  readonly comm: string;
  /** One letter; `Z` and `X` are dead but not yet collected. */
  readonly state: string;
  readonly parentPid: number;
  readonly groupId: number;
  readonly sessionId: number;
  /** False between fork and exec (PF_FORKNOEXEC). */
  readonly hasExecuted: boolean;
  /** Device number of the controlling terminal; 0 without one. */
  readonly ttyDevice: number;
  /** Foreground process group of that terminal; -1 without one. */
  readonly foregroundGroupId: number;
}

const forkedWithoutExec = 0x40;

export function parseStat(text: string): ProcessEntry | null {
  // The name may hold spaces and parentheses: it ends at the last one.
  const open = text.indexOf("(");
  const close = text.lastIndexOf(")");
  if (open < 0 || close < open) return null;
  const fields = text.slice(close + 2).split(" ");
  const number = (index: number) => Number(fields[index]);
  const startTime = number(19);
  if (!Number.isFinite(startTime)) return null;
  return {
    pid: Number(text.slice(0, open)),
    comm: text.slice(open + 1, close),
    state: fields[0] ?? "?",
    parentPid: number(1),
    groupId: number(2),
    sessionId: number(3),
    ttyDevice: number(4),
    foregroundGroupId: number(5),
    hasExecuted: (number(6) & forkedWithoutExec) === 0,
    startTime,
  };
}

/** Null when there is no such process, or no /proc. Costs about 20 microseconds. */
export function readProcess(pid: number): ProcessEntry | null {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    // Gone between listing and reading, or another system: both mean "no such process here".
    return null;
  }
}

/** Every process that is not dead, by pid. Costs some 20 microseconds per process; call it for acts, never per event. */
export function readProcessTable(): Map<number, ProcessEntry> {
  const table = new Map<number, ProcessEntry>();
  let names: string[];
  try {
    names = readdirSync("/proc");
  } catch {
    return table;
  }
  for (const name of names) {
    const first = name.charCodeAt(0);
    if (first < 48 || first > 57) continue;
    const entry = readProcess(Number(name));
    if (entry && isLive(entry)) table.set(entry.pid, entry);
  }
  return table;
}

/** How long a table serves others that end at the same moment. */
const sharedTableMs = 25;
let shared: { readonly takenAt: number; readonly table: Map<number, ProcessEntry> } | null = null;

/**
 * A table that was read after `since` (of `processTime`), perhaps for somebody else a moment ago: sixty sessions that end
 * together would otherwise read everything sixty times in one turn.
 */
export function readProcessTableSince(since: number): ReadonlyMap<number, ProcessEntry> {
  const now = processTime();
  if (!shared || shared.takenAt < since || now - shared.takenAt > sharedTableMs) {
    shared = { takenAt: now, table: readProcessTable() };
  }
  return shared.table;
}

/** The age of a table is real time, whatever clock a test has put in place. */
export function processTime(): number {
  return performance.now();
}

export function isLive(entry: ProcessEntry): boolean {
  return entry.state !== "Z" && entry.state !== "X";
}

/** One variable of a process's initial environment; null when it is not set, or not ours to read. */
export function readEnvironment(pid: number, name: string): string | null {
  let block: string;
  try {
    block = readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return null;
  }
  const key = `${name}=`;
  const start = block.startsWith(key) ? 0 : block.indexOf(`\0${key}`) + 1;
  if (start === 0 && !block.startsWith(key)) return null;
  const end = block.indexOf("\0", start);
  return block.slice(start + key.length, end < 0 ? undefined : end);
}

/** Sends `signal` if the pid still means the same process; tells whether it was sent. */
export function signalProcess(process_: ProcessIdentity, signal: NodeJS.Signals): boolean {
  if (readProcess(process_.pid)?.startTime !== process_.startTime) return false;
  try {
    return process.kill(process_.pid, signal);
  } catch {
    // Ended meanwhile, or another user's (sudo): nothing more can be done from here.
    return false;
  }
}
