// What React reads of one terminal, put together from what the attachment was told and what the view shows. Pure.
import type { AttachClient } from "#lib/client/attach-client.ts";
import { sameSize } from "#lib/protocol/geometry.ts";
import { type AttachedFacts, statusOf } from "./session-status.ts";
import type { SizeOwner, TerminalSnapshot } from "./terminal-status.ts";
import type { ViewFacts } from "./terminal-view.ts";
import type { WhoseHands } from "./whose-hands.ts";

export interface SnapshotSources {
  readonly facts: AttachedFacts;
  readonly seen: ViewFacts;
  readonly client: Pick<AttachClient, "state" | "droppedKeys" | "rttMs">;
  readonly hands: WhoseHands | null;
  readonly isReadOnly: boolean;
  /** Of the last interruption, until the person has seen it. */
  readonly droppedKeys: number;
  /** When this view began to connect. */
  readonly createdMs: number;
}

export function terminalSnapshot(sources: SnapshotSources): TerminalSnapshot {
  const { facts, seen, client, hands, isReadOnly, droppedKeys, createdMs } = sources;
  const known = facts.kind === "known" ? facts : null;
  const { mySize } = seen;
  const size = known ? known.size : null;
  return {
    ...seen,
    size,
    status: statusOf(client.state, facts, client.droppedKeys, createdMs),
    sizeOwner: sizeOwnerOf(facts),
    isForeignSize: size !== null && mySize !== null && !sameSize(size, mySize),
    isReadOnly,
    title: known?.title ?? "",
    phase: known?.phase ?? "starting",
    hands,
    viewers: known?.viewers ?? 0,
    droppedKeys,
    rttMs: client.rttMs,
  };
}

export function sizeOwnerOf(facts: AttachedFacts): SizeOwner {
  if (facts.kind === "unknown" || !facts.sizeOwner) return "nobody";
  return facts.sizeOwner === facts.attachment ? "me" : "other";
}

/** Values are plain data. */
export function isSameSnapshot(a: TerminalSnapshot, b: TerminalSnapshot): boolean {
  const keys = Object.keys(a) as (keyof TerminalSnapshot)[];
  return keys.every(
    (key) => Object.is(a[key], b[key]) || JSON.stringify(a[key]) === JSON.stringify(b[key]),
  );
}
