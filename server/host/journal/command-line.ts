// The text of a command as it is kept (JR2): bounded, and without characters that are not seen, so that nobody who shows it, types it
// again or gives it to a model has to think of them (T88).
import { utf8 } from "#lib/base/bytes.ts";
import { limits } from "#lib/protocol/limits.ts";
import { cleanText } from "#lib/terminal/hidden-characters.ts";

const decoder = new TextDecoder();

/** Newlines and tabs are text. Cut at `limits.journalCommandBytes`, never in a character. */
export function keptLine(text: string): string {
  const { text: clean } = cleanText(
    text.slice(0, limits.commandMarkerBytes).replace(/\r\n?/g, "\n"),
  );
  const trimmed = clean.trimEnd();
  const bytes = utf8(trimmed);
  if (bytes.length <= limits.journalCommandBytes) return trimmed;
  let end: number = limits.journalCommandBytes;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return decoder.decode(bytes.subarray(0, end));
}

const lineChars = 200;

/** One line of it for lists, cut with a mark. */
export function lineForLists(command: string): string {
  const points = [...command.slice(0, 4 * lineChars).replace(/\s*\n\s*/g, " ")];
  const isWhole = points.length <= lineChars && command.length <= 4 * lineChars;
  return isWhole ? points.join("") : `${points.slice(0, lineChars - 1).join("")}…`;
}
