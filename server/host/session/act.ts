// Type, wait and read in one call (OP7). The cursor and the command's number are taken before anything is typed, so nothing that the typing causes
// is missed and nothing older counts.
import { formatCursor } from "#lib/protocol/cursor.ts";
import type { Held, InputItem } from "#lib/protocol/input.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { ScreenReply } from "#lib/protocol/screen.ts";
import type { Act, ActReply } from "#lib/protocol/wait.ts";
import { termsOf } from "#server/host/wait/wait-desk.ts";
import { screenInOrder } from "./in-order.ts";
import { readCommandOutput } from "./read-commands.ts";
import { readOutput } from "./read-output.ts";
import { pending, verdictOf, type Waiting } from "./wait.ts";

/** Of the port, which decides who may. */
export interface ActHands {
  /** Before the first prompt of a shell this waits, in the order of the calls (IN8): what is printed meanwhile is older. */
  inTurn<T>(type: (held?: Held) => Promise<T>): Promise<T>;
  write(): Promise<void>;
  screen(): Promise<ScreenReply>;
}

export async function act(
  waiting: Waiting,
  request: Act,
  hands: ActHands,
  signal: AbortSignal | undefined,
): Promise<ActReply> {
  const { session, actor, desk, clock } = waiting;
  const { wait = {}, read = "delta" } = request;
  const terms = termsOf(wait);
  const maxBytes = wait.max_bytes ?? limits.outputBytes.default;
  const place = desk.waiters.enter(actor.id);
  try {
    const { start, held } = await hands.inTurn(async (held) => {
      await screenInOrder(session, clock);
      const start = session.waits.start(typedBy(request.input));
      await hands.write();
      return { start, held };
    });
    const end = await pending(waiting, start, terms, signal);
    const isHidden = end.judgement.outcome === "sealed" || end.facts.exit === "closed";
    const verdict = await verdictOf(waiting, start, end, null);
    const written = request.input.length;
    const reply = { written, ...(held ? { held } : {}), wait: verdict };
    if (isHidden) return reply;
    switch (read) {
      case "none":
        return reply;
      case "screen":
        return { ...reply, screen: await hands.screen() };
      case "delta": {
        const since = formatCursor(start.mark.cursor);
        return {
          ...reply,
          delta: await readOutput(session, clock, { since, max_bytes: maxBytes }),
        };
      }
      case "command": {
        const index = end.facts.ended?.index ?? start.command;
        if (!session.journal.record(index)) return { ...reply, command: null };
        return {
          ...reply,
          command: await readCommandOutput(session, clock, index, { max_bytes: maxBytes }),
        };
      }
    }
  } finally {
    place.dispose();
  }
}

/** `lines`: line ends in it, and as many commands may run. */
function typedBy(items: readonly InputItem[]): { lines: number; isOneLine: boolean } {
  let lines = 0;
  let isWhole = false;
  for (const item of items) {
    if ("key" in item) {
      isWhole = /^(Enter|C-m|C-j|C-c|C-d|C-z)$/i.test(item.key);
      lines += isWhole ? 1 : 0;
    } else {
      const text = "text" in item ? item.text : item.raw;
      isWhole = /[\r\n]$/.test(text);
      lines += text.match(/\r\n|\r|\n/g)?.length ?? 0;
    }
  }
  return { lines, isOneLine: lines === 1 && isWhole };
}
