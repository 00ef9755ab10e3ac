// One wait on one session, for one actor: from the request to the verdict (WT1-WT6).
import type { Clock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { Actor } from "#lib/protocol/actor.ts";
import { type Cursor, formatCursor, parseCursor, type Since } from "#lib/protocol/cursor.ts";
import { TermError } from "#lib/protocol/errors.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { Verdict, WaitRequest } from "#lib/protocol/wait.ts";
import { PendingWait, type WaitEnd, type WaitStart } from "#server/host/wait/pending-wait.ts";
import type { WaitTerms } from "#server/host/wait/wait-condition.ts";
import { termsOf, type WaitDesk } from "#server/host/wait/wait-desk.ts";
import { screenInOrder } from "./in-order.ts";
import { readOutput } from "./read-output.ts";
import type { Session } from "./session.ts";

export interface Waiting {
  readonly session: Session;
  readonly actor: Actor;
  readonly desk: WaitDesk;
  readonly clock: Clock;
}

/** Throws BAD_PATTERN, TOO_MANY_WAITS; rejects with the signal's reason when whoever asked has gone. */
export async function wait(
  waiting: Waiting,
  request: WaitRequest,
  signal: AbortSignal | undefined,
): Promise<Verdict> {
  const { session, actor, desk, clock } = waiting;
  const terms = termsOf(request);
  const place = desk.waiters.enter(actor.id);
  try {
    await screenInOrder(session, clock);
    const start = session.waits.start({ since: placeOf(session, request.since) });
    const end = await pending(waiting, start, terms, signal);
    return await verdictOf(waiting, start, end, request.max_bytes ?? limits.outputBytes.default);
  } finally {
    place.dispose();
  }
}

/** Resolves once, with what ended it. Everything that it held is freed then, and when `signal` aborts. */
export function pending(
  { session, actor, desk, clock }: Waiting,
  start: WaitStart,
  terms: WaitTerms,
  signal: AbortSignal | undefined,
): Promise<WaitEnd> {
  return new Promise((resolve, reject) => {
    let held: Disposable | null = null;
    const gone = () => {
      held?.dispose();
      reject(signal?.reason ?? new TermError("HOST_LOST", "whoever waited has gone"));
    };
    const source = session.waits.sourceFor(actor);
    const one = new PendingWait(source, start, terms, desk.patterns, clock, (end) => {
      signal?.removeEventListener("abort", gone);
      if (end instanceof TermError) reject(end);
      else resolve(end);
    });
    held = one;
    if (signal?.aborted) gone();
    else {
      signal?.addEventListener("abort", gone, { once: true });
      one.begin();
    }
  });
}

/** `maxBytes` null: the verdict without what was printed. */
export async function verdictOf(
  { session, clock }: Pick<Waiting, "session" | "clock">,
  start: WaitStart,
  end: WaitEnd,
  maxBytes: number | null,
): Promise<Verdict> {
  const { judgement, facts, elapsedMs, firstOutputMs } = end;
  const { outcome, confidence, condition, because } = judgement;
  const { ended } = facts;
  const isHidden = outcome === "sealed" || facts.exit === "closed";
  const since = formatCursor(start.mark.cursor);
  const output =
    isHidden || maxBytes === null
      ? null
      : await readOutput(session, clock, { since, max_bytes: maxBytes });
  const next = isHidden ? start.mark.cursor : (end.next ?? session.screen.position());
  const exit = facts.exit === "closed" ? null : facts.exit;
  return {
    outcome,
    confidence,
    ...(condition === undefined ? {} : { condition }),
    evidence: {
      because,
      phase: phaseOf(end),
      ...(isHidden ? {} : { line: judgement.line ?? lineNow(session) }),
      ...(ended && !isHidden ? { command: ended } : {}),
    },
    elapsed_ms: elapsedMs,
    first_output_ms: firstOutputMs === null ? null : Math.floor(firstOutputMs),
    no_output: firstOutputMs === null,
    next: formatCursor(next),
    ...(output ? { output } : {}),
    ...exitCodeOf(outcome, ended?.exit_code, exit?.exit_code),
  };
}

/** The shell's own word is newer than the last look. */
function phaseOf({ judgement, facts }: WaitEnd): Verdict["evidence"]["phase"] {
  if (judgement.outcome === "exited") return "exited";
  return facts.ended && facts.shell === "input" ? "idle" : facts.activity.phase;
}

function exitCodeOf(
  outcome: Verdict["outcome"],
  ofCommand: number | undefined,
  ofProgram: number | null | undefined,
): { exit_code?: number | null } {
  if (outcome === "exited") return { exit_code: ofProgram ?? null };
  return ofCommand === undefined ? {} : { exit_code: ofCommand };
}

/** Of the cursor, as the screen shows it. */
function lineNow({ screen }: Session): string {
  const { rows, cursor, isAlternate } = screen.printedRows(Number.POSITIVE_INFINITY);
  if (isAlternate) return "";
  const row = rows.find(({ seq }) => seq === cursor.seq);
  return (row?.text ?? "").slice(0, 200);
}

function placeOf({ screen }: Session, since: Since | undefined): Cursor | null {
  if (since === undefined || since === "now") return null;
  return since === "start" ? { seq: screen.oldestSeq, col: 0 } : parseCursor(since);
}
