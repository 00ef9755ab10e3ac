// The snapshots of one screen (SN1): what besides its cells belongs into them, covered for who must not read it, and shared by all who ask for
// the same state. Nothing is parsed while one is taken.
import type { Terminal } from "@xterm/headless";
import { concatBytes } from "#lib/base/bytes.ts";
import type { Clock } from "#lib/base/clock.ts";
import type { ModeTracker } from "./modes.ts";
import type { Palette } from "./palette.ts";
import type { ParseQueue } from "./parse-queue.ts";
import type { EarlySnapshot, Snapshot } from "./screen-api.ts";
import { SharedSerialisation } from "./shared-serialisation.ts";
import { starredCore, type TextMask } from "./shown-core.ts";
import { type SerialisedTerminal, serialise } from "./snapshot.ts";
import type { Titles } from "./titles.ts";
import type { UnfinishedInput } from "./unfinished-input.ts";
import { parserStateOf } from "./xterm-internals.ts";

export interface SnapshotParts {
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly queue: Pick<ParseQueue, "hold" | "heldBack">;
  readonly unfinished: Pick<UnfinishedInput, "bytes">;
  readonly titles: Pick<Titles, "current">;
  readonly palette: Pick<Palette, "sequences">;
  readonly modes: Pick<ModeTracker, "sequence">;
}

export class ScreenSnapshots {
  private readonly plain = new SharedSerialisation();
  private readonly covered = new SharedSerialisation();

  constructor(private readonly parts: SnapshotParts) {}

  /** `version` rises with everything that is parsed. `mask` undefined: nothing is covered. */
  async take(
    version: number,
    place: Omit<EarlySnapshot, "screen">,
    mask: TextMask | undefined,
    early: (snapshot: EarlySnapshot) => void,
  ): Promise<Snapshot> {
    const shared = mask ? this.covered : this.plain;
    const made = await shared.get(`${version}.${mask?.version}`, () =>
      this.make(mask, (screen) => early({ ...place, screen })),
    );
    return { ...place, ...made };
  }

  private async make(
    mask: TextMask | undefined,
    early: (screen: Uint8Array) => void,
  ): Promise<SerialisedTerminal> {
    const { terminal, clock, queue, titles, palette, modes } = this.parts;
    const hold = queue.hold();
    try {
      const title = mask ? mask.hide(titles.current) : titles.current;
      const begun = this.parts.unfinished.bytes(parserStateOf(terminal));
      const unfinished = concatBytes([begun, queue.heldBack]);
      const source = {
        terminal,
        core: starredCore(terminal, mask),
        clock,
        extras: `\x1b]2;${title}\x1b\\${palette.sequences()}${modes.sequence}`,
        unfinished: mask ? mask.cover(unfinished) : unfinished,
      };
      return await serialise(source, early);
    } finally {
      hold.dispose();
    }
  }
}
