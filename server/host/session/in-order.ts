// Reads of the screen in their place: after everything that was printed before the question (B021). Waits a bounded time for a screen that lags.
import type { Clock } from "#lib/base/clock.ts";
import { TermError } from "#lib/protocol/errors.ts";
import type { ScreenApi } from "#server/host/screen/screen-api.ts";
import type { Session } from "./session.ts";

/** The lag is at most a few megabytes: well under a second of parsing. Later, the answer is the screen as far as it is. */
const patienceMs = 2_000;

/** Nothing is parsed until `read` resolves. Throws SESSION_NOT_FOUND when the session was closed before that. */
export async function readInOrder<T>(
  session: Session,
  clock: Clock,
  read: (screen: ScreenApi) => Promise<T>,
): Promise<T> {
  const { log, pump, screen } = session;
  await within(clock, patienceMs, pump.whenApplied(log.end, log.entryCount));
  const hold = await pump.hold();
  try {
    refuseClosed(session);
    const found = await read(screen);
    refuseClosed(session);
    return found;
  } finally {
    hold.dispose();
  }
}

/** Until everything that was printed before is on the screen, or the patience is over. */
export async function screenInOrder(session: Session, clock: Clock): Promise<void> {
  const { log, pump } = session;
  await within(clock, patienceMs, pump.whenApplied(log.end, log.entryCount));
  refuseClosed(session);
}

/** For those who waited: throws SESSION_NOT_FOUND. */
export function refuseClosed({ record }: Session): void {
  if (record.lifecycle.state === "closed")
    throw new TermError("SESSION_NOT_FOUND", `session ${record.id} was closed meanwhile`);
}

/** Resolves with `work` or after `ms`, whichever comes first. */
function within(clock: Clock, ms: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.after(ms, resolve);
    void work.then(() => {
      timer.dispose();
      resolve();
    });
  });
}
