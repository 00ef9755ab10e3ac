// May this actor do this now? The one order in which acts are judged (LS, AC, CR, DR): role, access, end, password, keyboard, draft.
// Pure; the port and the attachments ask it before anything is encoded, and the queue asks again at the moment of the write.
import type { Actor } from "#lib/protocol/actor.ts";
import { type ErrorCode, TermError } from "#lib/protocol/errors.ts";
import type { Access } from "#lib/protocol/lease.ts";
import { limits } from "#lib/protocol/limits.ts";
import { deadlineOf, type LeaseState } from "#server/host/lease/lease.ts";

/** Groups of acts that are judged alike. */
export type ActKind =
  /** Looking: screen, output, journal, waits, the lease, the session itself. */
  | "look"
  /** Text and keys. */
  | "type"
  /** A mouse event: typing that cannot stand on a line. */
  | "point"
  /** Size and signals: they act on the program. */
  | "drive"
  /** Ending a session, which has no program any more perhaps. */
  | "end"
  /** Names and tags. */
  | "label"
  /** Calling a person. */
  | "ask";

export interface ActFacts {
  readonly actor: Actor;
  /** May not type: by role, or because it attached so. */
  readonly isReader: boolean;
  readonly access: Access;
  /** How the program ended, as a sentence; null: it runs. */
  readonly ended: string | null;
  readonly lease: LeaseState;
  readonly ifDraft?: "clear" | "keep" | undefined;
  readonly nowMs: number;
}

export interface Refusal {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly retryAfterMs?: number;
  readonly members?: Readonly<Record<string, unknown>>;
}

/** null: it may. */
export function decide(act: ActKind, facts: ActFacts): Refusal | null {
  const { actor, isReader, access, ended } = facts;
  if (act !== "look" && act !== "ask" && isReader) {
    const detail = `${actor.name} may look at this session and not change it`;
    return { code: "READ_ONLY", detail };
  }
  if (actor.kind === "agent") {
    if (access === "sealed")
      return { code: "SEALED", detail: "a person disconnected agents from this session" };
    if (access === "observe" && act !== "look" && act !== "ask") {
      const detail = "a person lets agents look at this session and nothing else";
      return { code: "READ_ONLY", detail };
    }
  }
  if (ended !== null && act !== "look" && act !== "label" && act !== "end")
    return { code: "SESSION_EXITED", detail: ended };
  if (actor.kind === "human") return null;
  return act === "look" || act === "label" || act === "ask" ? null : keyboard(act, facts);
}

export function termError({ code, detail, retryAfterMs, members }: Refusal): TermError {
  return new TermError(code, detail, {
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(members === undefined ? {} : { members }),
  });
}

/** How soon to ask again where nobody knows: a person decides. */
const unknownRetryMs = 1_000;

function keyboard(act: ActKind, { lease, ifDraft, nowMs }: ActFacts): Refusal | null {
  const { hands, epoch, draft } = lease;
  const draftAgeMs = draft && Math.max(0, Math.floor(nowMs - draft.touchedMs));
  if (hands.by === "agent") {
    if (act !== "type" || draftAgeMs === null || ifDraft !== undefined) return null;
    return {
      code: "DRAFT_PENDING",
      detail: "a person left unsent text on the line; say if_draft clear or keep to type",
      members: { draft_age_ms: draftAgeMs, epoch },
    };
  }
  if (hands.cause === "credential") {
    return {
      code: "HUMAN_REQUIRED",
      detail: "the program asks for a password; a person has to answer",
      members: { epoch },
    };
  }
  const deadline = deadlineOf(lease);
  const retryAfterMs = deadline === null ? unknownRetryMs : Math.max(1, deadline - nowMs);
  const { name } = hands.who;
  if (act === "type" && draftAgeMs !== null && hands.cause === "typing") {
    return {
      code: "DRAFT_PENDING",
      detail: `${name} has unsent text on the line`,
      retryAfterMs: Math.min(retryAfterMs, limits.draftMs),
      members: { draft_age_ms: draftAgeMs, holder: "human", epoch },
    };
  }
  return {
    code: "LEASE_DENIED",
    detail: hands.cause === "typing" ? `${name} is typing` : `${name} holds the keyboard`,
    retryAfterMs,
    members: { holder: "human", epoch },
  };
}
