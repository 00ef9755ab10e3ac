import { describe, expect, it } from "vitest";
import { utf8 } from "#lib/base/bytes.ts";
import { limits } from "#lib/protocol/limits.ts";
import { FakeClock } from "#server/testing/fake-clock.ts";
import { hidden, notReading, reading } from "#server/testing/observations.ts";
import { LookPace } from "./look-pace.ts";
import { ReadFreshness } from "./read-freshness.ts";
import { runsScript } from "./shell-arguments.ts";
import { effectOf } from "./typed-bytes.ts";
import { goesOnByItself, parseThreadCall } from "./waiting-syscalls.ts";

describe("whether a read began after the last write", () => {
  const old = reading("cat", { wait: "200.1", readBytes: 0 });
  const later = reading("cat", { wait: "200.2", readBytes: 2 });

  it("[PH2] a read is fresh as long as nobody types", () => {
    expect(new ReadFreshness().looked(old, false, 0)).toBe(true);
  });

  it("[PH2] the same wait after a write is an old one; the next is new", () => {
    const freshness = new ReadFreshness();
    freshness.wrote(utf8("y\r"), old, old, false, 0);
    expect(freshness.looked(old, false, 1)).toBe(false);
    expect(freshness.looked(old, false, 200)).toBe(false);
    expect(freshness.looked(later, false, 201)).toBe(true);
  });

  it("[PH2] a program that has read less than was typed is in the middle of it", () => {
    const freshness = new ReadFreshness();
    freshness.wrote(utf8("yes\r"), old, old, false, 0);
    expect(freshness.looked(later, false, 5)).toBe(false);
    const all = reading("cat", { wait: "200.5", readBytes: 4 });
    expect(freshness.looked(all, false, 6)).toBe(true);
  });

  it("[PH2] several writes count together, and what the terminal itself takes does not", () => {
    const freshness = new ReadFreshness();
    freshness.wrote(utf8("ye"), old, old, false, 0);
    freshness.wrote(utf8("\x7f\r"), old, old, false, 1);
    expect(freshness.looked(later, false, 5)).toBe(false);
    expect(freshness.looked(reading("cat", { wait: "200.3", readBytes: 3 }), false, 5)).toBe(true);
  });

  it("[PH2] as long as typed bytes wait to be written nothing is fresh", () => {
    const freshness = new ReadFreshness();
    freshness.wrote(utf8("y\r"), old, old, true, 0);
    expect(freshness.looked(later, true, 1_000)).toBe(false);
    expect(freshness.looked(later, false, 1_001)).toBe(false);
    expect(freshness.looked(later, false, 1_020)).toBe(false);
    expect(freshness.looked(later, false, 1_050)).toBe(true);
  });

  it("[PH2] a wait that outlasts the write by far was not ended by it", () => {
    const freshness = new ReadFreshness();
    freshness.wrote(utf8("ab"), old, old, false, 0);
    expect(freshness.looked(old, false, 499)).toBe(false);
    expect(freshness.looked(old, false, 500)).toBe(true);
  });

  it("[PH2] another reader is a new one, also one that is not ours to look at", () => {
    const freshness = new ReadFreshness();
    freshness.wrote(utf8("sudo x\r"), old, notReading, false, 0);
    expect(freshness.looked(hidden("sudo"), false, 1)).toBe(true);
  });
});

