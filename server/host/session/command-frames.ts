// Commands that began and ended, as viewers are told (AT): the newest state of each, in order of their indices. A program that prints
// markers ten thousand times a second costs its viewers a few frames; what was left out is seen by the gap in the indices.
import type { Clock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { CommandRecord } from "#lib/protocol/journal.ts";
import { Coalesced } from "./coalesced.ts";

const periodMs = 50;
/** Of one period; a person sees no more, and a loop of an agent runs no faster. */
const maxPending = 16;

export class CommandFrames implements Disposable {
  private readonly pending = new Map<number, CommandRecord>();
  private readonly pace: Coalesced;

  constructor(clock: Clock, send: (record: CommandRecord) => void) {
    this.pace = new Coalesced(clock, periodMs, () => {
      const records = [...this.pending.values()];
      this.pending.clear();
      for (const record of records) send(record);
    });
  }

  tell(record: CommandRecord): void {
    this.pending.set(record.index, record);
    for (const index of this.pending.keys()) {
      if (this.pending.size <= maxPending) break;
      this.pending.delete(index);
    }
    this.pace.poke();
  }

  dispose(): void {
    this.pace.dispose();
  }
}
