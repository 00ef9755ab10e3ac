// C-E6 and T62: ten thousand takeovers over the lease machine, the fence and the queue, in front of a played program that sometimes does not read. What
// reaches it falls apart into one run per epoch: nothing of an agent's comes behind the key that took the keyboard from it.
import { expect, it } from "vitest";
import { emptyBytes, utf8 } from "#lib/base/bytes.ts";
import { Arbiter } from "#server/host/lease/arbiter.ts";
import type { Fence } from "#server/host/pty/pty.ts";
import { FakeClock } from "#server/testing/fake-clock.ts";
import { FakePty } from "#server/testing/fake-pty.ts";
import { Keyboard } from "./keyboard.ts";

const takeovers = 10_000;
const ada = { id: "ada", name: "Ada" };
const manners = { said: null, otherwise: "polite" } as const;
const spec = {
  file: "/bin/cat",
  args: [],
  cwd: "/",
  env: {},
  size: { cols: 80, rows: 24 },
  term: "xterm",
  command: ["cat"],
  integration: { kind: "none" },
} as const;

/** Reproducible. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fff_ffff;
    return Math.floor((state / 0x8000_0000) * sides);
  };
}

it("[LS7] [T62] [T64] [C-E6] of 10,000 takeovers none lets a stale byte through, and each unit that is cut knows how much of it arrived", () => {
  const roll = dice(8_861);
  const clock = new FakeClock();
  const pty = new FakePty(spec, 7, clock);
  const keyboard = new Keyboard(pty, clock);
  const noLine = {
    isThere: () => false,
    hasText: () => null,
    sight: () => {
      throw new Error("there is no line");
    },
    rows: () => 1,
    front: () => {
      throw new Error("there is no line");
    },
  };
  const arbiter = new Arbiter({ line: noLine }, clock);
  arbiter.onTaken(() => keyboard.dropStale());
  const sent: string[] = [];
  const delivered: number[] = [];
  const outcomes = { whole: 0, cut: 0, lost: 0 };

  function agentTypes(name: string, n: number): string {
    const text = `[${n}${name}]\r`.repeat(1 + roll(roll(4) === 0 ? 600 : 4));
    const { epoch } = arbiter;
    const fence: Fence = {
      mayWrite: () => arbiter.epoch === epoch,
      began: (outcome) => {
        if (outcome !== "written") outcomes.lost += 1;
      },
      paused: () => {},
      ended: () => {
        outcomes.whole += 1;
        delivered.push(text.length);
      },
      owed: () => emptyBytes,
      cut: (bytes) => {
        outcomes.cut += 1;
        delivered.push(bytes);
      },
    };
    expect(keyboard.write(utf8(text), [], fence)).toBe(true);
    return text;
  }

  for (let n = 0; n < takeovers; n++) {
    if (roll(4) === 0) pty.stick(roll(2) === 0);
    sent.push(agentTypes("x", n) + agentTypes("y", n));
    // Time for the queue to be tried again, and for a takeover amid it.
    clock.advance(roll(3) * 5);
    expect(arbiter.typing(ada, 4_000, manners)).toBe(true);
    expect(keyboard.write(utf8(`{${n}}\r`))).toBe(true);
    arbiter.handBack();
  }
  expect(arbiter.epoch).toBe(2 * takeovers);
  pty.stick(false);
  clock.advance(1_000);

  const taken = pty.takenText;
  // People's keys are all there, in order.
  expect(taken.match(/\{\d+\}(?=\r)/g)).toEqual(sent.map((_, n) => `{${n}}`));
  const runs = taken.split(/\{\d+\}\r/);
  expect(runs.at(-1)).toBe("");
  // Between two of them stands what agents sent in that epoch, as far as it came, and nothing of another.
  const stale = sent.filter((text, n) => !text.startsWith(runs[n] ?? "none"));
  expect(stale).toEqual([]);
  const arrived = runs.reduce((sum, run) => sum + run.length, 0);
  expect(delivered.reduce((sum, bytes) => sum + bytes, 0)).toBe(arrived);
  // It was no walk: all three happened a lot.
  expect(Math.min(outcomes.whole, outcomes.cut, outcomes.lost)).toBeGreaterThan(500);
  arbiter.dispose();
  keyboard.dispose();
  pty.dispose();
  expect(clock.pending).toBe(0);
}, 120_000);
