import { setImmediate as nextLoop } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { concatBytes, utf8 } from "#lib/base/bytes.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import { limits } from "#lib/protocol/limits.ts";
import { FakeClock } from "#server/testing/fake-clock.ts";
import { OutputLog } from "./output-log.ts";
import { Pump } from "./pump.ts";

const MiB = 1024 * 1024;

/** A screen that applies a write when told to, and a PTY that knows whether it is paused. */
function rig() {
  const log = new OutputLog();
  const clock = new FakeClock();
  const applied: (string | GridSize)[] = [];
  const pending: (() => void)[] = [];
  const source = {
    isPaused: false,
    pause: () => {
      source.isPaused = true;
    },
    resume: () => {
      source.isPaused = false;
    },
  };
  const target = {
    write(bytes: Uint8Array, done: () => void) {
      expect(pending).toHaveLength(0);
      pending.push(() => {
        applied.push(new TextDecoder().decode(bytes));
        done();
      });
    },
    resize(size: GridSize) {
      expect(pending).toHaveLength(0);
      applied.push(size);
    },
  };
  const pump = new Pump(log, target, source, clock);
  const finishOne = () => pending.shift()?.();
  const finishAll = async () => {
    while (pending.length > 0) {
      finishOne();
      await nextLoop();
    }
  };
  return { log, clock, applied, pending, source, pump, finishOne, finishAll };
}

describe("Pump", () => {
  it("[LG1] applies bytes and resizes in the order of the log, one write at a time", async () => {
    const { log, applied, finishAll, pump } = rig();
    log.appendBytes(utf8("one"));
    log.appendResize({ cols: 90, rows: 30 });
    log.appendBytes(utf8("two"));
    log.appendExit({ exit_code: 0, signal: null });
    await finishAll();
    expect(applied).toEqual(["one", { cols: 90, rows: 30 }, "two"]);
    expect(pump.applied).toBe(6);
    expect(pump.appliedEntries).toBe(2);
  });

  it("[SC6] pauses the PTY above the high watermark and resumes it below the low one", async () => {
    const { log, source, finishOne, pending, pump } = rig();
    while (!source.isPaused) log.appendBytes(new Uint8Array(64 * 1024));
    expect(log.end).toBeGreaterThan(limits.screenLagHighBytes);
    expect(log.end).toBeLessThan(limits.screenLagHighBytes + 128 * 1024);
    while (source.isPaused) {
      expect(log.end - pump.applied).toBeGreaterThanOrEqual(limits.screenLagLowBytes);
      finishOne();
      await nextLoop();
      expect(pending).toHaveLength(1);
    }
    expect(log.end - pump.applied).toBeLessThan(limits.screenLagLowBytes);
  });

  it("[SC7] leaves the event loop a turn between two writes", async () => {
    const { log, pending, finishOne } = rig();
    log.appendBytes(new Uint8Array(MiB));
    finishOne();
    expect(pending).toHaveLength(0);
    await nextLoop();
    expect(pending).toHaveLength(1);
  });

  it("[SC7] writes less at a time when turns take long, more when they are quick", async () => {
    const { log, clock, applied, finishOne } = rig();
    log.appendBytes(new Uint8Array(MiB));
    const sizes = async (elapsedMs: number, count: number) => {
      const from = applied.length;
      for (let i = 0; i < count; i++) {
        clock.advance(elapsedMs);
        finishOne();
        await nextLoop();
      }
      return applied.slice(from).map((text) => (text as string).length);
    };
    await sizes(1, 6);
    expect((await sizes(1, 1))[0]).toBeGreaterThan(16 * 1024);
    await sizes(100, 6);
    expect((await sizes(100, 1))[0]).toBeLessThanOrEqual(8 * 1024);
  });

  it("[SN3] a hold begins between two writes and nothing is applied while it lasts", async () => {
    const { log, applied, pending, pump, finishOne, finishAll } = rig();
    log.appendBytes(utf8("before"));
    let isHeld = false;
    const held = pump.hold().then((hold) => {
      isHeld = true;
      return hold;
    });
    log.appendBytes(utf8("after"));
    await nextLoop();
    expect(isHeld).toBe(false);
    finishOne();
    const hold = await held;
    const second = await pump.hold();
    await nextLoop();
    expect(pending).toHaveLength(0);
    expect(applied).toEqual(["before"]);
    expect(pump.applied).toBe(6);
    hold.dispose();
    hold.dispose();
    await nextLoop();
    expect(pending).toHaveLength(0);
    second.dispose();
    await finishAll();
    expect(applied).toEqual(["before", "after"]);
  });

  it("whenApplied resolves at its place, resizes included, and at dispose", async () => {
    const { log, pump, finishAll } = rig();
    await pump.whenApplied(0);
    const hold = await pump.hold();
    log.appendBytes(utf8("abc"));
    log.appendResize({ cols: 90, rows: 30 });
    const seen: string[] = [];
    void pump.whenApplied(3, 1).then(() => seen.push("resized"));
    void pump.whenApplied(4).then(() => seen.push("later"));
    await nextLoop();
    expect(seen).toEqual([]);
    hold.dispose();
    await finishAll();
    await nextLoop();
    expect(seen).toEqual(["resized"]);
    pump.dispose();
    await nextLoop();
    expect(seen).toEqual(["resized", "later"]);
  });

  it("a write that ends after dispose moves nothing", async () => {
    const { log, pump, pending, finishOne } = rig();
    log.appendBytes(concatBytes([utf8("abc"), new Uint8Array(MiB)]));
    pump.dispose();
    finishOne();
    await nextLoop();
    expect(pending).toHaveLength(0);
    expect(pump.applied).toBe(0);
  });

  it("a hold is granted although a write will never end, once the pump is disposed", async () => {
    const { log, pump } = rig();
    log.appendBytes(utf8("abc"));
    const before = pump.hold();
    pump.dispose();
    (await before).dispose();
    (await pump.hold()).dispose();
  });
});
