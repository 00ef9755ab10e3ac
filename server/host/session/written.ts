// What somebody typed: the fact that the journal, the phase, drafts, attribution and the audit live on.
import type { Actor } from "#lib/protocol/actor.ts";

export interface Written {
  readonly actor: Actor;
  /**
   * `keys`: a person at a viewer, keystroke or paste. `input`: a batch of the API. `mouse`: a mouse event of the API. `report`: what a
   * viewer's terminal emitted by itself or for the mouse; no typing.
   */
  readonly cause: "keys" | "input" | "mouse" | "report";
  /** As the program gets it. Borrowed: never written to, and not kept where it may be a secret. */
  readonly bytes: Uint8Array;
  /** Lease epoch under which it was written. */
  readonly epoch: number;
  /** Caption of an agent (`act`). */
  readonly note?: string | undefined;
  /** Id of the request that carried it; null for sockets. */
  readonly request: string | null;
  /** Typed while a password is asked for: nobody may see or keep it (CR3). */
  readonly isSecret: boolean;
}
