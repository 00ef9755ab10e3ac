// How a process ended, in the words of the wire (PT8).
import { constants } from "node:os";
import type { ExitStatus } from "#lib/protocol/session.ts";

const firstRealTimeSignal = 34;

/** `signal` is 0 or absent when the process exited by itself; the module then says exitCode 0 for every signal (B006). */
export function exitStatus(exitCode: number, signal: number | undefined): ExitStatus {
  if (!signal) return { exit_code: exitCode, signal: null };
  return { exit_code: null, signal: signalName(signal) };
}

function signalName(signal: number): string {
  // SIGIOT and SIGPOLL are second names of SIGABRT and SIGIO; the first name wins.
  const named = Object.entries(constants.signals).find(([, number]) => number === signal);
  return named?.[0] ?? `SIGRTMIN+${signal - firstRealTimeSignal}`;
}
