// Where the pane's terminal comes from: a session of a server, or the one behind a connection of the line service. The rest of the TUI knows no
// transport.
import type { Event } from "#lib/base/emitter.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import type { PaneScreen } from "./pane-screen.ts";

export interface TerminalFacts {
  readonly name: string;
  /** In words for the status line. */
  readonly phase: string;
  /** Nothing but the shell's prompt: a second Ctrl-C leaves. null: not known. */
  readonly isIdle: boolean | null;
  /** Whose hands are on the keyboard, in words. Empty: not known. */
  readonly keyboard: string;
  readonly isPassword: boolean;
  readonly link: "connecting" | "live" | "waiting" | "over";
  /** What a person should hear now. */
  readonly notice: string;
}

export interface PaneTerminal extends Disposable {
  readonly screen: PaneScreen;
  readonly facts: TerminalFacts;
  readonly onChange: Event<void>;
  /** The session has ended, or nothing leads to it any more. */
  readonly onOver: Event<Over>;
  type(text: string): void;
  /** The pane's size. */
  fit(size: GridSize): void;
}

export interface Over {
  /** `exited`: its program has; `closed`: it was removed; `lost`: the server is not to be reached. */
  readonly kind: "exited" | "closed" | "refused" | "lost";
  readonly text: string;
}

export interface ListedTerminal {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly size: string;
  readonly keyboard: string;
}

export interface TerminalSource extends Disposable {
  /** For people. */
  readonly where: string;
  /** null: this way in leads to one terminal only. */
  readonly sessions: readonly ListedTerminal[] | null;
  readonly onSessions: Event<void>;
  open(id: string, size: GridSize): PaneTerminal;
  /** A new one; throws Error with a sentence. */
  create(size: GridSize): Promise<PaneTerminal>;
  /** Where the first look at the list is still under way. */
  ready(): Promise<void>;
  /** The server that was asked is gone for good. */
  isGone(): boolean;
}
