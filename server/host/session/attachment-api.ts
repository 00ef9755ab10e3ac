// One attached viewer as its transport sees it: how it attaches, and what its client's frames do.
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import type { LeaseAction, Politeness } from "#lib/protocol/lease.ts";

export interface AttachOptions {
  readonly readonly: boolean;
  readonly since?: number;
  /** Frames drawn for a terminal of this size instead of the log (AT6). */
  readonly render?: GridSize;
  /** After so long without typing this person's keyboard goes back (LS5); null: never; left out: as the server is set. */
  readonly idleMs?: number | null;
}

export interface AttachmentApi extends Disposable {
  readonly id: string;
  /** Bytes a person caused; refused (error frame) for readers; offers the size authority to this viewer (SZ1). */
  typed(bytes: Uint8Array): void;
  report(data: string): void;
  propose(size: GridSize): void;
  useMySize(size: GridSize): void;
  acknowledge(at: number): void;
  ping(id: number): void;
  /** Taking, holding, handing back; what a person says about the line and about passwords. */
  keyboard(action: LeaseAction["action"]): void;
  /** How others may take the keyboard from this person (LS9). */
  prefers(politeness: Politeness | "server"): void;
  /** The answer to a password prompt; refused (error frame) and dropped where none stands. Settles when that is known. */
  answer(text: string): Promise<void>;
}
