// Numbers of lines against a terminal that forgets nothing: the same stream into an emulator whose scrollback never fills, where a line's number
// is its row.
import type { Terminal } from "@xterm/headless";
import { describe, expect, it } from "vitest";
import type { Cursor } from "#lib/protocol/cursor.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import { eraseAboveSafely } from "#lib/terminal/erase-above.ts";
import { randomFrom } from "#server/testing/random.ts";
import { feed } from "#server/testing/screen-dsl.ts";
import { createEmulator } from "./emulator.ts";
import { Screen } from "./screen.ts";
import { coreOf } from "./xterm-internals.ts";

const MiB = 1024 * 1024;

/** Knows where every marker stood, by rows that never leave. */
class Endless {
  readonly terminal: Terminal;
  readonly marked: Cursor[] = [];

  constructor(size: GridSize) {
    this.terminal = createEmulator(size, 200_000);
    eraseAboveSafely(this.terminal);
    this.terminal.parser.registerOscHandler(133, () => {
      this.marked.push(this.position());
      return true;
    });
    // It forgets nothing.
    this.terminal.parser.registerCsiHandler({ final: "J" }, ([how]) => how === 3);
  }

  position(): Cursor {
    const { ybase, x, y } = coreOf(this.terminal).buffers.normal;
    return { seq: ybase + y, col: x };
  }

  write(data: string): void {
    this.terminal.input("", true);
    this.terminal.write(data);
  }

  /** Rows from `seq` up to the cursor's, joined where they wrap, the last one up to the cursor. */
  textFrom(seq: number): string {
    const { normal } = this.terminal.buffer;
    const end = this.position();
    let text = "";
    for (let row = seq; row <= end.seq; row++) {
      const line = normal.getLine(row);
      const isContinued = normal.getLine(row + 1)?.isWrapped === true && row < end.seq;
      const last = row === end.seq ? end.col : undefined;
      const cells = line?.translateToString(false, 0, last) ?? "";
      text += isContinued ? cells : row < end.seq ? `${cells.trimEnd()}\n` : cells;
    }
    return text;
  }
}

function watched(size: GridSize, scrollback: number) {
  const screen = new Screen({ size, scrollback });
  const marked: Cursor[] = [];
  screen.onFact((fact) => {
    if (fact.kind === "marker") marked.push(fact.at);
  });
  return { screen, marked };
}

const mark = "\x1b]133;A\x07";

/** What moves lines, in all the ways there are but clearing everything. */
function piece(next: (below: number) => number, { cols, rows }: GridSize): string {
  const word = () => "abcdefghij".slice(0, 1 + next(9));
  const row = () => 1 + next(rows);
  switch (next(16)) {
    case 0:
      return `\x1b[${row()};${row()}r`;
    case 1:
      return "\x1b[r";
    case 2:
      return `\x1b[${row()};${1 + next(cols)}H`;
    case 3:
      return `\x1b[${1 + next(3)}L`;
    case 4:
      return `\x1b[${1 + next(3)}M`;
    case 5:
      return `\x1b[${1 + next(3)}${next(2) ? "S" : "T"}`;
    case 6:
      return "\x1bM";
    case 7:
      return `\x1b[?1049h${"alt\r\n".repeat(next(2 * rows))}${mark}\x1b[2J\x1b[?1049l`;
    case 8:
      return "\x1b[!p";
    case 9:
      return "\x1b[3J";
    case 10:
      return `\x1b[${row()};2H\x1b[J`;
    case 11:
      return `${word().repeat(next(2 * cols))}`;
    default:
      return `${word()}\r\n`.repeat(1 + next(6));
  }
}

