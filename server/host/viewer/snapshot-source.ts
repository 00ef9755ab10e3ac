// Takes snapshots for viewers and shares them: however many attach at once, the screen is serialised once.
import type { Clock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { SnapshotMarks } from "#lib/protocol/attach.ts";
import type { WrittenLine } from "#lib/protocol/written-lines.ts";
import type { OutputLogApi } from "#server/host/output/output-log.ts";
import type { Pump } from "#server/host/output/pump.ts";
import type { EarlySnapshot, ScreenApi, Snapshot } from "#server/host/screen/screen-api.ts";

/** A snapshot, where the commands stand in it, and what to count its rows from. */
export type ViewedSnapshot = Snapshot & HeldMarks;
export type EarlyView = EarlySnapshot & HeldMarks;
type HeldMarks = Pick<SnapshotMarks, "commands" | "lowest">;

export interface MarkSource {
  /** Asked while nothing is applied: true of the snapshot at its place only. */
  held(): HeldMarks;
  /** Whose lines are which; the places are good at any time. */
  written(): WrittenLine[];
}

/** A snapshot this little behind is as good as a new one: the viewer's reader starts at its place and gets the rest as bytes. */
const reuseBytes = 64 * 1024;
/** How long an unused snapshot (some megabytes) may lie about. */
const reuseMs = 2_000;

export class SnapshotSource implements Disposable {
  private pending: Promise<ViewedSnapshot> | null = null;
  private latest: ViewedSnapshot | null = null;
  private latestVersion = 0;
  private expiry: Disposable | null = null;
  /** Of the one that is being taken, and who waits for it. */
  private early: EarlyView | null = null;
  private earlyVersion = 0;
  private readonly earlyWaiters = new Set<(early: EarlyView) => void>();

  constructor(
    private readonly log: OutputLogApi,
    private readonly pump: Pump,
    private readonly screen: Pick<ScreenApi, "snapshot">,
    private readonly clock: Clock,
    private readonly marks?: MarkSource,
    /** Rises when what the screen covers in snapshots has changed: those taken before are used no more. */
    private readonly coverVersion: () => number = () => 0,
  ) {}

  /** Asked when it is sent: a snapshot that is used again is older than the last typing. */
  get written(): Pick<SnapshotMarks, "written"> {
    const written = this.marks?.written() ?? [];
    return written.length > 0 ? { written } : {};
  }

  /** A snapshot whose place is still in the log. `early` is told its screen first when that is known long before the rest. */
  take(early: (snapshot: EarlyView) => void = () => {}): Promise<ViewedSnapshot> {
    if (!this.pending && this.latest && this.isGoodEnough(this.latest))
      return Promise.resolve(this.latest);
    if (this.early) {
      if (this.earlyVersion === this.coverVersion()) early(this.early);
    } else this.earlyWaiters.add(early);
    this.pending ??= this.make().finally(() => {
      this.pending = null;
      this.early = null;
      this.earlyWaiters.clear();
    });
    return this.pending;
  }

  dispose(): void {
    this.expiry?.dispose();
    this.latest = null;
  }

  /** The hold makes the joint exact: nothing is applied between reading the place and serialising it (SN3). */
  private async make(): Promise<ViewedSnapshot> {
    const hold = await this.pump.hold();
    try {
      const { applied, appliedEntries } = this.pump;
      const marks = this.marks?.held();
      let version: number;
      let taken: Snapshot;
      do {
        version = this.coverVersion();
        taken = await this.screen.snapshot(applied, appliedEntries, (screen) => {
          if (!this.early && version === this.coverVersion())
            this.tellEarly({ ...screen, ...marks }, version);
        });
      } while (version !== this.coverVersion());
      const snapshot = { ...taken, ...marks };
      this.latestVersion = version;
      this.keep(snapshot);
      return snapshot;
    } finally {
      hold.dispose();
    }
  }

  private tellEarly(early: EarlyView, version: number): void {
    this.early = early;
    this.earlyVersion = version;
    for (const tell of this.earlyWaiters) tell(early);
  }

  private keep(snapshot: ViewedSnapshot): void {
    this.expiry?.dispose();
    this.latest = snapshot;
    this.expiry = this.clock.after(reuseMs, () => {
      this.latest = null;
    });
  }

  /** Not across a resize: the viewer would see the old size for a moment. */
  private isGoodEnough(snapshot: Snapshot): boolean {
    return (
      this.latestVersion === this.coverVersion() &&
      snapshot.at >= this.log.oldest &&
      this.log.end - snapshot.at <= reuseBytes &&
      this.log.entryCount === snapshot.afterEntry
    );
  }
}
