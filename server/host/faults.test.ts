import { describe, expect, it } from "vitest";
import { FakeClock } from "#server/testing/fake-clock.ts";
import { faultPolicy } from "./faults.ts";

describe("fault policy", () => {
  function policy() {
    const clock = new FakeClock();
    const lines: string[] = [];
    const note = (_fields: object, message: string) => void lines.push(message);
    let ended = 0;
    const onFault = faultPolicy({ info: note, warn: note, error: note }, clock, () => {
      ended += 1;
    });
    return { clock, lines, onFault, ended: () => ended };
  }

  it("[T137] faults now and then are logged and end nothing", () => {
    const { clock, lines, onFault, ended } = policy();
    for (let i = 0; i < 5_000; i += 1) {
      clock.advance(1_000);
      onFault(new Error(`fault ${i}`));
    }
    expect([lines.length, ended()]).toEqual([5_000, 0]);
  });

  it("[T137] a storm is logged a hundred times and ends the host once", () => {
    const { lines, onFault, ended } = policy();
    for (let i = 0; i < 2_000; i += 1) onFault(new Error("again"));
    expect([lines.length, ended()]).toEqual([101, 1]);
  });
});
