// Whether unsent text stands on a line whose shell tells nothing (DR1): by what was typed, checked against what the screen showed before the
// first key and shows now. Pure. Where the screen cannot say, the keys since the last Enter, C-c or C-u decide.
import { asksForRest } from "#lib/terminal/shell-continuation.ts";
import type { LineEnd } from "./unsent-line.ts";

/** The cursor's line, as it stands on the screen. */
export interface Sight {
  /** Up to the cursor. */
  readonly text: string;
  readonly isAtEnd: boolean;
  /** Something stands in the rows below it: a search, a list of completions. */
  readonly hasBelow: boolean;
  readonly seq: number;
  readonly cols: number;
}

/** Who has the terminal: a shell with its prompt, a program that reads (ssh, a REPL), one that does not, or nobody can tell. */
export type Front = "shell" | "reader" | "busy" | "unknown";

export interface Typed {
  readonly isOpen: boolean;
  readonly lastEnd: LineEnd | null;
  readonly enters: number;
  readonly breaks: number;
  readonly bytes: number;
  readonly isUnfinished: boolean;
  readonly before: Sight | null;
}

export function standsThere(typed: Typed, now: Sight, front: Front): boolean {
  const { isOpen, lastEnd, before } = typed;
  if (!isOpen && lastEnd === "interrupt") return false;
  const found = before === null ? null : compared(before, now);
  if (found === "same" && !now.hasBelow) return false;
  if (isOpen || (lastEnd === "cut" && front === "shell" && now.hasBelow)) return true;
  // A program that takes its answer in silence leaves it there as well; a shell that did not take the line shows it behind its prompt.
  if (found === "longer" && (lastEnd === "cut" || front === "shell" || front === "unknown"))
    return true;
  return goesOn(typed, now, front);
}

/** What stands there has, or may have, several rows: cutting one of them would leave the others. */
export function hasRows(typed: Typed, now: Sight, front: Front): boolean {
  const { before, breaks } = typed;
  if (breaks > 0 || goesOn(typed, now, front)) return true;
  // A line of the history, say. In a program that is no shell nobody knows what stands in other rows.
  return front === "shell" && (now.hasBelow || (before !== null && now.seq > before.seq));
}

/** An Enter was typed, and what it ended is not sent: the shell asks for the rest of it. */
function goesOn(typed: Typed, now: Sight, front: Front): boolean {
  const { enters, bytes, isUnfinished, before } = typed;
  if (enters === 0 || before === null || compared(before, now) === "same") return false;
  // Typed ahead of whoever reads it.
  if (front === "busy") return isUnfinished;
  const isIndented =
    before.text.trim() !== "" && now.text.trim() === "" && now.text.length >= before.text.length;
  const isAsked = asksForRest(now.text) || isIndented;
  if (front === "shell") return isAsked || (isUnfinished && now.text.trim() !== "");
  // In another program the rest is asked for right below what was typed: what it printed in between would be an answer.
  const rows = enters + Math.floor(bytes / now.cols);
  const isBelow = now.seq - before.seq <= rows;
  return isBelow && (isAsked || (front === "unknown" && isUnfinished && now.text.trim() !== ""));
}

/** `same`: what stood before the first key and nothing more. null: nothing to compare with. */
function compared(before: Sight, now: Sight): "same" | "longer" | null {
  if (before.text.trim() === "" || !now.text.startsWith(before.text)) return null;
  if (now.text.length > before.text.length) return "longer";
  return now.isAtEnd || !before.isAtEnd ? "same" : "longer";
}
