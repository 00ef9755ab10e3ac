// Whose hands are on the keyboard (LS1-LS9): a pure machine, facts and the time in, the new state out. It knows no socket, no timer and
// no text; deadlines are computed from what it holds, so a late timer changes nothing. docs/spec.md, LS and DR.
import { assertNever } from "#lib/base/assert.ts";
import type { Lease, Politeness } from "#lib/protocol/lease.ts";
import { limits } from "#lib/protocol/limits.ts";

/** A person, by the credential they act with. */
export interface Person {
  readonly id: string;
  readonly name: string;
}

/** Times are monotonic milliseconds. */
type Holding =
  | { readonly by: "agent" }
  | {
      readonly by: "human";
      readonly cause: "typing";
      readonly who: Person;
      readonly typedMs: number;
      /** Silence after which it goes back; null: never by itself. */
      readonly idleMs: number | null;
      readonly politeness: Politeness;
      /** When this person's last socket went; null: they are there, or never had one. */
      readonly goneMs: number | null;
    }
  | {
      readonly by: "human";
      readonly cause: "takeover" | "hold";
      readonly who: Person;
      readonly politeness: Politeness;
      readonly goneMs: number | null;
    };
export type Hands =
  | Holding
  /** A password is asked for. `behind`: who has the keyboard when it was answered. */
  | {
      readonly by: "human";
      readonly cause: "credential";
      readonly who: Person | null;
      readonly behind: Holding;
    };

export interface LeaseState {
  readonly hands: Hands;
  readonly epoch: number;
  /** Text of a person stands unsent on the line; last touched then. */
  readonly draft: { readonly touchedMs: number } | null;
  /** Other people's first keys of the last two seconds, which were swallowed (LS9). */
  readonly knocks: readonly { readonly id: string; readonly atMs: number }[];
  /** The program has ended: nobody holds anything any more. */
  readonly isOver: boolean;
}

export type LeaseFact =
  /** A keystroke, paste, input method or drop of a person; reports are none (LS2). */
  | { kind: "typed"; who: Person; idleMs: number | null; politeness: Politeness }
  | { kind: "take_over" | "hold"; who: Person; politeness: Politeness }
  /** A person says how others may take the keyboard from them; of who does not have it, it changes nothing. */
  | { kind: "prefers"; id: string; politeness: Politeness }
  | { kind: "hand_back" }
  /** The last socket of a person went, or one came (back). */
  | { kind: "left" | "came"; id: string }
  | { kind: "credential"; isAsked: boolean }
  /** null: no draft stands. */
  | { kind: "draft"; touchedMs: number | null }
  | { kind: "passed" }
  | { kind: "exited" };

export interface LeaseDecision {
  readonly state: LeaseState;
  /** Of `typed`: the key reaches the program, or was swallowed with a notice (LS9). Other facts: always true. */
  readonly isTaken: boolean;
}

const agents: Holding = { by: "agent" };

export const freshLease: LeaseState = {
  hands: agents,
  epoch: 0,
  draft: null,
  knocks: [],
  isOver: false,
};

export function decideLease(before: LeaseState, fact: LeaseFact, atMs: number): LeaseDecision {
  const state = expired(before, atMs);
  if (state.isOver) return taken(state);
  const { hands } = state;
  switch (fact.kind) {
    case "typed":
      return typed(state, fact, atMs);
    case "take_over":
    case "hold": {
      const cause = fact.kind === "hold" ? "hold" : "takeover";
      const { who, politeness } = fact;
      const held: Holding = { by: "human", cause, who, politeness, goneMs: null };
      return taken(given(state, isCredential(hands) ? { ...hands, behind: held } : held));
    }
    case "hand_back":
      return taken(given(state, isCredential(hands) ? { ...hands, behind: agents } : agents));
    case "prefers": {
      const next = isCredential(hands)
        ? { ...hands, behind: preferring(hands.behind, fact) }
        : preferring(hands, fact);
      return taken(given(state, next));
    }
    case "left":
    case "came": {
      const goneMs = fact.kind === "left" ? atMs : null;
      const next = isCredential(hands)
        ? { ...hands, behind: seen(hands.behind, fact.id, goneMs) }
        : seen(hands, fact.id, goneMs);
      return taken(given(state, next));
    }
    case "credential": {
      if (fact.isAsked === isCredential(hands)) return taken(state);
      if (isCredential(hands)) return taken(expired(given(state, hands.behind), atMs));
      const who = hands.by === "human" ? hands.who : null;
      return taken(given(state, { by: "human", cause: "credential", who, behind: hands }));
    }
    case "draft": {
      if (fact.touchedMs === (state.draft?.touchedMs ?? null)) return taken(state);
      const draft = fact.touchedMs === null ? null : { touchedMs: fact.touchedMs };
      return taken(expired({ ...state, draft }, atMs));
    }
    case "passed":
      return taken(state);
    case "exited":
      return taken({ ...given(state, agents), draft: null, isOver: true });
    default:
      return assertNever(fact);
  }
}