describe("line numbers", { timeout: 60_000 }, () => {
  for (const [seed, scrollback] of [1, 2, 7, 100, 1_000].entries()) {
    it(`[JR4] are exact inside the parse with ${scrollback} lines of scrollback, whatever moves lines`, async () => {
      const next = randomFrom(seed + 1);
      const below = (limit: number) => Math.floor(next() * limit);
      const size = { cols: 8 + below(20), rows: 3 + below(9) };
      const { screen, marked } = watched(size, scrollback);
      const endless = new Endless(size);
      for (let round = 0; round < 60; round++) {
        let data = "";
        for (let i = 0; i < 40; i++) data += piece(below, size) + (below(2) ? mark : "");
        await feed(screen, data);
        endless.write(data);
        expect(screen.position()).toEqual(endless.position());
      }
      expect(marked.length).toBeGreaterThan(1_000);
      expect(marked).toEqual(endless.marked);
      const { oldestSeq } = screen;
      if (scrollback < 1_000) expect(oldestSeq).toBeGreaterThan(100);
      const kept = screen.outputBetween({ seq: oldestSeq, col: 0 }, null, 8 * MiB);
      expect(kept.text).toBe(endless.textFrom(oldestSeq));
      screen.dispose();
      endless.terminal.dispose();
    });
  }

  it("[JR4] are exact over 40,000 lines, at any scrollback", async () => {
    const lines = 40_000;
    let data = "";
    for (let n = 0; n < lines; n++) data += `line ${n}${n % 100 === 0 ? mark : ""}\r\n`;
    for (const scrollback of [0, 500, 5_000]) {
      const { screen, marked } = watched({ cols: 40, rows: 10 }, scrollback);
      await feed(screen, data);
      expect(marked.map(({ seq }) => seq)).toEqual(marked.map((_, i) => i * 100));
      expect(screen.position()).toEqual({ seq: lines, col: 0 });
      // The library needs one line of scrollback.
      expect(screen.oldestSeq).toBe(lines + 1 - 10 - Math.max(1, scrollback));
      screen.dispose();
    }
  });

  it("[JR4] [B088] survive height changes both ways while lines are evicted", async () => {
    for (const scrollback of [1, 20, 300]) {
      const next = randomFrom(scrollback);
      const { screen } = watched({ cols: 30, rows: 10 }, scrollback);
      let printed = 0;
      for (let round = 0; round < 150; round++) {
        const count = Math.floor(next() * 40);
        let data = "";
        for (let i = 0; i < count; i++) data += `line ${printed++}\r\n`;
        if (data) await feed(screen, data);
        screen.resize({ cols: 30, rows: 1 + Math.floor(next() * 40) });
        expect(screen.position()).toEqual({ seq: printed, col: 0 });
        const { oldestSeq } = screen;
        const { text } = screen.outputBetween({ seq: oldestSeq, col: 0 }, null, MiB);
        const expected = Array.from(
          { length: printed - oldestSeq },
          (_, i) => `line ${oldestSeq + i}\n`,
        );
        expect(text).toBe(expected.join(""));
      }
      screen.dispose();
    }
  });

  it("[JR4] survive height changes while a full-screen program draws", async () => {
    const { screen } = watched({ cols: 30, rows: 10 }, 50);
    await feed(screen, "line\r\n".repeat(100));
    const before = screen.position();
    await feed(screen, `\x1b[?1049h${"drawn\r\n".repeat(30)}`);
    for (const rows of [4, 40, 1, 10]) {
      screen.resize({ cols: 30, rows });
      expect(screen.position()).toEqual(before);
    }
    const read = screen.outputBetween({ seq: 99, col: 0 }, null, 4_096);
    expect(read).toMatchObject({ text: "line\n", altScreen: true, next: before });
    await feed(screen, "\x1b[?1049l");
    expect(screen.position()).toEqual(before);
    screen.dispose();
  });

  it("[JR4] begin anew behind everything at a reset", async () => {
    const { screen, marked } = watched({ cols: 20, rows: 5 }, 10);
    await feed(screen, `${"old\r\n".repeat(30)}${mark}`);
    const before = screen.position();
    await feed(screen, `\x1bc${mark}new\r\nlast`);
    expect(marked[1]?.seq).toBeGreaterThan(before.seq);
    const read = screen.outputBetween(before, null, 4_096);
    // Everything before the reset had been read.
    expect(read).toMatchObject({ text: "new\nlast", evicted: false });
    expect(screen.outputBetween({ seq: before.seq - 2, col: 0 }, null, 4_096)).toMatchObject({
      text: "new\nlast",
      evicted: true,
    });
    await feed(screen, "\r\nmore".repeat(40));
    expect(screen.outputBetween(before, null, 4_096).evicted).toBe(true);
    screen.dispose();
  });

  for (const [name, clear] of [
    ["clear", "\x1b[H\x1b[2J\x1b[3J"],
    ["an older clear", "\x1b[H\x1b[J"],
    ["a watcher", "\x1b[2J\x1b[3J\x1b[H"],
    ["two clears", "\x1b[H\x1b[2J\x1b[H\x1b[2J"],
  ] as const) {
    it(`[JR4] what is printed after ${name} comes after what was read before it`, async () => {
      const { screen } = watched({ cols: 20, rows: 6 }, 50);
      await feed(screen, `${"old\r\n".repeat(20)}$ `);
      const before = screen.position();
      await feed(screen, `${clear}one\r\ntwo\r\n`);
      const read = screen.outputBetween(before, null, 4_096);
      expect(read).toMatchObject({ text: "one\ntwo\n", evicted: false });
      // Longer than what was there before, so that the old place would lie inside it.
      await feed(screen, "three\r\n".repeat(30));
      const rest = screen.outputBetween(read.next, null, 4_096);
      expect(rest).toMatchObject({ text: "three\n".repeat(30), evicted: false });
      expect(screen.outputBetween({ seq: before.seq, col: 0 }, null, 4_096)).toMatchObject({
        text: `one\ntwo\n${"three\n".repeat(30)}`,
        evicted: true,
      });
      screen.dispose();
    });
  }

  it("[JR4] a reset and a change of width while a full-screen program draws", async () => {
    const { screen } = watched({ cols: 20, rows: 5 }, 50);
    await feed(screen, `${"0123456789".repeat(3)}\r\nsecond\r\n$ `);
    // Somebody was told a number: before that, none needs to be kept.
    expect(screen.oldestSeq).toBe(0);
    const first = { seq: 0, col: 20 };
    await feed(screen, "\x1b[?1049hdrawn");
    screen.resize({ cols: 12, rows: 4 });
    expect(screen.outputBetween(first, null, 4_096)).toMatchObject({
      text: "0123456789\nsecond\n$ ",
      altScreen: true,
      reflowed: true,
      evicted: false,
    });
    const before = screen.position();
    await feed(screen, "\x1bcnew");
    expect(screen.outputBetween(before, null, 4_096)).toMatchObject({
      text: "new",
      altScreen: false,
      evicted: false,
    });
    screen.dispose();
  });

  it("[JR4] a program that clears the screen ten thousand times keeps no history of it", async () => {
    const { screen } = watched({ cols: 20, rows: 6 }, 50);
    await feed(screen, "old\r\n".repeat(20));
    const before = screen.position();
    await feed(screen, "\x1b[H\x1b[2Jframe\r\n".repeat(10_000));
    expect(screen.outputBetween(before, null, 4_096)).toMatchObject({
      text: "frame\n",
      evicted: true,
    });
    screen.dispose();
  });
});
