// What one attachment has been told, and the words that follow from it for the interface. Pure.
import { assertNever } from "#lib/base/assert.ts";
import type { AttachState } from "#lib/client/attach-state.ts";
import type { ServerMessage } from "#lib/protocol/attach.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import type { ExitStatus, Phase, SessionInfo } from "#lib/protocol/session.ts";
import type { TerminalStatus } from "./terminal-status.ts";

export type AttachedFacts =
  | { kind: "unknown" }
  | {
      kind: "known";
      attachment: string;
      isReadOnly: boolean;
      size: GridSize;
      /** Attachment id; null: nobody, or the API set it. */
      sizeOwner: string | null;
      title: string;
      phase: Phase;
      viewers: number;
      exit: ExitStatus | null;
      /** A whole screen was drawn at least once, so there is something to look at while offline. */
      hasScreen: boolean;
    };

export function attachedFacts(facts: AttachedFacts, message: ServerMessage): AttachedFacts {
  if (message.type === "hello") {
    const { session, you, size_owner } = message;
    const known = facts.kind === "known" ? facts : null;
    return {
      kind: "known",
      attachment: you.attachment,
      isReadOnly: you.readonly,
      size: { cols: session.cols, rows: session.rows },
      sizeOwner: size_owner,
      title: session.title,
      phase: session.phase,
      viewers: session.viewers,
      exit: session.exited
        ? { exit_code: session.exit_code, signal: session.signal }
        : (known?.exit ?? null),
      hasScreen: known?.hasScreen ?? false,
    };
  }
  if (facts.kind === "unknown") return facts;
  switch (message.type) {
    case "snapshot":
      return {
        ...facts,
        size: { cols: message.cols, rows: message.rows },
        hasScreen: facts.hasScreen || message.last,
      };
    case "resized":
      return { ...facts, size: message.size };
    case "size_owner":
      return { ...facts, sizeOwner: message.attachment };
    case "title":
      return { ...facts, title: message.title };
    case "phase":
      return { ...facts, phase: message.phase };
    case "viewers":
      return { ...facts, viewers: message.viewers };
    case "exited": {
      const { exit_code, signal } = message;
      return { ...facts, phase: "exited", exit: { exit_code, signal } };
    }
    default:
      return facts;
  }
}

/** What a message changes of the session as lists show it; null: nothing. */
export function patchOf(message: ServerMessage): Partial<SessionInfo> | null {
  switch (message.type) {
    case "title":
      return { title: message.title };
    case "phase":
      return { phase: message.phase };
    case "viewers":
      return { viewers: message.viewers };
    case "resized":
      return message.size;
    case "exited": {
      const { exit_code, signal } = message;
      return { phase: "exited", exited: true, exit_code, signal, foreground: null };
    }
    default:
      return null;
  }
}

/** `createdMs`: when this view began to connect. */
export function statusOf(
  state: AttachState,
  facts: AttachedFacts,
  droppedKeys: number,
  createdMs: number,
): TerminalStatus {
  const exit = facts.kind === "known" ? facts.exit : null;
  switch (state.kind) {
    case "ended":
      return endedStatus(state.code, exit);
    case "live":
      return exit ? exitedStatus(exit) : { kind: "live" };
    case "restoring":
      return { kind: "restoring", sinceMs: createdMs };
    case "connecting":
      // A first attempt is no interruption; the second is, with or without a screen to look at.
      return state.lostMs === null
        ? { kind: "connecting", sinceMs: createdMs }
        : offline(state.lostMs, state.attempt, null, droppedKeys);
    case "waiting":
      return offline(state.lostMs, state.attempt, state.untilMs, droppedKeys);
    default:
      return assertNever(state);
  }
}

function offline(
  sinceMs: number,
  attempt: number,
  untilMs: number | null,
  droppedKeys: number,
): TerminalStatus {
  return { kind: "offline", sinceMs, attempt, untilMs, droppedKeys };
}

function exitedStatus(exit: ExitStatus): TerminalStatus {
  return { kind: "exited", exitCode: exit.exit_code, signal: exit.signal };
}

function endedStatus(code: number, exit: ExitStatus | null): TerminalStatus {
  switch (code) {
    case 4401:
      return { kind: "signed_out" };
    case 4403:
      return { kind: "not_allowed" };
    case 4404:
      return { kind: "gone" };
    case 4400:
      return { kind: "outdated" };
    default:
      return exit ? exitedStatus(exit) : { kind: "gone" };
  }
}
