// Whether a program waits for what is typed: asked of /proc, exact on Linux (PH2), `unknown` elsewhere. Looks once and watches nothing; a look
// costs about 0.1 ms, more where a program has many threads.
import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { programName } from "#server/host/pty/foreground.ts";
import { childrenOf, type Member, memberAt, membersOf, threadsOf } from "./group-members.ts";
import { type ForegroundView, isShellName } from "./observation.ts";
import { pinentriesFor } from "./pinentry.ts";
import { readProcFile } from "./proc-file.ts";
import { hasScript } from "./shell-arguments.ts";
import { goesOnByItself, parseThreadCall, type WaitingCall } from "./waiting-syscalls.ts";
import { type Watched, watchedBy } from "./watched-descriptors.ts";

export type TtyRead =
  | {
      readonly kind: "reading";
      /**
       * `blocked`: in a read of the terminal, or in a poll for nothing else, without a timeout: only typing lets it go on. `timed`: the
       * same with a timeout (top, vim). `mixed`: it waits for others too (ssh, a server with keys), or works in another thread.
       */
      readonly how: "blocked" | "timed" | "mixed";
      readonly call: WaitingCall;
      readonly pid: number;
      readonly program: string;
      /** Bytes that the process has read so far, from wherever; null where the system does not count. */
      readonly readBytes: number | null;
      /** The same as long as the thread has not run since: it names one wait, not one thread. */
      readonly wait: string;
    }
  | { readonly kind: "not_reading"; readonly because: string }
  /** Not ours to look at: another user's (sudo, passwd), or the kernel does not tell. */
  | {
      readonly kind: "hidden";
      readonly pid: number;
      readonly program: string;
      readonly isSleeping: boolean;
      readonly wait: string;
    }
  /** Another system, or a kernel that does not tell. */
  | { readonly kind: "unknown"; readonly because: string }
  /** No such process, or it has no terminal: about to end. */
  | { readonly kind: "gone" };

export interface TerminalLook {
  readonly foreground: ForegroundView | null;
  readonly read: TtyRead;
}

/** Clients that hand their terminal to a server. */
const carriers = /^(tmux|screen)\b/i;

/** They hand on what is typed to a terminal that they hold for one program (sudo: where `use_pty` is set). */
const passers = /^(script|sudo|su|runuser|expect|unbuffer)$/;
/** One inside the other that are looked through: a program can nest a thousand, and a look is part of everybody's turn. */
const maxPassers = 4;

const maxThreads = 64;

/** `tty`: the session's terminal device. `depth`: how many programs that hand it on were looked through. */
export function lookAtTerminal(leaderPid: number, tty: string | null, depth = 0): TerminalLook {
  if (process.platform !== "linux") {
    return { foreground: null, read: { kind: "unknown", because: "only Linux tells who reads" } };
  }
  const leader = memberAt(leaderPid);
  if (!leader || leader.foregroundGroupId <= 0 || tty === null) {
    return { foreground: null, read: { kind: "gone" } };
  }
  const pgid = leader.foregroundGroupId;
  const members = membersOf(pgid, leader);
  const first = members.find(({ pid }) => pid === pgid) ?? members[0];
  const name = first ? programName(first) : null;
  const foreground: ForegroundView = {
    pgid,
    name,
    isSessionLeader: pgid === leader.groupId,
    isShell: isShellName(name),
    runsScript: first !== undefined && isShellName(name) && hasScript(first.pid),
    members: members.map(({ pid }) => pid).sort((a, b) => a - b),
  };
  const own = readOf(members, tty);
  const read = own.kind === "not_reading" ? (pinentryRead(members, tty) ?? own) : endOf(own, depth);
  if (read.kind === "not_reading" && first && carriers.test(name ?? "")) {
    // Its server has the terminal and reads it.
    const wait = `${first.pid}`;
    const program = name ?? "";
    const carried = {
      how: "mixed",
      call: "poll",
      pid: first.pid,
      program,
      readBytes: null,
      wait,
    } as const;
    return { foreground, read: { kind: "reading", ...carried } };
  }
  return { foreground, read };
}

/** Not of our session, it may be another terminal's: only one that reads this one counts. */
function pinentryRead(members: readonly Member[], tty: string): TtyRead | null {
  const read = readOf(pinentriesFor(members), tty);
  return read.kind === "reading" ? read : null;
}

/** Of a program that hands everything on, what the program at the other end does. */
function endOf(read: TtyRead, depth: number): TtyRead {
  if (depth === maxPassers) return read;
  if (read.kind !== "reading" || read.how !== "mixed" || !passers.test(read.program)) return read;
  const passer = memberAt(read.pid);
  const leader = passer && childrenOf(passer).map(memberAt).find(leadsTerminal);
  if (!leader) return read;
  const inner = lookAtTerminal(leader.pid, terminalPath(leader.ttyDevice), depth + 1).read;
  return inner.kind === "reading" || inner.kind === "not_reading" ? inner : read;
}

function leadsTerminal(child: Member | null): boolean {
  return child !== null && child.sessionId === child.pid && child.ttyDevice !== 0;
}

