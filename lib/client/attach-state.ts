// How an attachment stands, for who shows it: the reconnect machine's state, and whether there is a screen to look at. Pure.
import { assertNever } from "#lib/base/assert.ts";
import type { ReconnectState } from "./reconnect.ts";

export type AttachState =
  /** `attempt` counts failures in a row; `lostMs` (wall time) is when the first of them happened. */
  | { kind: "connecting"; attempt: number; lostMs: number | null }
  /** Heard by the server; the screen is on its way. */
  | { kind: "restoring" }
  | { kind: "live" }
  | { kind: "waiting"; attempt: number; untilMs: number; lostMs: number }
  /** Nothing is tried any more. `code`: the close code, one of AT7's final ones unless the session had exited. */
  | { kind: "ended"; code: number };

export function attachState(state: ReconnectState, hasScreen: boolean): AttachState {
  switch (state.kind) {
    case "connecting":
      return { kind: "connecting", attempt: state.attempt, lostMs: state.lostMs };
    case "open":
      return hasScreen ? { kind: "live" } : { kind: "restoring" };
    case "waiting": {
      const { attempt, untilMs, lostMs } = state;
      return { kind: "waiting", attempt, untilMs, lostMs };
    }
    case "final":
      return { kind: "ended", code: state.code };
    default:
      return assertNever(state);
  }
}
