// Where numbered lines are as viewers count them: rows from the last change of size (lib/protocol/written-lines.ts).
import type { Cursor } from "#lib/protocol/cursor.ts";
import type { LinePlace } from "#lib/protocol/written-lines.ts";
import type { OutputLogApi } from "#server/host/output/output-log.ts";
import type { Pump } from "#server/host/output/pump.ts";
import type { ScreenApi } from "#server/host/screen/screen-api.ts";

export class LinePlaces {
  constructor(
    private readonly screen: Pick<ScreenApi, "locate" | "placeOf" | "lowestPlace">,
    private readonly pump: Pick<Pump, "appliedEntries">,
    private readonly log: Pick<OutputLogApi, "entryCount">,
  ) {}

  /** Viewers may have been told of a change of size that is not on the screen yet. */
  get isBehind(): boolean {
    return this.pump.appliedEntries < this.log.entryCount;
  }

  get lowest(): LinePlace {
    return { nth: this.pump.appliedEntries, row: this.screen.lowestPlace };
  }

  /** Null: the line has left the scrollback, or was cleared away. */
  of(cursor: Cursor): LinePlace | null {
    const { row, evicted } = this.screen.locate(cursor);
    return evicted ? null : { nth: this.pump.appliedEntries, row: this.screen.placeOf(row) };
  }
}
