// What was printed, as text between two cursors (JR5, OP3): since a cursor of an earlier reply, or of one command.
import type { Clock } from "#lib/base/clock.ts";
import { type Cursor, formatCursor, parseCursor, type Since } from "#lib/protocol/cursor.ts";
import type { OutputReply } from "#lib/protocol/journal.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { OutputText } from "#server/host/screen/output-text.ts";
import type { ScreenApi } from "#server/host/screen/screen-api.ts";
import { readInOrder } from "./in-order.ts";
import type { Session } from "./session.ts";

export interface OutputQuery {
  readonly since?: Since | undefined;
  /** Instead: the last so many lines. */
  readonly tail?: number | undefined;
  readonly max_bytes?: number | undefined;
}

export function readOutput(
  session: Session,
  clock: Clock,
  { since = "start", tail, max_bytes = limits.outputBytes.default }: OutputQuery,
): Promise<OutputReply> {
  return readInOrder(session, clock, async (screen) => {
    if (tail === undefined)
      return outputReply(await screen.outputInSlices(placeOf(screen, since), null, max_bytes));
    const found = await screen.outputInSlices(firstPlace, null, max_bytes, tail);
    // Nobody gave a cursor that could have been led elsewhere.
    return outputReply({ ...found, reflowed: false });
  });
}

/** Of all that was ever printed, kept or not. */
const firstPlace: Cursor = { seq: 0, col: 0 };

function placeOf(screen: ScreenApi, since: Since): Cursor {
  switch (since) {
    case "now":
      return screen.position();
    case "start":
      return { seq: screen.oldestSeq, col: 0 };
    default:
      return parseCursor(since);
  }
}

export function outputReply(output: OutputText): OutputReply {
  const { text, start, next, truncated, evicted, altScreen, shortened, reflowed, hygiene } = output;
  return {
    text,
    start: formatCursor(start),
    next: formatCursor(next),
    truncated,
    evicted,
    alt_screen: altScreen,
    ...(shortened ? { shortened } : {}),
    ...(reflowed ? { reflowed } : {}),
    ...(hygiene ? { hygiene } : {}),
  };
}
