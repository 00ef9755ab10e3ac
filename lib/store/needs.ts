// Which sessions need a person, in one order over all of them (UI, 8): by reason, then by how long they wait. Pure. The server tells of
// passwords and calls; what ended or stands still unseen is this browser's to know, because it knows what was seen.
import { type Need, needReasons } from "#lib/protocol/lease.ts";
import type { SessionInfo } from "#lib/protocol/session.ts";

export type NeedReason = Need["reason"];

/** What speaks for it; words are the view's. */
export type Evidence =
  | { kind: "password" }
  /** An agent's own words. */
  | { kind: "said"; by: string | null; text: string }
  | { kind: "exit"; code: number | null; signal: string | null }
  | { kind: "command"; command: string | null; code: number }
  | { kind: "done"; command: string | null; tookMs: number }
  | { kind: "ended" }
  | { kind: "stalled"; program: string | null; sinceMs: number };

export interface SessionNeed {
  readonly id: string;
  readonly reason: NeedReason;
  /** Wall time. */
  readonly sinceMs: number;
  readonly evidence: Evidence;
}

/** A command that ran so long was waited for: that it is done is worth telling. */
export const longCommandMs = 30_000;
/** One that failed is worth telling sooner, but not each `grep` that finds nothing. */
export const failedCommandMs = 5_000;
/** A program that has waited for input so long, unseen, waits for a person. */
export const stalledMs = 60_000;

export interface NeedFacts {
  /** When this session was last on screen here, or dismissed; wall time. */
  seenMs: (id: string) => number;
  /** Since when it waits for input as far as this page knows; null: it does not. */
  waitingMs: (id: string) => number | null;
  nowMs: number;
}

export function needOf(session: SessionInfo, facts: NeedFacts): SessionNeed | null {
  const { id, need, credential } = session;
  if (!session.exited && (credential || need?.reason === "password"))
    return {
      id,
      reason: "password",
      sinceMs: Date.parse(credential?.since ?? need?.since ?? session.created_at),
      evidence: { kind: "password" },
    };
  if (need)
    return {
      id,
      reason: need.reason,
      sinceMs: Date.parse(need.since),
      evidence: { kind: "said", by: need.by, text: need.detail },
    };
  const seenMs = facts.seenMs(id);
  if (session.exited) return endOf(session, seenMs);
  return commandOf(session, seenMs) ?? stallOf(session, seenMs, facts);
}

/** Every session that needs somebody, the most urgent first. */
export function needsOf(sessions: readonly SessionInfo[], facts: NeedFacts): SessionNeed[] {
  return sessions
    .flatMap((session) => needOf(session, facts) ?? [])
    .sort(
      (a, b) =>
        needReasons.indexOf(a.reason) - needReasons.indexOf(b.reason) ||
        a.sinceMs - b.sinceMs ||
        (a.id < b.id ? -1 : 1),
    );
}

function endOf(
  { id, exit_code, signal, exited_at }: SessionInfo,
  seenMs: number,
): SessionNeed | null {
  const sinceMs = exited_at === null ? 0 : Date.parse(exited_at);
  if (sinceMs <= seenMs) return null;
  return exit_code === 0
    ? { id, reason: "finished", sinceMs, evidence: { kind: "ended" } }
    : { id, reason: "failed", sinceMs, evidence: { kind: "exit", code: exit_code, signal } };
}

function commandOf({ id, last_command: last }: SessionInfo, seenMs: number): SessionNeed | null {
  if (!last || last.running || last.duration_ms === null) return null;
  const { command, exit_code: code, duration_ms: tookMs } = last;
  const sinceMs = Date.parse(last.started_at) + tookMs;
  if (sinceMs <= seenMs) return null;
  if (code !== null && code !== 0 && tookMs >= failedCommandMs)
    return { id, reason: "failed", sinceMs, evidence: { kind: "command", command, code } };
  if (tookMs < longCommandMs) return null;
  return { id, reason: "finished", sinceMs, evidence: { kind: "done", command, tookMs } };
}

function stallOf(
  { id, phase, foreground }: SessionInfo,
  seenMs: number,
  { waitingMs, nowMs }: NeedFacts,
): SessionNeed | null {
  const sinceMs = waitingMs(id);
  if (phase !== "waiting_input" || sinceMs === null) return null;
  if (sinceMs <= seenMs || nowMs - sinceMs < stalledMs) return null;
  return {
    id,
    reason: "stalled",
    sinceMs,
    evidence: { kind: "stalled", program: foreground, sinceMs },
  };
}
