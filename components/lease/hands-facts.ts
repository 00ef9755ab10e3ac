// What the line about whose hands are on the keyboard is made of, and for how long what was seen counts as now.
import type { WhoseHands } from "#lib/xterm/whose-hands.ts";

/** How long a write and a look are shown (UI, 4): a write moves for 900 ms and is read for as long as a look. */
export const actingMs = 1_500;
export const viewingMs = 1_500;
export const answeredMs = 1_500;
/** What an agent said about a write stands beside the detail for so long. */
export const captionMs = 5_000;

export interface HandsFacts {
  hands: WhoseHands;
  /** Id of this person, where the attachment does not say. */
  me: string | null;
  /** An agent is known to act here: who. */
  agent: string | null;
  /** Something runs that waits for nobody. */
  isWorking: boolean;
  isTouch: boolean;
  /** Monotonic. */
  nowMs: number;
  /** The countdown in whole seconds, for those who want nothing to move. */
  isStill: boolean;
}

/** The person of this window has the keyboard. */
export function isMe({ hands, me }: Pick<HandsFacts, "hands" | "me">): boolean {
  const { holder, actor_id } = hands.lease;
  return holder === "human" && actor_id !== null && actor_id === (hands.me ?? me);
}
