// Output of real programs (e2e/recordings, NAME-COLSxROWS.bin): a snapshot anywhere in it, continued, ends as the recording does.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  compareTerminals,
  feed,
  screenOf,
  type Viewer,
  viewerOf,
} from "#server/testing/screen-dsl.ts";

const folder = join(import.meta.dirname, "../../../e2e/recordings");
const cuts = 20;

/** mulberry32: the same cuts in every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const recordings = readdirSync(folder).flatMap((file) => {
  const match = /^(.+)-(\d+)x(\d+)\.bin$/.exec(file);
  return match ? [{ file, size: { cols: Number(match[2]), rows: Number(match[3]) } }] : [];
});

describe("recordings", () => {
  it("there are some", () => expect(recordings.length).toBeGreaterThanOrEqual(8));

  for (const [index, { file, size }] of recordings.entries()) {
    it(`[SN2] ${file}: a snapshot at ${cuts} random places, then the rest, is the whole`, async () => {
      const bytes = readFileSync(join(folder, file));
      const next = random(index + 1);
      const places = Array.from({ length: cuts }, () => Math.floor(next() * bytes.length)).sort(
        (a, b) => a - b,
      );
      const screen = await screenOf("", size);
      const viewers: { place: number; viewer: Viewer }[] = [];
      let at = 0;
      for (const place of places) {
        await feed(screen, bytes.subarray(at, place));
        at = place;
        const viewer = viewerOf(await screen.snapshot(place, 0));
        expect(compareTerminals(screen, viewer), `right after the snapshot at ${place}`).toEqual(
          [],
        );
        viewers.push({ place, viewer });
      }
      await feed(screen, bytes.subarray(at));
      for (const { place, viewer } of viewers) {
        viewer.write(bytes.subarray(place));
        expect(compareTerminals(screen, viewer), `cut at ${place}`).toEqual([]);
        viewer.dispose();
      }
      expect(screen.faults).toBe(0);
      screen.dispose();
    });
  }
});
