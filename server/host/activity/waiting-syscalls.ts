// The system calls in which a program waits for a terminal, by their numbers (Linux's syscall tables), and one line of /proc/PID/syscall.

export type WaitingCall = "read" | "poll" | "ppoll" | "select" | "pselect" | "epoll" | "epoll2";

const numbers: Partial<Record<NodeJS.Architecture, Readonly<Record<number, WaitingCall>>>> = {
  x64: {
    0: "read",
    19: "read",
    7: "poll",
    271: "ppoll",
    23: "select",
    270: "pselect",
    232: "epoll",
    281: "epoll",
    441: "epoll2",
  },
  arm64: {
    63: "read",
    65: "read",
    73: "ppoll",
    72: "pselect",
    22: "epoll",
    441: "epoll2",
  },
};

/** nanosleep, clock_nanosleep, wait4, waitid. */
const pauses: Partial<Record<NodeJS.Architecture, readonly number[]>> = {
  x64: [35, 230, 61, 247],
  arm64: [101, 115, 260, 95],
};

/** It runs, sleeps for a time or waits for a child: it goes on by itself. */
export function goesOnByItself(text: string, arch: NodeJS.Architecture = process.arch): boolean {
  return text.startsWith("running") || (pauses[arch]?.includes(Number.parseInt(text, 10)) ?? false);
}

export type ThreadCall =
  /** It runs, or is about to. */
  | { readonly kind: "running" }
  /** `args` may be addresses in the program's memory; all are below 2^53 but negative ones, whose low 32 bits are what counts. */
  | { readonly kind: "waiting"; readonly call: WaitingCall; readonly args: readonly number[] }
  /** Blocked elsewhere: a timer, a child, a lock. */
  | { readonly kind: "elsewhere" };

/** `text`: what /proc/PID/task/TID/syscall says. Null on a processor whose numbers are not known. */
export function parseThreadCall(
  text: string,
  arch: NodeJS.Architecture = process.arch,
): ThreadCall | null {
  const table = numbers[arch];
  if (!table) return null;
  if (text.startsWith("running")) return { kind: "running" };
  const [number, ...rest] = text.trim().split(" ");
  const call = table[Number(number)];
  if (!call) return { kind: "elsewhere" };
  return { kind: "waiting", call, args: rest.slice(0, 6).map(Number) };
}
