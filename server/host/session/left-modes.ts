// Ends what a killed program left on in its terminal: reports of the mouse and of focus, and Kitty's keyboard, which would be typed at the
// shell's prompt from then on (B075). Decides when; the session says how to look and where the bytes go.
//
// Only what a command switched on, and only once its shell is back: a shell's own reports stay, and so do bracketed paste and cursor keys,
// which shells set for themselves. The bytes are the log's, like a program's, so that screen, snapshots and every viewer stay one thing.
import { assertNever } from "#lib/base/assert.ts";
import { utf8 } from "#lib/base/bytes.ts";
import type { Modes } from "#lib/protocol/screen.ts";
import type { ShellState } from "#server/host/journal/journal-api.ts";
import { mouseOff } from "#server/host/screen/input-modes.ts";

export interface TerminalReports {
  readonly mouse: boolean;
  readonly focus: boolean;
  /** Kitty keyboard modes on its stack. */
  readonly pushes: number;
}

export interface LeftModesParts {
  reports(): TerminalReports;
  /** Everything in the log is parsed. */
  isCaughtUp(): boolean;
  /** The prompt is the shell's own, and no program has the terminal: marks are text that any program can print. */
  isShellInFront(): boolean;
  append(bytes: Uint8Array): void;
}

export function reportsOf(modes: Pick<Modes, "mouse" | "focus_reporting">, pushes: number) {
  return { mouse: modes.mouse !== "off", focus: modes.focus_reporting, pushes };
}

export class LeftModes {
  /** When the command began. */
  private before: TerminalReports | null = null;
  private left: TerminalReports | null = null;
  private isAtPrompt = false;

  constructor(private readonly parts: LeftModesParts) {}

  /** In the parse of the mark that says so. */
  shellMoved(state: ShellState): void {
    switch (state) {
      case "running":
        this.began();
        break;
      case "idle":
        this.commandEnded();
        break;
      case "prompt":
      case "input":
        this.commandEnded();
        this.isAtPrompt = true;
        break;
      case "unknown":
        break;
      default:
        assertNever(state);
    }
  }

  /**
   * Something more is parsed. With nothing behind it in the log, the next command's first byte comes after what is appended here: it can
   * take nothing from a program that has just begun.
   */
  parsed(): void {
    if (!this.left || !this.isAtPrompt || !this.parts.isCaughtUp()) return;
    const bytes = ending(both(this.left, this.parts.reports()));
    if (bytes !== "" && !this.parts.isShellInFront()) return;
    this.left = null;
    if (bytes !== "") this.parts.append(utf8(bytes));
  }

  private began(): void {
    const { mouse, focus, pushes } = this.parts.reports();
    const { left } = this;
    this.isAtPrompt = false;
    this.left = null;
    // What the last command left, and nobody could end yet, is left by whoever leaves it now.
    this.before = {
      mouse: mouse && !left?.mouse,
      focus: focus && !left?.focus,
      pushes: pushes - (left?.pushes ?? 0),
    };
  }

  private commandEnded(): void {
    if (this.before === null) return;
    const now = this.parts.reports();
    const { mouse, focus, pushes } = this.before;
    this.before = null;
    const left = {
      mouse: now.mouse && !mouse,
      focus: now.focus && !focus,
      pushes: Math.max(0, now.pushes - pushes),
    };
    this.left = left.mouse || left.focus || left.pushes > 0 ? left : null;
  }
}

function both(a: TerminalReports, b: TerminalReports): TerminalReports {
  return {
    mouse: a.mouse && b.mouse,
    focus: a.focus && b.focus,
    pushes: Math.min(a.pushes, b.pushes),
  };
}

function ending({ mouse, focus, pushes }: TerminalReports): string {
  return `${mouse ? mouseOff : ""}${focus ? "\x1b[?1004l" : ""}${pushes > 0 ? `\x1b[<${pushes}u` : ""}`;
}
