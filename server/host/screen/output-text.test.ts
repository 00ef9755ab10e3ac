// Output as text between cursors, read from real emulators: every line once, whatever happens between two readings.
import { describe, expect, it } from "vitest";
import type { Cursor } from "#lib/protocol/cursor.ts";
import { randomFrom } from "#server/testing/random.ts";
import { feed, screenOf } from "#server/testing/screen-dsl.ts";
import { Screen } from "./screen.ts";

const MiB = 1024 * 1024;
const origin: Cursor = { seq: 0, col: 0 };

function textOf(screen: Screen, from: Cursor = origin): string {
  return screen.outputBetween(from, null, 8 * MiB).text;
}

/** What was read last, and a bit before. */
function tail(all: string, last: string): string {
  return all.slice(-last.length - 50);
}

describe("output as text", { timeout: 60_000 }, () => {
  it("[JR5] rows join with a newline only where they did not wrap, and are right-trimmed", async () => {
    const screen = await screenOf("abcdefghijklmno\r\nshort   \r\n\r\nend", { cols: 10, rows: 5 });
    expect(screen.outputBetween(origin, null, 4_096)).toEqual({
      text: "abcdefghijklmno\nshort\n\nend",
      start: origin,
      next: { seq: 4, col: 3 },
      truncated: false,
      evicted: false,
      altScreen: false,
      reflowed: false,
    });
    screen.dispose();
  });

  it("[JR5] a wide character that went to the next row leaves no blank behind, and blanks before a wrap stay", async () => {
    const screen = await screenOf("abc中d  e\r\n中中中", { cols: 4, rows: 8 });
    expect(textOf(screen)).toBe("abc中d  e\n中中中");
    screen.dispose();
  });

  it("[JR5] the last line is given as far as the cursor, blanks included, and goes on from there", async () => {
    const screen = await screenOf("done\r\nContinue? [y/N] ", { cols: 30, rows: 4 });
    const first = screen.outputBetween(origin, null, 4_096);
    expect(first).toMatchObject({ text: "done\nContinue? [y/N] ", next: { seq: 1, col: 16 } });
    await feed(screen, "y\r\nok");
    const second = screen.outputBetween(first.next, null, 4_096);
    expect(second.text).toBe("y\nok");
    expect(screen.outputBetween(second.next, null, 4_096).text).toBe("");
    screen.dispose();
  });

  it("[JR5] a line that fills its row exactly is read once, with what wraps behind it", async () => {
    const screen = await screenOf("0123456789", { cols: 10, rows: 4 });
    const first = screen.outputBetween(origin, null, 4_096);
    expect(first).toMatchObject({ text: "0123456789", next: { seq: 0, col: 10 } });
    await feed(screen, "ab\r\nc");
    expect(textOf(screen, first.next)).toBe("ab\nc");
    screen.dispose();
  });

  it("[JR5] a line that is drawn anew is given again from where its program went back to", async () => {
    const screen = await screenOf("building\r\n 10%", { cols: 20, rows: 4 });
    let at = screen.outputBetween(origin, null, 4_096).next;
    await feed(screen, "\r");
    const back = screen.outputBetween(at, null, 4_096);
    expect(back).toMatchObject({ text: "", start: { seq: 1, col: 0 }, next: { seq: 1, col: 0 } });
    at = back.next;
    await feed(screen, "100%\r\ndone");
    expect(textOf(screen, at)).toBe("100%\ndone");
    // A cursor from nowhere leads to the end.
    const far = screen.outputBetween({ seq: 999_999, col: 3 }, null, 4_096);
    expect(far).toMatchObject({ text: "", next: { seq: 2, col: 4 }, truncated: false });
    screen.dispose();
  });

  it("[JR5] max_bytes overshoots by at most a row, never splits one, and next goes on", async () => {
    const lines = Array.from({ length: 500 }, (_, n) => `${n} ${"é".repeat(n % 37)}.`);
    const screen = await screenOf(lines.map((line) => `${line}\r\n`).join(""), {
      cols: 20,
      rows: 5,
    });
    let at = origin;
    let whole = "";
    for (;;) {
      const { text, next, truncated } = screen.outputBetween(at, null, 256);
      const bytes = Buffer.byteLength(text);
      expect(bytes).toBeLessThan(256 + 42);
      if (truncated) expect(bytes).toBeGreaterThanOrEqual(256);
      whole += text;
      at = next;
      if (!truncated) break;
    }
    expect(whole).toBe(lines.map((line) => `${line}\n`).join(""));
    screen.dispose();
  });

  it("[JR5] what one command printed ends where it ended", async () => {
    const screen = await screenOf("", { cols: 20, rows: 5 });
    const marked: Cursor[] = [];
    screen.onFact((fact) => fact.kind === "marker" && marked.push(fact.at));
    await feed(screen, "$ ls\r\n\x1b]133;C\x07a\r\nb\r\n\x1b]133;D;0\x07$ next\r\n");
    const [from, to] = marked as [Cursor, Cursor];
    expect(screen.outputBetween(from, to, 4_096)).toMatchObject({ text: "a\nb\n", next: to });
    screen.dispose();
  });

  for (const scrollback of [1, 30, 1_000]) {
    it(`[JR4][JR5] every line is read once, or evicted is said, with ${scrollback} lines of scrollback and resizes in height`, async () => {
      const next = randomFrom(scrollback);
      const below = (limit: number) => Math.floor(next() * limit);
      const screen = new Screen({ size: { cols: 20, rows: 8 }, scrollback });
      let written = "";
      let read = "";
      let at = origin;
      let evictions = 0;
      for (let round = 0; round < 2_000; round++) {
        // Up to the middle of a line.
        let data = "";
        for (let i = below(12); i > 0; i--) {
          data += below(3) ? "abcdefghijklmno".slice(below(15)) : "\r\n";
        }
        if (data) await feed(screen, data);
        written += data.replaceAll("\r", "");
        // With a full row and the wrap pending the emulator forgets the wrap at a resize, and writes over the last cell.
        if (below(8) === 0 && screen.position().col < 20)
          screen.resize({ cols: 20, rows: 1 + below(20) });
        if (below(3) === 0) continue;
        const reading = screen.outputBetween(at, null, 64);
        if (reading.evicted) {
          evictions++;
          read = written.slice(0, written.lastIndexOf(textOf(screen, reading.start)));
        }
        read += reading.text;
        at = reading.next;
        expect(tail(read, reading.text)).toBe(tail(written.slice(0, read.length), reading.text));
      }
      expect(read + textOf(screen, at)).toBe(written);
      if (scrollback === 1) expect(evictions).toBeGreaterThan(10);
      if (scrollback === 1_000) expect(evictions).toBe(0);
      screen.dispose();
    });
  }

  it("[JR4] after a change of width a cursor leads to the same text, and that is said once", async () => {
    const next = randomFrom(5);
    const below = (limit: number) => Math.floor(next() * limit);
    const screen = new Screen({ size: { cols: 20, rows: 8 }, scrollback: 20_000 });
    let written = "";
    let read = "";
    let at = origin;
    let reflowed = 0;
    for (let round = 0; round < 120; round++) {
      let data = "";
      for (let i = below(8); i > 0; i--) data += `${"abcdefghij".repeat(below(9))}${round}\r\n`;
      if (data) await feed(screen, data);
      written += data.replaceAll("\r", "");
      for (let i = below(3); i > 0; i--)
        screen.resize({ cols: 5 + below(40), rows: 3 + below(12) });
      // Often in the middle of a line that wraps.
      const reading = screen.outputBetween(at, null, 32);
      expect(reading.evicted).toBe(false);
      if (reading.reflowed) reflowed++;
      read += reading.text;
      at = reading.next;
      expect(tail(read, reading.text)).toBe(tail(written.slice(0, read.length), reading.text));
    }
    expect(reflowed).toBeGreaterThan(40);
    expect(screen.outputBetween(at, null, 32).reflowed).toBe(false);
    expect(read + textOf(screen, at)).toBe(written);
    screen.dispose();
  });

  it("[JR4] a change of width that moves no line changes no number", async () => {
    const screen = await screenOf("short\r\n".repeat(50), { cols: 20, rows: 8 });
    const { next } = screen.outputBetween({ seq: 48, col: 0 }, null, 4_096);
    for (const cols of [10, 80, 6]) screen.resize({ cols, rows: 8 });
    expect(screen.reflows).toBe(0);
    expect(screen.position()).toEqual(next);
    screen.dispose();
  });

  it("[JR4] cursors from before more width changes than are remembered lead to the beginning and say so", async () => {
    const line = "x".repeat(50);
    const screen = await screenOf(`${line}\r\n`.repeat(5), { cols: 20, rows: 8 });
    const at = screen.position();
    for (let i = 0; i < 200; i++) screen.resize({ cols: 20 + (i % 2) * 11, rows: 8 });
    const reading = screen.outputBetween(at, null, 4_096);
    expect(reading).toMatchObject({ evicted: true, reflowed: true });
    expect(reading.text).toBe(`${line}\n`.repeat(5));
    screen.dispose();
  });

  it("[T88] invisible characters are taken out and said, concealed text is said", async () => {
    const screen = await screenOf(
      "plain\r\npay\u{e0041}load\u202e!\r\n\x1b[8mhidden\x1b[0m \x1b[31mred\x1b[0m",
      { cols: 20, rows: 8 },
    );
    const { text, hygiene } = screen.outputBetween(origin, null, 4_096);
    expect(text).toBe("plain\npayload!\nhidden red");
    expect(hygiene?.stripped).toBe(2);
    expect(hygiene?.suspicious.map(({ kind, row }) => [kind, row])).toEqual(
      expect.arrayContaining([
        ["tag_characters", 1],
        ["bidi_control", 1],
        ["concealed_text", 2],
      ]),
    );
    expect(screen.outputBetween(origin, { seq: 1, col: 0 }, 4_096).hygiene).toBeUndefined();
    screen.dispose();
  });

  it("[JR5] a large reading lets the event loop go on, and nothing is parsed meanwhile", async () => {
    const line = `\x1b[32mok\x1b[0m ${"word ".repeat(12)}\r\n`;
    const screen = new Screen({ size: { cols: 80, rows: 24 }, scrollback: 15_000 });
    await feed(screen, line.repeat(15_000));
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    const reading = screen.outputInSlices(origin, null, 8 * MiB);
    const later = feed(screen, "later\r\n");
    const { text, next } = await reading;
    clearInterval(timer);
    expect(text).toBe(`ok ${"word ".repeat(12).trimEnd()}\n`.repeat(15_000));
    expect(turns).toBeGreaterThan(2);
    await later;
    expect(textOf(screen, next)).toBe("later\n");
    screen.dispose();
  });
});
