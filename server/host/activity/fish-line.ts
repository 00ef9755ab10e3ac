// What fish edits a line for: a command, or its own `read`. To the system both are the same (mode, call, program), so what fish shows has to tell
// them apart: its prompt, and the title, in which it names what runs. Pure; for fish that announces nothing by markers.
import { isShellAtPrompt, isShellName, type Observation } from "./observation.ts";

/** `prompt`: what was shown at the last prompt; null: none was seen yet. */
export interface FishLine {
  readonly group: number | null;
  readonly prompt: { readonly text: string; readonly title: string } | null;
  /** The line is no command line. */
  readonly isOther: boolean;
}

export const noFishLine: FishLine = { group: null, prompt: null, isOther: false };

/** Of two prompts of one shell at least so much is the same at their begin and end: the folder and the last status differ. */
const sameShare = 0.6;

export function nextFishLine(state: FishLine, seen: Observation): FishLine {
  const { foreground, shell } = seen;
  if (!foreground || shell !== "unknown" || !/^-?fish$/.test(foreground.name ?? ""))
    return state.isOther ? { ...state, isOther: false } : state;
  const before =
    state.group === foreground.pgid ? state : { ...noFishLine, group: foreground.pgid };
  // What somebody types meanwhile changes nothing.
  if (!isEditing(seen) || !seen.isLineUntouched) return before;
  const { cursorLine: text, title } = seen;
  // As long as nobody typed anything it is a prompt, though perhaps not all of it is on the screen yet.
  const known = seen.sinceWriteMs === null ? null : before.prompt;
  if (!known && text.trim() === "") return before;
  const isOther = known ? !isPrompt({ text, title }, known) : readsPrompt(text);
  return { group: foreground.pgid, prompt: isOther ? before.prompt : { text, title }, isOther };
}

function isEditing(seen: Observation): boolean {
  const { read, isReadFresh } = seen;
  if (!isReadFresh || read.kind !== "reading" || !isShellName(read.program)) return false;
  return isShellAtPrompt({ ...seen, isOtherLine: false });
}

function isPrompt(
  { text, title }: { readonly text: string; readonly title: string },
  known: { readonly text: string; readonly title: string },
): boolean {
  if (readsPrompt(text) && !readsPrompt(known.text)) return false;
  // At its prompt fish names the folder, and in front of it the command while one runs.
  if (words(title) > words(known.title)) return false;
  return title !== known.title || isAlike(text, known.text);
}

/** Of a `read` without words of its own. */
function readsPrompt(text: string): boolean {
  return /^read> /.test(text);
}

function words(text: string): number {
  return text.split(/\s+/).filter(Boolean).length;
}

function isAlike(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  let front = 0;
  while (front < shorter && a[front] === b[front]) front += 1;
  let back = 0;
  while (back < shorter - front && a.at(-1 - back) === b.at(-1 - back)) back += 1;
  return front + back >= sameShare * b.length;
}
