// The last lines of what was printed, read from real emulators: as `tail -n` would count them.
import { describe, expect, it } from "vitest";
import type { Cursor } from "#lib/protocol/cursor.ts";
import { feed, screenOf } from "#server/testing/screen-dsl.ts";
import type { Screen } from "./screen.ts";

const MiB = 1024 * 1024;
const origin: Cursor = { seq: 0, col: 0 };

const tail = (screen: Screen, count: number, maxBytes = MiB) =>
  screen.outputBetween(origin, null, maxBytes, count);

describe("the last lines", () => {
  it("[JR5] end where the output does; the line with the cursor counts if something stands in it", async () => {
    const screen = await screenOf("one\r\n\r\nthree\r\n", { cols: 20, rows: 3 });
    expect(tail(screen, 1)).toMatchObject({ text: "three\n", start: { seq: 2, col: 0 } });
    expect(tail(screen, 2)).toMatchObject({ text: "\nthree\n", truncated: false, evicted: false });
    await feed(screen, "$ ");
    expect(tail(screen, 1)).toMatchObject({ text: "$ ", next: { seq: 3, col: 2 } });
    expect(tail(screen, 2).text).toBe("three\n$ ");
    expect(tail(screen, 99)).toMatchObject({ text: "one\n\nthree\n$ ", evicted: false });
    await feed(screen, "ls");
    expect(screen.outputBetween({ seq: 3, col: 2 }, null, MiB).text).toBe("ls");
    screen.dispose();
  });

  it("[JR5] are lines, not rows: what wrapped is one", async () => {
    const screen = await screenOf(`x\r\n${"a".repeat(25)}\r\n${"b".repeat(20)}`, {
      cols: 10,
      rows: 9,
    });
    expect(tail(screen, 1).text).toBe("b".repeat(20));
    expect(tail(screen, 2)).toMatchObject({
      text: `${"a".repeat(25)}\n${"b".repeat(20)}`,
      start: { seq: 1, col: 0 },
    });
    screen.dispose();
  });

  it("[JR5] of nothing are nothing", async () => {
    const screen = await screenOf("", { cols: 10, rows: 3 });
    expect(tail(screen, 5)).toMatchObject({ text: "", start: origin, next: origin });
    screen.dispose();
  });

  it("[JR5] that are gone are said to be, and only where they are missed", async () => {
    const printed = Array.from({ length: 50 }, (_, n) => `${n}\r\n`).join("");
    const screen = await screenOf(printed, { cols: 10, rows: 4 }, 10);
    const last = (count: number) =>
      Array.from({ length: count }, (_, n) => `${50 - count + n}\n`).join("");
    expect(tail(screen, 13)).toMatchObject({ text: last(13), evicted: false });
    expect(tail(screen, 14)).toMatchObject({ text: last(13), evicted: true });
    screen.dispose();
  });

  it("[JR5] [T88] a limit of bytes leaves out what comes first and says so; findings count rows from there", async () => {
    const odd = "c\u202ed\r\n";
    const screen = await screenOf(`${"0123456\r\n".repeat(10)}${odd}end`, { cols: 10, rows: 5 });
    expect(tail(screen, 12, 16)).toMatchObject({
      text: "0123456\ncd\nend",
      start: { seq: 9, col: 0 },
      next: { seq: 11, col: 3 },
      truncated: false,
      shortened: true,
      hygiene: { suspicious: [{ kind: "bidi_control", row: 1 }] },
    });
    // Never nothing.
    expect(tail(screen, 2, 1)).toMatchObject({ text: "end", shortened: true });
    expect(tail(screen, 2, 6).shortened).toBeUndefined();
    screen.dispose();
  });

  it("[OP3] of one command are its own", async () => {
    const screen = await screenOf("", { cols: 20, rows: 5 });
    const marked: Cursor[] = [];
    screen.onFact((fact) => fact.kind === "marker" && marked.push(fact.at));
    await feed(screen, "$ ls\r\n\x1b]133;C\x07a\r\nb\r\n\x1b]133;D;0\x07$ next\r\n");
    const [from, to] = marked as [Cursor, Cursor];
    expect(screen.outputBetween(from, to, MiB, 1)).toMatchObject({ text: "b\n", next: to });
    expect(screen.outputBetween(from, to, MiB, 9)).toMatchObject({ text: "a\nb\n", start: from });
    screen.dispose();
  });
});
