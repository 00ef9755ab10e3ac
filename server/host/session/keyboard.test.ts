import { describe, expect, it } from "vitest";
import { utf8 } from "#lib/base/bytes.ts";
import { limits } from "#lib/protocol/limits.ts";
import { FakeClock } from "#server/testing/fake-clock.ts";
import { FakePty } from "#server/testing/fake-pty.ts";
import { Keyboard } from "./keyboard.ts";

/** A program that reads only when told to. */
function rig() {
  const clock = new FakeClock();
  let queue: Uint8Array[] = [];
  const pty = {
    signals: [] as string[],
    read: "",
    isReading: false,
    get backlogBytes() {
      return queue.reduce((sum, unit) => sum + unit.length, 0);
    },
    write(unit: Uint8Array) {
      if (pty.backlogBytes + unit.length > limits.inputBacklogBytes) return false;
      queue.push(unit);
      if (pty.isReading) pty.drain();
      return true;
    },
    drain(units = queue.length) {
      for (const unit of queue.splice(0, units)) pty.read += new TextDecoder().decode(unit);
    },
    dropStale(): void {},
    discardQueued() {
      const bytes = pty.backlogBytes;
      queue = [];
      return bytes;
    },
    skipped: 0,
    skipPauses() {
      pty.skipped += 1;
    },
    signalForeground: (signal: string) => pty.signals.push(signal),
  };
  return { clock, pty, keyboard: new Keyboard(pty, clock) };
}

const ctrlC = Uint8Array.of(3);
const microtasks = () => new Promise<void>((resolve) => queueMicrotask(resolve));