/** Of a pseudo-terminal: /dev/pts has major numbers from 136 on, with 256 minors each. */
function terminalPath(device: number): string | null {
  const major = (device >> 8) & 0xfff;
  const minor = (device & 0xff) | ((device >> 12) & 0xfff00);
  return major >= 136 && major < 144 ? `/dev/pts/${(major - 136) * 256 + minor}` : null;
}

/** The best of what its members do: one that only typing lets go on beats one that waits for others too. */
function readOf(members: readonly Member[], tty: string): TtyRead {
  let best: TtyRead = {
    kind: "not_reading",
    because: "no program in front waits for the terminal",
  };
  // The youngest first: an editor that git started, not git that waits for it.
  for (const member of members.toReversed()) {
    if (member.state === "T" || member.state === "t") continue;
    const found = readOfProcess(member, tty);
    if (rank(found) > rank(best)) best = found;
    if (rank(best) === 4) break;
  }
  return best;
}

function rank(read: TtyRead): number {
  if (read.kind === "reading") return { blocked: 4, timed: 3, mixed: 2 }[read.how];
  return read.kind === "hidden" ? 1 : 0;
}

const notReading: TtyRead = { kind: "not_reading", because: "it waits for something else" };

function readOfProcess(entry: Member, tty: string): TtyRead {
  let best: TtyRead = notReading;
  for (const thread of threadsOf(entry).slice(0, maxThreads)) {
    const found = readOfThread(entry, thread, tty);
    if (rank(found) > rank(best)) best = found;
    if (rank(best) === 4) {
      // A thread beside it that takes keys keeps nothing waiting.
      const isAside = thread !== String(entry.pid) && worksMeanwhile(entry.pid);
      return isAside && best.kind === "reading" ? { ...best, how: "mixed" } : best;
    }
  }
  return best;
}

/** What a program does is its first thread's business. */
function worksMeanwhile(pid: number): boolean {
  try {
    return goesOnByItself(readProcFile(`/proc/${pid}/task/${pid}/syscall`));
  } catch {
    return false;
  }
}

function readOfThread(entry: Member, thread: string, tty: string): TtyRead {
  const { pid } = entry;
  const folder = `/proc/${pid}/task/${thread}`;
  let text: string;
  try {
    text = readProcFile(`${folder}/syscall`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ESRCH" || (code === "ENOENT" && existsSync("/proc/self/syscall")))
      return notReading;
    return hidden(entry, thread);
  }
  const now = parseThreadCall(text);
  if (!now) return { kind: "unknown", because: `system calls of ${process.arch} are not known` };
  if (now.kind !== "waiting") return notReading;
  try {
    const watched = watchedBy(pid, now.call, now.args);
    const how = howOf(pid, watched, tty);
    if (!how) return notReading;
    const program = programName(entry);
    const wait = waitOf(pid, thread);
    return {
      kind: "reading",
      how,
      call: now.call,
      pid,
      program,
      readBytes: readBytesOf(pid),
      wait,
    };
  } catch {
    // It went on, or ended, while we looked.
    return notReading;
  }
}

function howOf(pid: number, watched: Watched, tty: string): "blocked" | "timed" | "mixed" | null {
  const links = watched.descriptors.map((each) => linkOf(pid, each));
  const isTerminal = (link: string) => link === tty || link === "/dev/tty";
  if (!links.some(isTerminal)) return null;
  const others = links.filter((link) => !isTerminal(link));
  if (!others.every((link) => isInner(pid, link))) return "mixed";
  return watched.isTimed || others.some((link) => link.includes("timerfd")) ? "timed" : "blocked";
}

/** What a program uses to wake itself: its own events, signals and watches, and pipes whose other end it holds itself. */
function isInner(pid: number, link: string): boolean {
  if (/^anon_inode:(\[(eventfd|signalfd|timerfd|eventpoll)|inotify)/.test(link)) return true;
  if (!link.startsWith("pipe:")) return false;
  return readdirSync(`/proc/${pid}/fd`).filter((each) => linkOf(pid, each) === link).length > 1;
}

function linkOf(pid: number, descriptor: number | string): string {
  try {
    return readlinkSync(`/proc/${pid}/fd/${descriptor}`);
  } catch {
    return "";
  }
}

/** How often the thread has gone to sleep: it grows whenever the thread was let go, so an old wait is never taken for a new one. */
function waitOf(pid: number, thread: string): string {
  try {
    const text = readProcFile(`/proc/${pid}/task/${thread}/status`);
    return `${thread}.${/^voluntary_ctxt_switches:\s*(\d+)/m.exec(text)?.[1] ?? "?"}`;
  } catch {
    return `${thread}.?`;
  }
}

function readBytesOf(pid: number): number | null {
  try {
    const found = /^rchar: (\d+)/m.exec(readProcFile(`/proc/${pid}/io`));
    return found ? Number(found[1]) : null;
  } catch {
    return null;
  }
}

function hidden(entry: Member, thread: string): TtyRead {
  const { pid, state } = entry;
  const wait = waitOf(pid, thread);
  return { kind: "hidden", pid, program: programName(entry), isSleeping: state === "S", wait };
}
