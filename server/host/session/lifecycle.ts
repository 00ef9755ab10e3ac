// The life of a session, forward only: starting -> running -> exited -> closed.
import type { ExitStatus } from "#lib/protocol/session.ts";

export type Lifecycle =
  /** Nothing printed yet. */
  | { state: "starting" }
  | { state: "running" }
  /** The process ended; screen and log stay readable until close (SC2). `atMs` is wall time. */
  | { state: "exited"; status: ExitStatus; atMs: number }
  /** Gone from the registry; `exit` when the process had ended before. */
  | { state: "closed"; exit: { status: ExitStatus; atMs: number } | null };

const order = { starting: 0, running: 1, exited: 2, closed: 3 } as const;

/** `to`, or `from` when that would be a step back or no step. */
export function advance(from: Lifecycle, to: Lifecycle): Lifecycle {
  return order[to.state] > order[from.state] ? to : from;
}

export function exitOf(lifecycle: Lifecycle): { status: ExitStatus; atMs: number } | null {
  switch (lifecycle.state) {
    case "exited":
      return { status: lifecycle.status, atMs: lifecycle.atMs };
    case "closed":
      return lifecycle.exit;
    default:
      return null;
  }
}

export function hasEnded(lifecycle: Lifecycle): boolean {
  return lifecycle.state === "exited" || lifecycle.state === "closed";
}