/** When the keyboard goes back by itself; null: it does not. */
export function deadlineOf({ hands, draft }: LeaseState): number | null {
  if (hands.by === "agent" || hands.cause === "credential") return null;
  const ends: number[] = [];
  if (hands.goneMs !== null) ends.push(hands.goneMs + limits.leaseGoneMs);
  if (hands.cause === "typing" && hands.idleMs !== null) {
    const idleMs = draft ? Math.max(hands.idleMs, limits.draftMs) : hands.idleMs;
    ends.push(hands.typedMs + idleMs);
  }
  return ends.length === 0 ? null : Math.min(...ends);
}

export function isHeldBy({ hands }: LeaseState, id: string): boolean {
  return hands.by === "human" && hands.who?.id === id;
}

/** As the wire shows it. `now`: the same moment as `atMs`, on the wall. */
export function leaseOf(
  before: LeaseState,
  atMs: number,
  now: number,
  leftBy: string | null,
): Lease {
  const state = expired(before, atMs);
  const { hands, epoch, draft } = state;
  const deadline = deadlineOf(state);
  const isAsked = isCredential(hands);
  // While a draft stands the line on the screen stands still (DR1).
  const isCounting = deadline !== null && (draft === null || isGone(hands));
  const remainingMs = isCounting ? Math.max(0, Math.ceil(deadline - atMs)) : null;
  return {
    holder: hands.by,
    cause: hands.by === "human" ? hands.cause : null,
    actor: hands.by === "human" ? (hands.who?.name ?? null) : null,
    actor_id: hands.by === "human" ? (hands.who?.id ?? null) : null,
    until: remainingMs === null ? null : new Date(now + remainingMs).toISOString(),
    remaining_ms: remainingMs,
    epoch,
    // At a password prompt what is typed is no draft, and its age would tell of each key (CR3).
    draft: isAsked ? null : draft && { age_ms: Math.max(0, Math.floor(atMs - draft.touchedMs)) },
    left_by: hands.by === "human" && !isAsked ? leftBy : null,
    politeness: hands.by === "human" && hands.cause !== "credential" ? hands.politeness : null,
  };
}

function typed(
  state: LeaseState,
  { who, idleMs, politeness }: Extract<LeaseFact, { kind: "typed" }>,
  atMs: number,
): LeaseDecision {
  const { hands } = state;
  const typing: Holding = {
    by: "human",
    cause: "typing",
    who,
    typedMs: atMs,
    idleMs,
    politeness,
    goneMs: null,
  };
  if (isCredential(hands)) {
    // A password is whose it is: nobody's first key of it is swallowed. The one who typed before goes on being the one after.
    const isOwn = hands.behind.by === "human" && hands.behind.who.id === who.id;
    const after = isOwn && hands.behind.by === "human" && hands.behind.cause === "typing";
    return taken(given(state, { ...hands, who, behind: after ? typing : hands.behind }));
  }
  if (hands.by === "agent") return taken(given(state, typing));
  if (hands.who.id === who.id) {
    const next = hands.cause === "typing" ? typing : { ...hands, who, politeness, goneMs: null };
    return taken(given(state, next));
  }
  // Whoever has it says how it may be taken: it is their work that the keys would fall into.
  if (hands.politeness === "immediate") return taken(given(state, typing));
  if (hands.politeness === "ask") return { state, isTaken: false };
  const knocks = state.knocks.filter((knock) => atMs - knock.atMs <= limits.leaseInsistMs);
  if (knocks.some(({ id }) => id === who.id)) return taken(given(state, typing));
  // More people than can type at once are not remembered.
  const latest = [...knocks, { id: who.id, atMs }].slice(-limits.leaseKnocks);
  return { state: { ...state, knocks: latest }, isTaken: false };
}

function expired(state: LeaseState, atMs: number): LeaseState {
  const deadline = deadlineOf(state);
  return deadline !== null && deadline <= atMs ? given(state, agents) : state;
}

/** The epoch rises with the holder, not with the cause. */
function given(state: LeaseState, hands: Hands): LeaseState {
  if (keyOf(hands) === keyOf(state.hands)) return { ...state, hands };
  return { ...state, hands, epoch: state.epoch + 1, knocks: [] };
}

function keyOf(hands: Hands): string {
  return hands.by === "agent" ? "agents" : `person ${hands.who?.id ?? ""}`;
}

function seen(holding: Holding, id: string, goneMs: number | null): Holding {
  return holding.by === "human" && holding.who.id === id ? { ...holding, goneMs } : holding;
}

function preferring(
  holding: Holding,
  { id, politeness }: Extract<LeaseFact, { kind: "prefers" }>,
): Holding {
  return holding.by === "human" && holding.who.id === id ? { ...holding, politeness } : holding;
}

function isGone(hands: Hands): boolean {
  return hands.by === "human" && hands.cause !== "credential" && hands.goneMs !== null;
}

function isCredential(hands: Hands): hands is Extract<Hands, { cause: "credential" }> {
  return hands.by === "human" && hands.cause === "credential";
}

function taken(state: LeaseState): LeaseDecision {
  return { state, isTaken: true };
}
