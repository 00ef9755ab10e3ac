// What an attachment has been told about the keyboard, access, passwords and agents: for the line above the terminal. Pure.
import type { ServerMessage } from "#lib/protocol/attach.ts";
import type { Access, Credential, Lease, Need } from "#lib/protocol/lease.ts";

/** Times are monotonic milliseconds of this page. */
export interface AgentSeen {
  readonly name: string;
  readonly typedMs: number | null;
  /** Rises with each write that was told: what moves on a write starts anew. */
  readonly writes: number;
  readonly lookedMs: number | null;
  readonly waitsMs: number | null;
  /** The text or pattern that its latest wait is for; null: something else. */
  readonly waitsFor: string | null;
  /** What it said about its latest write. */
  readonly caption: { readonly text: string; readonly atMs: number } | null;
}

export interface WhoseHands {
  /** Id of this person's credential, as `lease.actor_id` names it; null: an older host does not say. */
  readonly me: string | null;
  readonly lease: Lease;
  /** When `lease.remaining_ms` was true. */
  readonly leaseMs: number;
  readonly access: Access;
  readonly credential: Credential | null;
  readonly need: Need | null;
  readonly agent: AgentSeen | null;
  /** When a password that was typed in this window was taken; null: not lately. */
  readonly answeredMs: number | null;
  /** This window sent a line while a password was asked for. */
  readonly isAnswering: boolean;
}

export function handsAfter(
  hands: WhoseHands | null,
  message: ServerMessage,
  nowMs: number,
): WhoseHands | null {
  if (message.type === "hello") {
    const { lease, access, credential, need, agent } = message.session;
    const known = hands ?? { answeredMs: null, isAnswering: false };
    const seen = hands?.agent ?? (agent && unseen(agent.name));
    const me = message.you.id ?? null;
    return { ...known, me, lease, leaseMs: nowMs, access, credential, need, agent: seen };
  }
  if (!hands) return null;
  switch (message.type) {
    case "lease":
      return { ...hands, lease: message.lease, leaseMs: nowMs };
    case "access":
      return { ...hands, access: message.access };
    case "credential": {
      const { credential } = message;
      const isOver = hands.credential !== null && credential === null;
      const answeredMs = isOver && hands.isAnswering ? nowMs : hands.answeredMs;
      return { ...hands, credential, answeredMs, isAnswering: false };
    }
    case "need":
      return { ...hands, need: message.need };
    case "agent":
      return { ...hands, agent: acted(hands.agent, message, nowMs) };
    default:
      return hands;
  }
}

/** A line was sent from this window. */
export function lineSent(hands: WhoseHands | null): WhoseHands | null {
  return hands?.credential ? { ...hands, isAnswering: true } : hands;
}

/** When the keyboard goes back by itself; null: it does not, or the countdown stands still. */
export function returnsAtMs({ lease, leaseMs }: WhoseHands): number | null {
  return lease.holder === "human" && lease.remaining_ms !== null
    ? leaseMs + lease.remaining_ms
    : null;
}

function unseen(name: string): AgentSeen {
  return {
    name,
    typedMs: null,
    writes: 0,
    lookedMs: null,
    waitsMs: null,
    waitsFor: null,
    caption: null,
  };
}

function acted(
  before: AgentSeen | null,
  { did, name, detail }: Extract<ServerMessage, { type: "agent" }>,
  nowMs: number,
): AgentSeen {
  const seen = before?.name === name ? before : { ...unseen(name), writes: before?.writes ?? 0 };
  switch (did) {
    case "typed": {
      const caption = detail === undefined ? null : { text: detail, atMs: nowMs };
      return { ...seen, typedMs: nowMs, writes: seen.writes + 1, caption };
    }
    case "looked":
      return { ...seen, lookedMs: nowMs };
    case "waits":
      return { ...seen, waitsMs: nowMs, waitsFor: detail ?? null };
  }
}
