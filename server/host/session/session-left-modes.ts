// What a killed program left on in its terminal (B075), put together from the session's parts. Decides nothing: left-modes.ts does.
import type { DisposableStore } from "#lib/base/lifecycle.ts";
import type { Journal } from "#server/host/journal/journal.ts";
import type { OutputLog } from "#server/host/output/output-log.ts";
import type { Pump } from "#server/host/output/pump.ts";
import type { Foreground } from "#server/host/pty/foreground.ts";
import type { ScreenApi } from "#server/host/screen/screen-api.ts";
import { LeftModes, reportsOf } from "./left-modes.ts";
import type { SessionRecord } from "./session-record.ts";

export interface LeftModesSources {
  readonly screen: ScreenApi;
  readonly log: OutputLog;
  readonly pump: Pump;
  readonly journal: Journal;
  readonly record: SessionRecord;
  /** Of its integration; the session's own process is then a shell, and the kernel says who has the terminal. */
  readonly nonce: string | null;
  foreground(): Foreground | null;
}

/** Everything that is made goes into `store`. */
export function endLeftModes(sources: LeftModesSources, store: DisposableStore): void {
  const { screen, log, pump, journal, record, nonce } = sources;
  const leftModes = new LeftModes({
    reports: () => reportsOf(screen.modes, screen.keyboardPushes),
    isCaughtUp: () => pump.applied === log.end && !record.hasEnded,
    isShellInFront: () => {
      const front = nonce === null ? null : sources.foreground();
      return front ? front.isSessionLeader : !screen.isAlternate;
    },
    append: (bytes) => log.appendBytes(bytes),
  });
  store.add(
    journal.onNews((news) => {
      if (news.kind === "state") leftModes.shellMoved(news.state);
    }),
  );
  // Not at once: others that hear of it look at a screen that stands still.
  store.add(pump.onApplied(() => queueMicrotask(() => leftModes.parsed())));
}
