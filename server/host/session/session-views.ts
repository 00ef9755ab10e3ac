// What the viewers of one session look through, put together from its parts: snapshots, for agents without what is hidden in text, and drawn
// frames. Decides nothing; who gets which is the attachment's.
import type { Clock } from "#lib/base/clock.ts";
import type { DisposableStore } from "#lib/base/lifecycle.ts";
import type { OutputLog } from "#server/host/output/output-log.ts";
import type { Pump } from "#server/host/output/pump.ts";
import type { ScreenApi } from "#server/host/screen/screen-api.ts";
import type { SecretWords } from "#server/host/secrets/secret-words.ts";
import { FrameSource } from "#server/host/viewer/frame-source.ts";
import { type MarkSource, SnapshotSource } from "#server/host/viewer/snapshot-source.ts";

export interface ViewSources {
  readonly log: OutputLog;
  readonly pump: Pump;
  readonly screen: ScreenApi;
  readonly words: Pick<SecretWords, "version">;
  readonly marks: MarkSource;
}

export interface SessionViews {
  readonly snapshots: SnapshotSource;
  /** For agents: without what is hidden in text. */
  readonly agentSnapshots: SnapshotSource;
  readonly frames: FrameSource;
}

/** Everything that is made goes into `store`. */
export function viewsOf(sources: ViewSources, clock: Clock, store: DisposableStore): SessionViews {
  const { log, pump, screen, words, marks } = sources;
  const covered: Pick<ScreenApi, "snapshot"> = {
    snapshot: (...place) => screen.coveredSnapshot(...place),
  };
  return {
    snapshots: store.add(new SnapshotSource(log, pump, screen, clock, marks)),
    agentSnapshots: store.add(
      new SnapshotSource(log, pump, covered, clock, marks, () => words.version),
    ),
    frames: store.add(new FrameSource(pump, screen, clock)),
  };
}
