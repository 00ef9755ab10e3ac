// When to try again (AT7, AT8). A pure machine: what happened and the time in, the next state out. Owns no timer and no socket.

import { assertNever } from "#lib/base/assert.ts";
import { finalCloseCodes } from "#lib/protocol/errors.ts";

export const backoff = {
  firstMs: 500,
  maxMs: 8_000,
  /** Each delay is multiplied by 1 +- this: many viewers of a restarted server do not come back in one moment. */
  jitter: 0.2,
  /** A connection must last this long before a failure counts as a first one again: accept-and-close must not become a tight loop. */
  steadyMs: 5_000,
  /** Wake-ups are answered at once, but not more often than this. */
  wakeGapMs: 500,
  /** "Too many" is answered with a delay from here on. */
  tooManyAttempt: 3,
} as const;

/** All times are wall time in milliseconds. `attempt` counts failures in a row; `lostMs` is when the first of them happened. */
export type ReconnectState =
  | { kind: "connecting"; attempt: number; startedMs: number; lostMs: number | null }
  | { kind: "open"; attempt: number; openedMs: number }
  | { kind: "waiting"; attempt: number; untilMs: number; lostMs: number; triedMs: number }
  | { kind: "final"; code: number };

export type ReconnectEvent =
  | { kind: "opened" }
  /** `isOver`: there is nothing to come back for (the session has exited and its last screen is complete). */
  | { kind: "closed"; code: number; isOver: boolean }
  /** The delay is over. */
  | { kind: "due" }
  /** Online again, page shown, back from the cache. */
  | { kind: "woken" }
  /** The person asked. */
  | { kind: "asked" };

export function connecting(nowMs: number): ReconnectState {
  return { kind: "connecting", attempt: 0, startedMs: nowMs, lostMs: null };
}

/** `random` in [0, 1). */
export function reconnect(
  state: ReconnectState,
  event: ReconnectEvent,
  nowMs: number,
  random: number,
): ReconnectState {
  switch (event.kind) {
    case "opened":
      return state.kind === "connecting"
        ? { kind: "open", attempt: state.attempt, openedMs: nowMs }
        : state;
    case "closed": {
      if (state.kind === "waiting" || state.kind === "final") return state;
      if (event.isOver || finalCloseCodes.has(event.code))
        return { kind: "final", code: event.code };
      const wasSteady = state.kind === "open" && nowMs - state.openedMs >= backoff.steadyMs;
      const failures = wasSteady ? 1 : state.attempt + 1;
      const attempt = event.code === 4429 ? Math.max(failures, backoff.tooManyAttempt) : failures;
      const lostMs = state.kind === "connecting" ? (state.lostMs ?? nowMs) : nowMs;
      const triedMs = state.kind === "connecting" ? state.startedMs : state.openedMs;
      return {
        kind: "waiting",
        attempt,
        untilMs: nowMs + delayMs(attempt, random),
        lostMs,
        triedMs,
      };
    }
    case "due":
    case "asked":
      return state.kind === "waiting" ? retry(state, nowMs) : state;
    case "woken":
      return state.kind === "waiting" && nowMs - state.triedMs >= backoff.wakeGapMs
        ? retry(state, nowMs)
        : state;
    default:
      return assertNever(event);
  }
}

/** Delay after the `attempt`th failure in a row (1-based). */
export function delayMs(attempt: number, random: number): number {
  const base = Math.min(backoff.maxMs, backoff.firstMs * 2 ** Math.min(attempt - 1, 10));
  return base * (1 + backoff.jitter * (2 * random - 1));
}

function retry(state: ReconnectState & { kind: "waiting" }, nowMs: number): ReconnectState {
  return { kind: "connecting", attempt: state.attempt, startedMs: nowMs, lostMs: state.lostMs };
}
