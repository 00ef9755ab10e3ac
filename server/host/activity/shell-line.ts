// What a shell without markers shows on its line besides its prompt: the rest of a command that it asks for, questions of its own. Pure.
import { asksForRest } from "#lib/terminal/shell-continuation.ts";
import type { Observation } from "./observation.ts";

export interface ShellLine {
  /** Of the shell that was last at its prompt. */
  readonly group: number | null;
  /** Its prompt itself looks like a request for the rest (PS1='> '). */
  readonly isUsual: boolean;
  readonly isContinued: boolean;
  /** Lines sent since the last prompt, and whether another program was seen in front after one: then no rest was missing. */
  readonly sent: number;
  readonly hasRun: boolean;
  /** Nothing was sent since a shell that edits no lines showed its prompt: it still waits there, whatever a job prints behind it. */
  readonly isAtPlainPrompt: boolean;
}

export const noShellLine: ShellLine = {
  group: null,
  isUsual: false,
  sent: 0,
  hasRun: false,
  isContinued: false,
  isAtPlainPrompt: false,
};

/** `isIdle`: the shell is at its prompt, as far as the rest of the observation tells. */
export function nextShellLine(state: ShellLine, seen: Observation, isIdle: boolean): ShellLine {
  const { foreground, shell } = seen;
  if (!foreground || shell !== "unknown") return state;
  const isSame = state.group === foreground.pgid;
  if (!isIdle) return isSame || state.hasRun ? state : { ...state, hasRun: true };
  // What somebody types on it makes it no other line.
  if (isSame && !seen.isLineUntouched) return state;
  // Its prompt is still to come.
  if (!isSame && seen.cursorLine.trim() === "") return state;
  const isRest = asksForRest(seen.cursorLine);
  // What a shell shows first, or before anybody typed, is its prompt.
  const isFirst = !isSame || seen.sinceWriteMs === null;
  const isUsual = isRest && (isFirst || state.isUsual || (state.hasRun && state.sent === 1));
  const isContinued = isRest && !isUsual;
  const isAtPlainPrompt = !isContinued && seen.read.kind === "reading" && seen.read.call === "read";
  const isUnchanged =
    isSame &&
    state.sent === 0 &&
    !state.hasRun &&
    isUsual === state.isUsual &&
    isContinued === state.isContinued &&
    isAtPlainPrompt === state.isAtPlainPrompt;
  return isUnchanged
    ? state
    : { ...noShellLine, group: foreground.pgid, isUsual, isContinued, isAtPlainPrompt };
}

/** Somebody ended so many lines. */
export function sentShellLine(state: ShellLine, lines: number): ShellLine {
  return { ...state, sent: state.sent + lines, isContinued: false, isAtPlainPrompt: false };
}

/** zsh before it removes or corrects something, its menu (select), and shells that have much to list: read by the line editor, one key or a line. */
const questions =
  /^(?:zsh: .+(?:\[[a-z]{2,6}\]|\)|possibilities)\? ?|\?# |Display all \d+ possibilities\? \(y or n\) ?)$/;

export function isShellQuestion(line: string): boolean {
  return questions.test(line);
}
