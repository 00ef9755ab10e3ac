import { Terminal } from "@xterm/headless";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { utf8 } from "#lib/base/bytes.ts";
import { ScreenWriter } from "./screen-writer.ts";
import { captureAnchor, findAnchor, isAtBottom } from "./scroll-anchor.ts";
import { ScrollWatch } from "./scroll-watch.ts";

const size = { cols: 20, rows: 4 };
let terminal: Terminal;
let writer: ScreenWriter;
let isUp: boolean;
let events: string[];

beforeEach(() => {
  isUp = false;
  events = [];
  terminal = new Terminal({ ...size, scrollback: 1_000, logLevel: "off", allowProposedApi: true });
  writer = new ScreenWriter(terminal, {
    isScrolledUp: () => isUp,
    beforeRestart: () => void events.push("restart"),
    restored: (isWhole) => void events.push(isWhole ? "whole" : "screen"),
    resized: ({ cols }) => void events.push(`cols ${cols}`),
    printed: () => void events.push("printed"),
  });
});

afterEach(() => terminal.dispose());

const drawn = () => new Promise<void>((resolve) => terminal.write("", resolve));
const all = () =>
  Array.from({ length: terminal.buffer.active.length }, (_, row) =>
    terminal.buffer.active.getLine(row)?.translateToString(true).trimEnd(),
  );
const ignore = () => {};

describe("screen writer", () => {
  it("[SN5] resets only after what was written before it, and draws at the snapshot's size", async () => {
    writer.write(utf8("old\r\n".repeat(50)), ignore);
    writer.showSnapshot({ cols: 10, rows: 3 }, [], utf8("0123456789abc"), ignore);
    await drawn();
    expect(all()).toEqual(["0123456789", "abc", ""]);
    expect(events).toEqual(["printed", "restart", "cols 10", "whole"]);
  });

  it.each([
    ["a control sequence", "\x1b[3"],
    ["an OSC string", "\x1b]0;title"],
    ["a DCS string", "\x1bP+q"],
    ["half a character", "\xe2\x82"],
  ])("[SN5] ends %s that the old bytes left open", async (_, open) => {
    writer.write(
      Uint8Array.from(open, (char) => char.charCodeAt(0)),
      ignore,
    );
    writer.showSnapshot(size, [], utf8("1mA"), ignore);
    await drawn();
    expect(all()[0]).toBe("1mA");
  });

  it("[B034] follow-up bytes land where the server's screen has them", async () => {
    writer.showSnapshot(
      { cols: 100, rows: 30 },
      [],
      utf8("\x1b[5;1Hlong prompt\x1b[5;67H"),
      ignore,
    );
    writer.write(utf8("\x1b[K*"), ignore);
    await drawn();
    expect(terminal.buffer.active.getLine(4)?.getCell(66)?.getChars()).toBe("*");
  });

  it("[SN1] a cursor that waits at the end of a full row still waits after the snapshot", async () => {
    writer.showSnapshot(size, [utf8("h\r\n".repeat(9))], utf8("12345678901234567890"), ignore);
    writer.write(utf8("X"), ignore);
    await drawn();
    expect(all().slice(-4)).toContain("X");
    expect(all().join("|")).toContain("12345678901234567890|X");
  });

  it("a sequence that the snapshot ends amid is continued by the next bytes", async () => {
    writer.showSnapshot(size, [utf8("h\r\n".repeat(9))], utf8("a\x1b[4"), ignore);
    writer.write(utf8("1mb"), ignore);
    await drawn();
    expect(all()).toContain("h");
    expect(all().some((line) => line === "hab" || line === "ab")).toBe(true);
  });

  it("[SN3] keeps the modes of the snapshot, and leaves none of its own", async () => {
    writer.write(utf8("\x1b[?1003h\x1b[?2004h\x1b[4h"), ignore);
    writer.showSnapshot(size, [utf8("h\r\n")], utf8("\x1b[?2004hx"), ignore);
    await drawn();
    expect(terminal.modes).toMatchObject({
      bracketedPasteMode: true,
      mouseTrackingMode: "none",
      insertMode: false,
      synchronizedOutputMode: false,
    });
  });

  it("[B124] paints nothing between the reset and the last row", async () => {
    const held: boolean[] = [];
    terminal.onLineFeed(() => held.push(terminal.modes.synchronizedOutputMode));
    writer.showSnapshot(
      size,
      [utf8("h\r\n".repeat(20)), utf8("i\r\n".repeat(20))],
      utf8("end"),
      ignore,
    );
    await drawn();
    expect(held).toHaveLength(40);
    expect(held.every(Boolean)).toBe(true);
    expect(terminal.modes.synchronizedOutputMode).toBe(false);
  });

  it("[B109] knows what is replayed from what is printed", async () => {
    const seen: [string, boolean][] = [];
    terminal.parser.registerOscHandler(52, (data) => {
      seen.push([data, writer.isRestoring]);
      return true;
    });
    const ask = (text: string) => utf8(`\x1b]52;c;${text}\x07`);
    writer.write(ask("before"), ignore);
    writer.showScreen(size, ask("screen"));
    writer.showSnapshot(size, [ask("history")], ask("again"), ignore);
    writer.write(ask("after"), ignore);
    await drawn();
    expect(seen).toEqual([
      ["c;before", false],
      ["c;screen", true],
      ["c;history", true],
      ["c;again", true],
      ["c;after", false],
    ]);
  });

  it("[SZ4] a storm of resizes ends at the last size", async () => {
    for (let i = 0; i < 200; i++) {
      writer.write(utf8(`line ${i}\r\n`), ignore);
      writer.resize({ cols: 20 + (i % 50), rows: 5 + (i % 7) });
    }
    writer.resize({ cols: 33, rows: 6 });
    await drawn();
    expect([terminal.cols, terminal.rows]).toEqual([33, 6]);
  });

  it("[B124] keeps what a person reads in the scrollback until the whole snapshot is there", async () => {
    writer.write(utf8("old\r\n".repeat(20)), ignore);
    isUp = true;
    writer.showScreen(size, utf8("new"));
    await drawn();
    expect(all()[0]).toBe("old");
    expect(events).toEqual(["printed"]);
  });
});

