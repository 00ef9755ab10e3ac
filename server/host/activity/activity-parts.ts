// What the activity of a session is observed by: the session gives these, tests may play them.
import type { TtySettings } from "#server/host/pty/tty-settings.ts";
import type { Observation, ShellView } from "./observation.ts";
import type { TerminalLook } from "./tty-read.ts";

export interface ActivityParts {
  lifecycle(): Observation["lifecycle"];
  shell(): ShellView;
  line(): CursorLineView;
  title(): string;
  /** Typed bytes that the kernel has not taken yet. */
  backlogBytes(): number;
  /** About 0.1 ms; see tty-read.ts. */
  look(): TerminalLook;
  /** About 8 ms. */
  settings(): Promise<TtySettings>;
}

export interface CursorLineView {
  readonly text: string;
  readonly isAtEnd: boolean;
  readonly altScreen: boolean;
}
