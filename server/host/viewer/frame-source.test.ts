import { setImmediate as nextLoop } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { utf8 } from "#lib/base/bytes.ts";
import { toDisposable } from "#lib/base/lifecycle.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import type { ScreenApi } from "#server/host/screen/screen-api.ts";
import { FakeClock } from "#server/testing/fake-clock.ts";
import { type Frame, FrameSource, type FrameTaker } from "./frame-source.ts";

const size = { cols: 80, rows: 24 };

/** A screen that takes `drawMs` to draw and a pump that knows whether somebody holds it. */
function rig(drawMs = 0) {
  const clock = new FakeClock();
  const drawn: GridSize[] = [];
  const pump = {
    applied: 0,
    appliedEntries: 0,
    holds: 0,
    async hold() {
      pump.holds += 1;
      return toDisposable(() => {
        pump.holds -= 1;
      });
    },
  };
  const screen = {
    size,
    modes: {} as ScreenApi["modes"],
    isMidUpdate: false,
    fault: null as Error | null,
    async frame(view: GridSize) {
      drawn.push(view);
      clock.advance(drawMs);
      if (screen.fault) throw screen.fault;
      return utf8(`${pump.applied}`);
    },
  };
  const source = new FrameSource(pump, screen, clock);
  const taker = (view: GridSize) => {
    const got: (Frame | Error)[] = [];
    const made: FrameTaker & { got: typeof got } = {
      view,
      isCovered: false,
      got,
      take: (frame) => got.push(frame),
      fail: (fault) => got.push(fault as Error),
    };
    return made;
  };
  const wait = async (ms: number) => {
    clock.advance(ms);
    for (let i = 0; i < 5; i++) await nextLoop();
  };
  return { clock, pump, screen, source, taker, wait, drawn };
}

describe("FrameSource", () => {
  it("[AT6] viewers larger than the session share one drawing, smaller ones get their own", async () => {
    const { source, taker, wait, drawn } = rig();
    const takers = [
      { cols: 120, rows: 40 },
      { cols: 300, rows: 90 },
      { cols: 40, rows: 40 },
    ].map(taker);
    for (const each of takers) source.request(each);
    await wait(25);
    expect(takers.map(({ got }) => got.length)).toEqual([1, 1, 1]);
    expect(drawn).toEqual([
      { cols: 81, rows: 25 },
      { cols: 40, rows: 25 },
    ]);
    const [first, second] = takers.map(({ got }) => got[0] as Frame);
    expect(first?.picture).toBe(second?.picture);
  });

  it("[SC7] a screen that takes long to draw has three times as long to itself", async () => {
    const { source, taker, wait, drawn } = rig(100);
    const viewer = taker({ cols: 120, rows: 40 });
    source.request(viewer);
    await wait(25);
    expect(drawn).toHaveLength(1);
    source.request(viewer);
    await wait(299);
    expect(drawn).toHaveLength(1);
    await wait(1);
    expect(drawn).toHaveLength(2);
  });

  it("who asks while a frame is drawn gets the next one too", async () => {
    const { source, pump, taker, wait } = rig();
    const viewer = taker({ cols: 120, rows: 40 });
    viewer.take = (frame) => {
      viewer.got.push(frame);
      if (viewer.got.length < 3) source.request(viewer);
    };
    source.request(viewer);
    for (let i = 1; i < 5; i++) {
      pump.applied = i;
      await wait(25);
    }
    expect(viewer.got.map((frame) => (frame as Frame).at)).toEqual([1, 2, 3]);
  });

  it("a fault while drawing is told to the viewer, holds nothing up, and the next frame is tried", async () => {
    const { source, pump, screen, taker, wait } = rig();
    const [viewer, other] = [taker({ cols: 120, rows: 40 }), taker({ cols: 40, rows: 10 })];
    screen.fault = new Error("a cell is missing");
    source.request(viewer);
    await wait(25);
    expect(viewer.got).toEqual([screen.fault]);
    expect(pump.holds).toBe(0);
    screen.fault = null;
    source.request(other);
    await wait(25);
    expect(other.got).toHaveLength(1);
  });

  it("who left gets nothing, and nothing is left behind at the end", async () => {
    const { source, taker, wait, drawn, clock, pump } = rig();
    const viewer = taker({ cols: 120, rows: 40 });
    source.request(viewer);
    source.withdraw(viewer);
    await wait(25);
    expect(drawn).toEqual([]);
    source.request(viewer);
    source.dispose();
    await wait(100);
    source.request(viewer);
    expect(drawn).toEqual([]);
    expect(clock.pending).toBe(0);
    expect(pump.holds).toBe(0);
  });
});
