import { describe, expect, it } from "vitest";
import { type GridSize, sameSize } from "#lib/protocol/geometry.ts";
import { limits } from "#lib/protocol/limits.ts";
import { FakeClock } from "#server/testing/fake-clock.ts";
import { SizeControl } from "./size-control.ts";

function rig() {
  const clock = new FakeClock();
  const taken: GridSize[] = [];
  const owners: (string | null)[] = [];
  const control = new SizeControl(
    { size: { cols: 80, rows: 24 }, owner: { by: "nobody" } },
    { take: (size) => taken.push(size), ownerChanged: (owner) => owners.push(owner) },
    clock,
  );
  control.fact({ kind: "joined", id: "a" });
  const propose = (cols: number) =>
    control.fact({ kind: "proposed", id: "a", size: { cols, rows: 24 } });
  const set = (cols: number) => control.fact({ kind: "set", size: { cols, rows: 24 } });
  return {
    clock,
    taken,
    owners,
    control,
    propose,
    set,
    cols: () => taken.map((size) => size.cols),
  };
}

describe("SizeControl", () => {
  it("[SZ3] proposals are debounced 100 ms and the last is taken", () => {
    const { clock, cols, propose } = rig();
    propose(90);
    clock.advance(99);
    propose(91);
    clock.advance(99);
    expect(cols()).toEqual([]);
    clock.advance(1);
    expect(cols()).toEqual([91]);
  });

  it("[SZ3] the same size is not taken twice, and a proposal of the present size cancels a pending one", () => {
    const { clock, cols, propose } = rig();
    propose(90);
    clock.advance(100);
    propose(90);
    clock.advance(1_000);
    propose(95);
    propose(90);
    clock.advance(1_000);
    expect(cols()).toEqual([90]);
  });

  it("[SZ4] a storm of 200 proposals in 2 s ends at the last", () => {
    const { clock, taken, control, propose } = rig();
    for (let i = 0; i < 200; i++) {
      propose(50 + i);
      clock.advance(10);
    }
    clock.advance(limits.resizeDebounceMs);
    expect(sameSize(taken.at(-1) as GridSize, { cols: 249, rows: 24 })).toBe(true);
    expect(control.size.cols).toBe(249);
  });

  it("[T56] 100,000 sizes set in 1 s: at most 21 are taken, the last exactly", () => {
    const { clock, cols, control, set } = rig();
    for (let i = 0; i < 100_000; i++) {
      set(2 + (i % 900));
      if (i % 100 === 0) clock.advance(1);
    }
    expect(cols().length).toBeLessThanOrEqual(21);
    expect(control.size.cols).toBe(2 + (99_999 % 900));
    clock.advance(50);
    expect(cols().at(-1)).toBe(2 + (99_999 % 900));
  });

  it("[SZ2] a size set by the API is taken at once and drops a pending proposal", () => {
    const { clock, cols, owners, propose, set } = rig();
    propose(90);
    set(120);
    expect(cols()).toEqual([120]);
    clock.advance(1_000);
    expect(cols()).toEqual([120]);
    expect(owners).toEqual(["a", null]);
  });

  it("leaves no timer behind", () => {
    const { clock, control, propose } = rig();
    propose(90);
    control.dispose();
    expect(clock.pending).toBe(0);
  });
});
