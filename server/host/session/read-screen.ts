// The screen as text, in the form that was asked for (OP2).
import type { Clock } from "#lib/base/clock.ts";
import type { ScreenQuery, ScreenReply } from "#lib/protocol/screen.ts";
import { screenReply } from "#server/host/screen/screen-reply.ts";
import { readInOrder } from "./in-order.ts";
import { exitOf } from "./lifecycle.ts";
import type { Session } from "./session.ts";

export async function readScreen(
  session: Session,
  clock: Clock,
  query: ScreenQuery,
): Promise<ScreenReply> {
  return readInOrder(session, clock, async (screen) => {
    const view = await screen.viewInSlices();
    return screenReply(view, query, exitOf(session.record.lifecycle)?.status);
  });
}
