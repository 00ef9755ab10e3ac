// The host's books of its sessions (HO6): those that the host before left behind are ended, and those there are now are written down for the next.
import type { Clock } from "#lib/base/clock.ts";
import type { SessionInfo } from "#lib/protocol/session.ts";
import type { HostLog } from "./log.ts";
import { endSurvivors } from "./pty/reaper.ts";
import type { SessionLedger } from "./session-ledger.ts";

/** What people should hear of it, as sentences. */
export async function endLeftBehind(
  ledger: SessionLedger,
  clock: Clock,
  log: HostLog,
): Promise<string[]> {
  const left = ledger.leftBehind();
  const survivors = left.length > 0 ? await endSurvivors(left, clock) : [];
  ledger.remove();
  if (left.length === 0) return [];
  const ended = survivors.reduce((count, { ended }) => count + ended.length, 0);
  const text =
    `the host before this one ended without notice and lost ${left.length} sessions; ` +
    `${ended} of their processes were still running and were ended`;
  log.warn({ sessions: left.map(({ session }) => session), ended }, text);
  return [text];
}

export function writeDown(
  ledger: SessionLedger,
  sessions: readonly SessionInfo[],
  log: HostLog,
): void {
  try {
    ledger.update(sessions);
  } catch (error) {
    // A full disk is no reason to refuse a terminal; only a kill -9 would now leave processes behind.
    log.error({ err: error }, "the list of sessions cannot be written");
  }
}
