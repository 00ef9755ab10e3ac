// What the screen and the shell say about the line that is being typed (DR1), for those who judge whether text stands unsent on it.
import { limits } from "#lib/protocol/limits.ts";
import type { Activity } from "#server/host/activity/activity.ts";
import type { TerminalLook } from "#server/host/activity/tty-read.ts";
import type { Journal } from "#server/host/journal/journal.ts";
import type { LineFacts } from "#server/host/lease/arbiter.ts";
import type { Front } from "#server/host/lease/line-sight.ts";
import type { ScreenApi } from "#server/host/screen/screen-api.ts";

/** Enough to see whether a line is empty. */
const lineBytes = 256;
/** Rows of a typed line behind the cursor that are cleared; more would be an essay. */
const behindRows = 8;

export interface LineSources {
  readonly screen: ScreenApi;
  journal(): Journal;
  activity(): Activity;
}

export function lineFacts({ screen, journal, activity }: LineSources): LineFacts {
  /** At the prompt that the shell announced, down to the cursor's row and `below` more. */
  const typedText = (below: number, maxBytes: number): string | null => {
    const { state, inputStart } = journal();
    if (state !== "input" || !inputStart) return null;
    const from = screen.locate(inputStart).at;
    const { seq } = screen.position();
    const to = below === 0 ? { seq, col: screen.size.cols } : { seq: seq + below, col: 0 };
    return screen.lineText(from, to, maxBytes).trim();
  };
  return {
    isThere: () => !screen.isAlternate,
    hasText: () => {
      const text = typedText(0, lineBytes);
      return text === null ? null : text !== "";
    },
    rows: () => {
      const text = typedText(behindRows, limits.canonicalLineBytes);
      return text === null ? null : text === "" ? 0 : text.split("\n").length;
    },
    sight: () => {
      const { text, isAtEnd } = screen.cursorLine();
      const { seq } = screen.position();
      const { cols, rows } = screen.size;
      const below = screen.lineText(
        { seq: seq + 1, col: 0 },
        { seq: seq + rows, col: 0 },
        lineBytes,
      );
      return { text, isAtEnd, hasBelow: below.trim() !== "", seq, cols };
    },
    front: () => frontOf(activity().terminal),
  };
}

function frontOf({ foreground, read }: TerminalLook): Front {
  if (!foreground) return "unknown";
  if (foreground.isShell && !foreground.runsScript) return "shell";
  return read.kind === "not_reading" ? "busy" : "reader";
}

/** On the line that is being typed and the rows into which it goes on, where the screen shows one. */
export function textBehindCursor(screen: ScreenApi): string {
  if (screen.isAlternate) return "";
  const from = screen.position();
  return screen.lineText(from, { seq: from.seq + behindRows, col: 0 }, limits.canonicalLineBytes);
}