describe("scroll anchor", () => {
  const numbered = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => `line ${from + i}\r\n`).join("");

  async function scrolledTo(line: number, text: string) {
    terminal.write(text);
    await drawn();
    terminal.scrollToLine(line);
    return captureAnchor(terminal.buffer.active, terminal.rows);
  }

  async function replaced(text: string) {
    terminal.reset();
    terminal.write(text);
    await drawn();
  }

  it("[B124] finds the rows again after a reset, although more was printed meanwhile", async () => {
    const anchor = await scrolledTo(500, numbered(0, 900));
    await replaced(numbered(0, 950));
    expect(anchor && findAnchor(terminal.buffer.active, anchor)).toBe(500);
  });

  it("[B124] finds them although the oldest rows are gone", async () => {
    const anchor = await scrolledTo(500, numbered(0, 900));
    await replaced(numbered(200, 900));
    expect(anchor && findAnchor(terminal.buffer.active, anchor)).toBe(300);
  });

  it("takes the place that lies as far from the bottom, where all rows look the same", async () => {
    const anchor = await scrolledTo(40, "same\r\n".repeat(100));
    await replaced("same\r\n".repeat(100));
    expect(anchor && findAnchor(terminal.buffer.active, anchor)).toBe(40);
  });

  it("says so when they are gone", async () => {
    const anchor = await scrolledTo(5, numbered(0, 100));
    await replaced(numbered(500, 600));
    expect(anchor && findAnchor(terminal.buffer.active, anchor)).toBeNull();
  });

  it("[B124] keeps the place over a fresh snapshot, or says that the view has jumped", async () => {
    let changes = 0;
    const watch = new ScrollWatch(terminal, () => {
      changes += 1;
    });
    await scrolledTo(50, numbered(0, 100));
    watch.scrolled();
    watch.printed();
    expect([watch.isScrolledUp, watch.hasNewOutput]).toEqual([true, true]);
    watch.beforeRestart();
    await replaced(numbered(0, 120));
    watch.restored();
    expect(terminal.buffer.active.viewportY).toBe(50);
    expect([watch.hasJumped, watch.hasNewOutput]).toEqual([false, true]);
    watch.beforeRestart();
    await replaced(numbered(500, 600));
    watch.restored();
    watch.scrolled();
    expect([watch.isScrolledUp, watch.hasJumped, watch.hasNewOutput]).toEqual([false, true, false]);
    terminal.scrollToLine(3);
    watch.scrolled();
    expect(watch.hasJumped).toBe(false);
    expect(changes).toBe(5);
  });

  it("has nothing to keep at the bottom", async () => {
    expect(await scrolledTo(9_999, numbered(0, 100))).toBeNull();
    expect(isAtBottom(terminal.buffer.active)).toBe(true);
  });
});