describe("the pace of looks", () => {
  function pace() {
    const clock = new FakeClock();
    const at: number[] = [];
    let isSteady = false;
    const it = new LookPace(() => {
      at.push(clock.monotonic());
      it.looked(isSteady);
    }, clock);
    const count = (fromMs: number, toMs: number) =>
      at.filter((each) => each > fromMs && each <= toMs).length;
    return { clock, it, at, count, rest: () => (isSteady = true) };
  }

  it("[PH2] looks within 10 ms of an event, and a few times more", () => {
    const { clock, it: looks, at } = pace();
    looks.stir();
    clock.advance(400);
    expect(at[0]).toBeLessThanOrEqual(10);
    expect(at.length).toBeGreaterThanOrEqual(5);
  });

  it("[PH2] a program that works in silence is looked at four times a second, and soon only once", () => {
    const { clock, it: looks, count } = pace();
    looks.stir();
    clock.advance(600_000);
    expect(count(1_000, 2_000)).toBeGreaterThanOrEqual(4);
    expect(count(4_000, 10_000)).toBe(12);
    expect(count(100_000, 110_000)).toBe(10);
    expect(count(590_000, 600_000)).toBe(10);
  });

  it("[PH2] one that waits is looked at rarely and then not at all, until something happens", () => {
    const { clock, it: looks, count, rest } = pace();
    rest();
    looks.stir();
    clock.advance(600_000);
    expect(count(10_000, 20_000)).toBe(5);
    expect(count(70_000, 600_000)).toBe(0);
    expect(clock.pending).toBe(0);
    looks.stir();
    clock.advance(10);
    expect(count(600_000, 600_010)).toBe(1);
  });

  it("[PH2] output without end costs no more than the bound", () => {
    const { clock, it: looks, at } = pace();
    for (let i = 0; i < 1_000; i++) {
      looks.stir();
      clock.advance(10);
    }
    expect(at.length).toBeLessThanOrEqual(limits.looksAtOnce + 10 * limits.looksPerSecond + 1);
    expect(at.length).toBeGreaterThan(10);
  });

  it("[PH2] who waits keeps the pace, until the wait is over", () => {
    const { clock, it: looks, count } = pace();
    looks.stir();
    const wait = looks.attend();
    clock.advance(100_000);
    expect(count(90_000, 100_000)).toBeGreaterThanOrEqual(40);
    wait.dispose();
    wait.dispose();
    clock.advance(100_000);
    expect(count(190_000, 200_000)).toBe(10);
    looks.dispose();
    expect(clock.pending).toBe(0);
  });
});

describe("what the system says", () => {
  it("[PH2] a read, a poll and a select are known by number; a sleep is something else", () => {
    expect(parseThreadCall("0 0x3 0x7f 0x1 0x0 0x0 0x0 0x7ffc 0x7f08\n", "x64")).toEqual({
      kind: "waiting",
      call: "read",
      args: [3, 0x7f, 1, 0, 0, 0],
    });
    expect(parseThreadCall("63 0x0 0x7f 0x1 0x0 0x0 0x0 0x1 0x2", "arm64")).toMatchObject({
      call: "read",
    });
    expect(parseThreadCall("230 0x0 0x0 0x7f", "x64")).toEqual({ kind: "elsewhere" });
    expect(parseThreadCall("-1 0x7ffc 0x7f08", "x64")).toEqual({ kind: "elsewhere" });
    expect(parseThreadCall("running\n", "x64")).toEqual({ kind: "running" });
    expect(parseThreadCall("0 0x0", "mips")).toBeNull();
  });

  it("[PH2] a thread that runs, sleeps or waits for a child goes on by itself", () => {
    for (const text of ["running", "230 0x0 0x0 0x7f", "61 0xffff", "35 0x7f 0x7f"])
      expect([text, goesOnByItself(text, "x64")]).toEqual([text, true]);
    expect(goesOnByItself("115 0x0", "arm64")).toBe(true);
    for (const text of ["202 0x7f 0x80", "0 0x0 0x7f", "-1 0x7ffc"])
      expect([text, goesOnByItself(text, "x64")]).toEqual([text, false]);
    expect(goesOnByItself("230 0x0", "mips")).toBe(false);
  });

  it("[PH1] a shell that was given something to run shows no prompt", () => {
    for (const args of [
      ["-c", "x"],
      ["-lc", "x"],
      ["-i", "-c", "x"],
      ["script"],
      ["--norc", "script"],
      ["--command", "x"],
    ])
      expect([args, runsScript(args)]).toEqual([args, true]);
    for (const args of [
      [],
      ["-i"],
      ["-l"],
      ["--rcfile", "x"],
      ["--rcfile", "x", "-i"],
      ["-C", "x"],
      ["-f"],
    ])
      expect([args, runsScript(args)]).toEqual([args, false]);
  });

  it("[PH2] Enter and interrupts end a line; what stands behind them is on the next", () => {
    expect(effectOf(utf8("ls\r"))).toEqual({ isSubmit: true, leavesText: false });
    expect(effectOf(utf8("a\rb"))).toEqual({ isSubmit: true, leavesText: true });
    expect(effectOf(utf8("a"))).toEqual({ isSubmit: false, leavesText: true });
    expect(effectOf(utf8("\x03"))).toEqual({ isSubmit: true, leavesText: false });
  });
});