describe("Keyboard", () => {
  it("[PT6] C-c to a program that reads is a byte and no signal", () => {
    const { clock, pty, keyboard } = rig();
    pty.isReading = true;
    keyboard.write(ctrlC);
    clock.advance(10_000);
    expect(pty.read).toBe("\x03");
    expect(pty.signals).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it("[PT6] [B015] C-c behind input that nobody reads becomes a signal within 1 s, and the input is dropped", () => {
    const { clock, pty, keyboard } = rig();
    keyboard.write(new Uint8Array(500_000));
    expect(keyboard.write(ctrlC)).toBe(true);
    expect(pty.signals).toEqual([]);
    clock.advance(1_000);
    expect(pty.signals).toEqual(["INT"]);
    expect(pty.backlogBytes).toBe(0);
  });

  it("[PT6] C-c works when the queue is full", () => {
    const { clock, pty, keyboard } = rig();
    expect(keyboard.write(new Uint8Array(limits.inputBacklogBytes))).toBe(true);
    expect(keyboard.write(utf8("x"))).toBe(false);
    expect(keyboard.write(ctrlC)).toBe(true);
    clock.advance(1_000);
    expect(pty.signals).toEqual(["INT"]);
  });

  it("[PT6] [IN4] C-c does not wait for the gaps in front of it, other typing does", () => {
    const { pty, keyboard } = rig();
    keyboard.write(utf8("text\r"), [{ at: 4, ms: 1_000 }]);
    keyboard.write(utf8("x"));
    expect(pty.skipped).toBe(0);
    keyboard.write(ctrlC);
    expect(pty.skipped).toBe(1);
  });

  /** The real writer in front of a program that reads at once. */
  function reading() {
    const clock = new FakeClock();
    const spec = {
      file: "x",
      args: [],
      cwd: "/",
      env: {},
      size: { cols: 80, rows: 24 },
      term: "x",
      command: ["/bin/sh"],
      integration: { kind: "none" as const },
    };
    const pty = new FakePty(spec, 1, clock);
    return { clock, pty, keyboard: new Keyboard(pty, clock) };
  }

  it("[PT6] [IN4] long gaps before and after a C-c in one batch are no sign of a stuck program", () => {
    const { clock, pty, keyboard } = reading();
    keyboard.write(utf8("\x03ls\r"), [{ at: 3, ms: 1_000 }]);
    expect(pty.takenText).toBe("\x03ls");
    clock.advance(1_000);
    expect(pty.takenText).toBe("\x03ls\r");
    keyboard.write(utf8("ls\r\x03"), [
      { at: 2, ms: 1_000 },
      { at: 3, ms: 1_000 },
    ]);
    clock.advance(5_000);
    expect(pty.takenText).toBe("\x03ls\rls\r\x03");
    expect(pty.foregroundSignals).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it("[PT6] once the C-c is read, what nobody reads behind it is no reason for a signal", () => {
    const { clock, pty, keyboard } = reading();
    pty.stick();
    keyboard.write(utf8("y".repeat(5_000)));
    keyboard.write(utf8(`\x03${"z".repeat(10_000)}`));
    // The program reads once more, past the C-c, and then never again.
    pty.stick();
    clock.advance(5_000);
    expect(pty.takenText).toContain("\x03z");
    expect(pty.backlogBytes).toBeGreaterThan(5_000);
    expect(pty.foregroundSignals).toEqual([]);
  });

  it("[IN4] [LM] the gaps of many batches together keep nobody waiting for more than 5 s", () => {
    const { clock, pty, keyboard } = reading();
    for (let i = 0; i < 50; i++) keyboard.write(utf8("x\r"), [{ at: 1, ms: 1_000 }]);
    keyboard.write(utf8("person"));
    clock.advance(limits.inputGapsMs - 1);
    expect(pty.takenText).not.toContain("person");
    clock.advance(1);
    expect(pty.takenText).toBe(`${"x\r".repeat(50)}person`);
    // And then there is time for gaps again.
    keyboard.write(utf8("y\r"), [{ at: 1, ms: 1_000 }]);
    expect(pty.takenText.endsWith("persony")).toBe(true);
  });

  it("[PT6] C-c behind a paste that is being read waits its turn", () => {
    const { clock, pty, keyboard } = rig();
    for (let i = 0; i < 3; i++) keyboard.write(utf8("line\n"));
    keyboard.write(ctrlC);
    for (let i = 0; i < 4; i++) {
      clock.advance(150);
      pty.drain(1);
    }
    clock.advance(1_000);
    expect(pty.signals).toEqual([]);
    expect(pty.read).toBe("line\nline\nline\n\x03");
  });

  it("[PT6] input that comes to a stop later is a stuck program too; input typed after the C-c was read is not", () => {
    const stuck = rig();
    stuck.keyboard.write(utf8("line\n"));
    stuck.keyboard.write(ctrlC);
    stuck.clock.advance(100);
    stuck.pty.drain(1);
    stuck.clock.advance(600);
    expect(stuck.pty.signals).toEqual(["INT"]);
    const later = rig();
    later.keyboard.write(ctrlC);
    later.keyboard.write(utf8("later"));
    later.pty.drain(1);
    later.clock.advance(5_000);
    expect(later.pty.signals).toEqual([]);
    expect(later.clock.pending).toBe(0);
  });

  it("[SC3] the terminal's replies go to the program, those of one turn as one unit", async () => {
    const { pty, keyboard } = rig();
    keyboard.reply(utf8("\x1b[1;1R"));
    keyboard.reply(utf8("\x1b[?62c"));
    await microtasks();
    expect(pty.backlogBytes).toBe(12);
    pty.drain(1);
    expect(pty.read).toBe("\x1b[1;1R\x1b[?62c");
  });

  it("[T81] 100,000 queries by a program that reads nothing queue at most 64 KiB; the rest is dropped and counted", async () => {
    const { pty, keyboard } = rig();
    const reply = utf8("\x1b[24;80R");
    for (let i = 0; i < 100_000; i++) {
      keyboard.reply(reply);
      if (i % 100 === 0) await microtasks();
    }
    await microtasks();
    expect(pty.backlogBytes).toBeLessThanOrEqual(limits.replyBacklogBytes);
    expect(pty.backlogBytes).toBeGreaterThan(limits.replyBacklogBytes - 1_000);
    expect(keyboard.droppedReplyBytes).toBe(800_000 - pty.backlogBytes);
    pty.drain();
    keyboard.reply(reply);
    await microtasks();
    expect(pty.backlogBytes).toBe(8);
  });

  it("[T81] a large paste on its way does not silence the terminal", async () => {
    const { pty, keyboard } = rig();
    keyboard.write(new Uint8Array(500_000));
    keyboard.reply(utf8("\x1b[0n"));
    await microtasks();
    expect(pty.backlogBytes).toBe(500_004);
  });

  it("leaves no timer behind and writes nothing after dispose", async () => {
    const { clock, pty, keyboard } = rig();
    keyboard.write(ctrlC);
    keyboard.reply(utf8("late"));
    keyboard.dispose();
    await microtasks();
    clock.advance(1_000);
    expect(clock.pending).toBe(0);
    expect(pty.signals).toEqual([]);
    pty.drain();
    expect(pty.read).toBe("\x03");
  });
});
