// The one record that phase, credential prompt and explanation are derived from (PH1). Values only: whoever gathers them is activity.ts.
import type { TtySettings } from "#server/host/pty/tty-settings.ts";
import { isShellQuestion } from "./shell-line.ts";
import type { TtyRead } from "./tty-read.ts";

/** As the journal tells it (ShellState of journal-api.ts); `unknown` until the first marker. */
export type ShellView = "unknown" | "idle" | "prompt" | "input" | "running";

export interface Observation {
  readonly lifecycle: "starting" | "running" | "exited" | "closed";
  /** Since the process was started. */
  readonly ageMs: number;
  readonly shell: ShellView;
  /** Null where the system does not tell. */
  readonly foreground: ForegroundView | null;
  readonly read: TtyRead;
  /** The read that was seen began after the last write, or outlasted the time in which the write would have ended it (PH2). */
  readonly isReadFresh: boolean;
  readonly settings: TtySettings;
  /** They were asked while this read lasted, and not at an earlier one. */
  readonly areSettingsOfRead: boolean;
  /** Since the last output; since the start when there was none. */
  readonly quietMs: number;
  /** Null: nobody typed. */
  readonly sinceWriteMs: number | null;
  /** The shell is at its prompt by its markers, and somebody ended a line there (or pressed ^C, ^D …) that it has not taken up yet. */
  readonly isLineUnanswered: boolean;
  /** Text of the cursor's line left of the cursor, wrapped rows joined. */
  readonly cursorLine: string;
  /** Nothing stands right of the cursor. */
  readonly isCursorAtEnd: boolean;
  /** What the program calls its window. */
  readonly title: string;
  /** A line editor of the shell reads, and not for a command (fish-line.ts). */
  readonly isOtherLine: boolean;
  /** Of the shell that has the terminal, as remembered (shell-line.ts). */
  readonly shellLine: { readonly isContinued: boolean; readonly isAtPlainPrompt: boolean };
  readonly altScreen: boolean;
  /** Nothing was typed on this line: whatever stands on it the program printed. */
  readonly isLineUntouched: boolean;
  /** What the credential machine (credential.ts) holds; `answered`: something was typed and the program has not gone on yet. */
  readonly credential: { readonly source: CredentialSource; readonly isAsked: boolean } | null;
}

/** How a password prompt was recognised (CR1). */
export type CredentialSource = "echo_off" | "prompt" | "manual";

export interface ForegroundView {
  readonly pgid: number;
  readonly name: string | null;
  /** The session's own process has the terminal. */
  readonly isSessionLeader: boolean;
  /** By its name a shell. */
  readonly isShell: boolean;
  /** It was started with a script or a command to run, and shows no prompt. */
  readonly runsScript: boolean;
  /** Live processes of the group, ascending. */
  readonly members: readonly number[];
}

const shells = new Set(
  "sh bash dash zsh fish ash ksh ksh93 mksh oksh yash tcsh csh rbash busybox elvish nu xonsh pwsh osh".split(
    " ",
  ),
);

/** Login shells have a minus in front of their name. */
export function isShellName(name: string | null): boolean {
  return name !== null && shells.has(name.replace(/^-/, "").replace(/-?\d[\d.]*$/, ""));
}

/** Shells that keep the terminal in the line editor's mode at their prompt; dash and its like read plain lines there. */
export function hasLineEditor(name: string | null): boolean {
  return isShellName(name) && !/^-?(sh|dash|ash|busybox)$/.test(name ?? "");
}

/** The shell has the terminal and shows its prompt; false also where nobody can tell. */
export function isShellAtPrompt(seen: Observation): boolean {
  const { foreground, read } = seen;
  if (!foreground?.isShell || foreground.runsScript) return false;
  // A program that it runs without a group of its own.
  if (read.kind === "reading" && !isShellName(read.program)) return false;
  if (read.kind === "reading" && isShellQuestion(seen.cursorLine)) return false;
  switch (seen.shell) {
    case "prompt":
    case "input":
    case "idle":
      return true;
    case "running":
      return false;
    case "unknown":
      return isEditingLine(seen);
  }
}

/** A shell's line editor reads keys one by one and draws them itself; its `read` builtin does a plain read, whatever the mode. */
function isEditingLine(seen: Observation): boolean {
  const { foreground, settings, read } = seen;
  const name = foreground?.name ?? null;
  if (seen.isOtherLine || !hasLineEditor(name)) return false;
  // bash polls for its line editor alone; of others only the mode tells, zsh's does a plain read as well.
  const isBash = /^-?r?bash/.test(name ?? "");
  const isPlainRead = read.kind === "reading" && read.call === "read";
  const isSure = isBash && read.kind === "reading" && !isPlainRead && read.how === "blocked";
  // A mode from before this read may be that of the command that ran.
  if (isSure && !seen.areSettingsOfRead) return true;
  if (settings.kind === "known" && (settings.canonical || settings.echo)) return false;
  return !(isPlainRead && isBash);
}
