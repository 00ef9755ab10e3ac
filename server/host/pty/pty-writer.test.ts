import { describe, expect, it } from "vitest";
import { concatBytes, utf8 } from "#lib/base/bytes.ts";
import type { Clock } from "#lib/base/clock.ts";
import { limits } from "#lib/protocol/limits.ts";
import { FakeClock } from "#server/testing/fake-clock.ts";
import { PtyWriter } from "./pty-writer.ts";

function setup(room: number) {
  const clock = new FakeClock();
  const parts: Uint8Array[] = [];
  const kernel = { room, attempts: 0, failure: null as Error | null };
  const writer = new PtyWriter((bytes) => {
    kernel.attempts += 1;
    if (kernel.failure) throw kernel.failure;
    const count = Math.min(bytes.length, kernel.room);
    kernel.room -= count;
    parts.push(bytes.slice(0, count));
    return count;
  }, clock);
  return { clock, kernel, writer, text: () => Buffer.from(concatBytes(parts)).toString() };
}

describe("the writer of a terminal", () => {
  it("writes at once while there is room", () => {
    const { writer, text } = setup(100);
    writer.write(utf8("abc"));
    expect(text()).toBe("abc");
    expect(writer.backlogBytes).toBe(0);
  });

  it("[PT5] [B016] keeps what does not fit, in order, and goes on when there is room", () => {
    const { clock, kernel, writer, text } = setup(4);
    for (const unit of ["one", "two", "three"]) writer.write(utf8(unit));
    expect(text()).toBe("onet");
    expect(writer.backlogBytes).toBe(7);
    kernel.room = 100;
    clock.advance(100);
    expect(text()).toBe("onetwothree");
    expect(clock.pending).toBe(0);
  });

  it("[PT5] [LM] takes exactly the backlog limit, and no unit beyond it", () => {
    const { writer } = setup(0);
    expect(writer.write(new Uint8Array(limits.inputBacklogBytes - 1))).toBe(true);
    expect(writer.write(new Uint8Array(2))).toBe(false);
    expect(writer.backlogBytes).toBe(limits.inputBacklogBytes - 1);
    expect(writer.write(new Uint8Array(1))).toBe(true);
    expect(writer.write(new Uint8Array(1))).toBe(false);
    expect(writer.write(new Uint8Array(0))).toBe(true);
  });

  it("[PT5] [LM] a million single bytes are refused before their bookkeeping costs more than they do", () => {
    const { writer } = setup(0);
    let accepted = 0;
    while (writer.write(new Uint8Array(1))) accepted += 1;
    expect(accepted).toBe(16_384);
  });

  it("[PT5] tries a stuck program 20 times a second, not more", () => {
    const { clock, kernel, writer } = setup(0);
    writer.write(utf8("x"));
    clock.advance(1_000);
    kernel.attempts = 0;
    clock.advance(10_000);
    expect(kernel.attempts).toBe(200);
  });

  it("hands over 256 KiB per turn, so that a fast reader does not hold the server up", () => {
    const turns: (() => void)[] = [];
    const clock: Clock = Object.assign(new FakeClock(), {
      after(_delayMs: number, turn: () => void) {
        turns.push(turn);
        return { dispose() {} };
      },
    });
    let room = 0;
    const writer = new PtyWriter((bytes) => Math.min(bytes.length, room), clock);
    for (let unit = 0; unit < 8; unit++) writer.write(new Uint8Array(64 * 1024));
    room = Number.POSITIVE_INFINITY;
    turns.shift()?.();
    expect(writer.backlogBytes).toBe(256 * 1024);
    turns.shift()?.();
    expect(writer.backlogBytes).toBe(0);
    expect(turns).toEqual([]);
  });

  it("discards only units that have not begun", () => {
    const { clock, kernel, writer, text } = setup(2);
    for (const unit of ["first", "second", "third"]) writer.write(utf8(unit));
    expect(writer.discardQueued()).toBe(11);
    expect(writer.backlogBytes).toBe(3);
    kernel.room = 100;
    clock.advance(100);
    expect(text()).toBe("first");
  });

  it("[B013] after its end writes nothing, keeps nothing and leaves no timer", () => {
    const { clock, kernel, writer } = setup(0);
    writer.write(utf8("secret"));
    writer.dispose();
    kernel.room = 100;
    kernel.attempts = 0;
    clock.advance(1_000);
    expect(writer.write(utf8("late"))).toBe(true);
    expect(kernel.attempts).toBe(0);
    expect(writer.backlogBytes).toBe(0);
    expect(clock.pending).toBe(0);
  });

  it("[B013] ends itself when the terminal is gone", () => {
    const { clock, kernel, writer } = setup(0);
    writer.write(utf8("x"));
    kernel.failure = Object.assign(new Error("EIO"), { code: "EIO" });
    clock.advance(100);
    expect(writer.backlogBytes).toBe(0);
    expect(clock.pending).toBe(0);
  });

  it("[IN4] [IN5] waits in a pause, and nobody else's bytes land in it", () => {
    const { clock, writer, text } = setup(100);
    writer.write(utf8("text\rmore"), [
      { at: 4, ms: 30 },
      { at: 5, ms: 30 },
    ]);
    writer.write(utf8("other"));
    expect(text()).toBe("text");
    clock.advance(29);
    expect(text()).toBe("text");
    clock.advance(1);
    expect(text()).toBe("text\r");
    clock.advance(30);
    expect(text()).toBe("text\rmoreother");
    expect(clock.pending).toBe(0);
    expect(writer.backlogBytes).toBe(0);
  });

  it("[IN4] a pause begins when the program's side has taken what stands before it", () => {
    const { clock, kernel, writer, text } = setup(2);
    writer.write(utf8("text\r"), [{ at: 4, ms: 500 }]);
    clock.advance(2_000);
    expect(text()).toBe("te");
    kernel.room = 100;
    clock.advance(100);
    expect(text()).toBe("text");
    clock.advance(300);
    expect(text()).toBe("text");
    clock.advance(200);
    expect(text()).toBe("text\r");
  });

  it("[PT6] skipping the pauses sends everything at once, in order", () => {
    const { clock, writer, text } = setup(100);
    writer.write(utf8("a\rb\r"), [
      { at: 1, ms: 1_000 },
      { at: 2, ms: 1_000 },
      { at: 3, ms: 1_000 },
    ]);
    writer.write(utf8("c\r"), [{ at: 1, ms: 1_000 }]);
    expect(text()).toBe("a");
    writer.skipPauses();
    expect(text()).toBe("a\rb\rc\r");
    expect(clock.pending).toBe(0);
  });

  it("skipping the pauses of a program that does not read makes it no faster", () => {
    const { clock, kernel, writer, text } = setup(1);
    writer.write(utf8("abc\r"), [{ at: 3, ms: 1_000 }]);
    writer.skipPauses();
    expect(text()).toBe("a");
    kernel.room = 100;
    clock.advance(50);
    expect(text()).toBe("abc\r");
  });

  it("[LS7] discarding in a pause drops what is behind it, and the next unit is not kept waiting", () => {
    const { clock, writer, text } = setup(100);
    writer.write(utf8("text\r"), [{ at: 4, ms: 1_000 }]);
    writer.write(utf8("second"));
    expect(writer.discardQueued()).toBe(7);
    expect(writer.backlogBytes).toBe(0);
    writer.write(utf8("person"));
    expect(text()).toBe("textperson");
    expect(clock.pending).toBe(0);
  });

  it("[LS7] discarding finishes a unit that has begun up to its next pause", () => {
    const { clock, kernel, writer, text } = setup(2);
    writer.write(utf8("text\rlater"), [
      { at: 4, ms: 30 },
      { at: 5, ms: 30 },
    ]);
    expect(writer.discardQueued()).toBe(6);
    writer.write(utf8("person"));
    kernel.room = 100;
    clock.advance(1_000);
    expect(text()).toBe("textperson");
  });

  it("[PT9] the end in a pause leaves nothing behind", () => {
    const { clock, writer, text } = setup(100);
    writer.write(utf8("text\r"), [{ at: 4, ms: 1_000 }]);
    writer.dispose();
    clock.advance(5_000);
    expect(text()).toBe("text");
    expect(clock.pending).toBe(0);
    expect(writer.backlogBytes).toBe(0);
  });
});
