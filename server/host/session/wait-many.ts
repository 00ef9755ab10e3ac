// One wait over many sessions (WT7): each has its own, the first to end wins, and the token says for the next time what was told already.
import type { Clock } from "#lib/base/clock.ts";
import { DisposableStore } from "#lib/base/lifecycle.ts";
import type { Actor } from "#lib/protocol/actor.ts";
import { parseCursor } from "#lib/protocol/cursor.ts";
import { TermError } from "#lib/protocol/errors.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { WaitManyReply, WaitManyRequest } from "#lib/protocol/wait.ts";
import { PendingWait, type WaitEnd, type WaitStart } from "#server/host/wait/pending-wait.ts";
import { termsOf, type WaitDesk } from "#server/host/wait/wait-desk.ts";
import {
  readGeneration,
  reasonPrint,
  type Watched,
  writeGeneration,
} from "#server/host/wait/wait-generation.ts";
import { screenInOrder } from "./in-order.ts";
import type { Session } from "./session.ts";
import { verdictOf } from "./wait.ts";

export interface ManyWaiting {
  readonly sessions: readonly Session[];
  readonly actor: Actor;
  readonly desk: WaitDesk;
  readonly clock: Clock;
}

interface One {
  readonly session: Session;
  readonly start: WaitStart;
  readonly before: Watched | undefined;
}

/** Throws BAD_PATTERN, TOO_MANY_WAITS; rejects with the signal's reason when whoever asked has gone. */
export async function waitMany(
  waiting: ManyWaiting,
  request: WaitManyRequest,
  signal: AbortSignal | undefined,
): Promise<WaitManyReply> {
  const { sessions, actor, desk, clock } = waiting;
  const terms = termsOf(request);
  const place = desk.waiters.enter(actor.id, Math.max(1, sessions.length));
  const known = readGeneration(request.generation);
  try {
    await Promise.all(sessions.map((session) => screenInOrder(session, clock).catch(() => {})));
    const all = sessions.map((session): One => {
      const before = known(session.record.id);
      const { cursor, command } = before ?? {};
      const start = session.waits.start(
        before ? { since: cursor ?? null, ...(command === undefined ? {} : { command }) } : {},
      );
      return { session, start, before };
    });
    const won = await firstOf(waiting, all, terms.timeoutMs, terms, signal);
    if (!won) return { session: null, verdict: null, generation: generationOf(all, null) };
    const { one, end } = won;
    const maxBytes = request.max_bytes ?? limits.outputBytes.default;
    const verdict = await verdictOf({ session: one.session, clock }, one.start, end, maxBytes);
    const command = end.facts.ended ? end.facts.ended.index + 1 : one.session.waits.commandIndex();
    const watched = {
      reason: reasonOf(one.session, end),
      cursor: parseCursor(verdict.next),
      command,
    };
    return {
      session: one.session.record.id,
      verdict,
      generation: generationOf(all, { id: one.session.record.id, watched }),
    };
  } finally {
    place.dispose();
  }
}

function firstOf(
  { actor, desk, clock }: ManyWaiting,
  all: readonly One[],
  timeoutMs: number,
  terms: ReturnType<typeof termsOf>,
  signal: AbortSignal | undefined,
): Promise<{ one: One; end: WaitEnd } | null> {
  return new Promise((resolve, reject) => {
    const held = new DisposableStore();
    const gone = () => {
      held.dispose();
      reject(signal?.reason ?? new TermError("HOST_LOST", "whoever waited has gone"));
    };
    const finish = (act: () => void) => {
      if (held.isDisposed) return;
      held.dispose();
      signal?.removeEventListener("abort", gone);
      act();
    };
    if (signal?.aborted) return gone();
    signal?.addEventListener("abort", gone, { once: true });
    // Each of them would time out, too; this is the one that is told.
    held.add(
      clock.after(Math.min(timeoutMs, limits.waitMs.max), () => finish(() => resolve(null))),
    );
    const waits = all.map((one) => {
      const wait = new PendingWait(
        one.session.waits.sourceFor(actor),
        one.start,
        { ...terms, timeoutMs: Number.POSITIVE_INFINITY },
        desk.patterns,
        clock,
        (end) => finish(() => (end instanceof TermError ? reject(end) : resolve({ one, end }))),
        (end) => isTold(one, end),
      );
      held.add(wait);
      return wait;
    });
    for (const wait of waits) if (!held.isDisposed) wait.begin();
  });
}

function isTold({ session, before }: One, end: WaitEnd): boolean {
  const reason = reasonOf(session, end);
  return reason !== null && reason === before?.reason;
}

/** null: cannot come twice, because the next wait begins behind it. */
function reasonOf({ waits }: Session, { judgement, facts }: WaitEnd): string | null {
  const { outcome } = judgement;
  switch (outcome) {
    case "exited":
    case "sealed":
      return reasonPrint(outcome);
    case "command_done":
      return reasonPrint(`done ${facts.ended?.index ?? `at phase ${waits.phaseCount}`}`);
    case "matched":
      return facts.hits.size > 0 ? null : reasonPrint(`is at phase ${waits.phaseCount}`);
    case "human_required":
    case "settled":
      return reasonPrint(`${outcome} at phase ${waits.phaseCount}`);
    case "human_took_over":
    case "timed_out":
      return null;
  }
}

function generationOf(
  all: readonly One[],
  told: { readonly id: string; readonly watched: Watched } | null,
): string {
  const watched = new Map<string, Watched>();
  for (const { session, start, before } of all) {
    const { id } = session.record;
    if (told?.id === id) {
      watched.set(id, told.watched);
      continue;
    }
    // Everything up to here was looked at; a match may begin in the line that is still being printed.
    const now = session.screen.position();
    const { cursor } = start.mark;
    const isBehind = cursor.seq < now.seq;
    watched.set(id, {
      reason: before?.reason ?? null,
      cursor: isBehind ? { seq: now.seq, col: 0 } : cursor,
      command: start.command,
    });
  }
  return writeGeneration(watched);
}
