// A pseudo-terminal with a process in it, as the rest of the host sees it (PT1-PT13). Every library fault is mended below this line.

import type { Event } from "#lib/base/emitter.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import type { ExitStatus, SignalName } from "#lib/protocol/session.ts";
import type { SpawnSpec } from "./spawn-spec.ts";

/** A gap inside a unit: what stands before byte `at` is written, and the rest no earlier than `ms` later. */
export interface Pause {
  readonly at: number;
  readonly ms: number;
}

/** Of a unit that may come to be unwanted while it waits (LS7). */
export interface Fence {
  /** Asked at the moment of each write, of a few KiB at most. False: the rest of it is dropped. */
  mayWrite(): boolean;
  /** Once: the first byte was handed over, or none ever will be. `stale`: because of `mayWrite`. */
  began(outcome: UnitOutcome): void;
  /** What stands before one of its pauses was handed over. */
  paused(): void;
  /** All of it was handed over. */
  ended(): void;
  /** What has to be written in the place of the rest when it is dropped behind so many bytes: the program must not be left amid a paste. */
  owed(bytes: number): Uint8Array;
  /** The rest of a unit that had begun was dropped; so many bytes of it were, or will be, written. Instead of `ended`. */
  cut(bytes: number): void;
}
export type UnitOutcome = "written" | "stale" | "discarded";

export interface Pty extends Disposable {
  readonly pid: number;
  /** The terminal's device, e.g. `/dev/pts/3`; null where it has none, and after exit. */
  readonly tty: string | null;
  /** Output in order. The array is the listener's to keep; nobody writes to it afterwards. Fires synchronously per read. */
  readonly onData: Event<Uint8Array>;
  /** Once, after the last `onData` (PT3), within 1 s of the process's end although others hold the terminal (PT10). */
  readonly onExit: Event<ExitStatus>;
  /**
   * Queues one unit of input; units are written whole and in order, nothing else lands in their pauses (in order of `at`). False, with
   * nothing queued, when the backlog would exceed `limits.inputBacklogBytes`. After exit: true, and ignored.
   */
  write(unit: Uint8Array, pauses?: readonly Pause[], fence?: Fence): boolean;
  /** Drops what is queued behind a fence that says no; of a unit in the middle, what is left. */
  dropStale(): void;
  /** Takes the pauses out of everything queued; order and bytes stay. */
  skipPauses(): void;
  /** Bytes queued and not yet taken by the kernel. */
  readonly backlogBytes: number;
  /** Drops queued units that have not begun; returns how many bytes. A unit in the middle is finished up to its next pause. */
  discardQueued(): number;
  /** Ignored after exit. The size was validated by the caller. */
  resize(size: GridSize): void;
  /** Stops reading; the kernel's buffer then stops the program. */
  pause(): void;
  resume(): void;
  /** To the foreground process group, past any queued input (PT6). Ignored after exit. */
  signalForeground(signal: SignalName): void;
  /** To every process of the session (tree, session id, groups), KILL after `limits.killGraceMs`; resolves when none is left or KILL was sent. */
  end(signal: SignalName): Promise<void>;
  /** Releases descriptors at once; a process still alive is killed. Idempotent. */
  dispose(): void;
}

export interface PtyFactory {
  /** Whether terminals can be started here; the reason is shown to people. */
  readonly availability: PtyAvailability;
  /** Throws TermError BAD_CWD, BAD_COMMAND, BAD_SIZE, TERMINALS_*, PTY_SPAWN_FAILED; nothing is left behind then. */
  spawn(spec: SpawnSpec): Promise<Pty>;
}

export type PtyAvailability =
  | {
      state: "ready";
      /** What the self-test found wrong without refusing the module (HO5); sentences for people. */
      warnings?: readonly string[];
    }
  /** `--no-terminal` (PT2). */
  | { state: "disabled"; reason: string }
  /** No module works here (PT1). */
  | { state: "unavailable"; reason: string };
