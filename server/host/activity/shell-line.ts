// What a shell without markers shows on its line besides its prompt: the rest of a command that it asks for, questions of its own. Pure.
import { asksForRest } from "#lib/terminal/shell-continuation.ts";
import type { Observation } from "./observation.ts";

export interface ShellLine {
  /** Of the shell that was last at its prompt. */
  readonly group: number | null;
  /** Its prompt itself looks like a request for the rest (PS1='> '). */
  readonly isUsual: boolean;
  readonly isContinued: boolean;
  /** Nothing was sent since a shell that edits no lines showed its prompt: it still waits there, whatever a job prints behind it. */
  readonly isAtPlainPrompt: boolean;
}

export const noShellLine: ShellLine = {
  group: null,
  isUsual: false,
  isContinued: false,
  isAtPlainPrompt: false,
};

/** `isIdle`: the shell is at its prompt, as far as the rest of the observation tells. */
export function nextShellLine(state: ShellLine, seen: Observation, isIdle: boolean): ShellLine {
  const { foreground, shell } = seen;
  if (!isIdle || !foreground || shell !== "unknown") return state;
  const isSame = state.group === foreground.pgid;
  // What somebody types on it makes it no other line.
  if (isSame && !seen.isLineUntouched) return state;
  // Its prompt is still to come.
  if (!isSame && seen.cursorLine.trim() === "") return state;
  const isRest = asksForRest(seen.cursorLine);
  // What a shell shows first, or before anybody typed, is its prompt.
  const isUsual = isSame && seen.sinceWriteMs !== null ? state.isUsual : isRest;
  const isContinued = isRest && !isUsual;
  const isAtPlainPrompt = !isContinued && seen.read.kind === "reading" && seen.read.call === "read";
  const isUnchanged =
    isSame &&
    isUsual === state.isUsual &&
    isContinued === state.isContinued &&
    isAtPlainPrompt === state.isAtPlainPrompt;
  return isUnchanged ? state : { group: foreground.pgid, isUsual, isContinued, isAtPlainPrompt };
}

/** Somebody ended a line. */
export function sentShellLine(state: ShellLine): ShellLine {
  return state.isContinued || state.isAtPlainPrompt
    ? { ...state, isContinued: false, isAtPlainPrompt: false }
    : state;
}

/** zsh before it removes or corrects something, its menu (select), and shells that have much to list: read by the line editor, one key or a line. */
const questions =
  /^(?:zsh: .+(?:\[[a-z]{2,6}\]|\)|possibilities)\? ?|\?# |Display all \d+ possibilities\? \(y or n\) ?)$/;

export function isShellQuestion(line: string): boolean {
  return questions.test(line);
}
