import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { utf8 } from "#lib/base/bytes.ts";
import { limits } from "#lib/protocol/limits.ts";
import { compareTerminals, feed, Viewer, viewerOf } from "#server/testing/screen-dsl.ts";
import { gridSize, streamSteps } from "#server/testing/terminal-stream.ts";
import { Screen } from "./screen.ts";
import type { ScreenFact } from "./screen-api.ts";

const open: Screen[] = [];
afterEach(() => {
  for (const screen of open.splice(0)) screen.dispose();
});

function makeScreen(cols = 20, rows = 5, scrollback = 100) {
  const screen = new Screen({ size: { cols, rows }, scrollback });
  open.push(screen);
  const facts: ScreenFact[] = [];
  screen.onFact((fact) => facts.push(fact));
  const replies = () =>
    facts.map((fact) => (fact.kind === "reply" ? Buffer.from(fact.bytes).toString() : "")).join("");
  return { screen, facts, replies };
}

/** One byte per write, as the slowest reads would cut it. */
async function feedByByte(screen: Screen, data: string | Uint8Array) {
  for (const byte of typeof data === "string" ? utf8(data) : data) {
    await feed(screen, Uint8Array.of(byte));
  }
}

/** Lines with their numbers. */
const numbered = (count: number) =>
  Array.from({ length: count }, (_, n) => `line ${n}`).join("\r\n");

describe("text", () => {
  it("[SC1] rows are right-trimmed, wide cells count once, marks stay with their base (B053)", async () => {
    const { screen } = makeScreen(40, 3);
    await feed(screen, "中文字 e\u0301 한 ที่ क्षि   \r\n  x  \r\n");
    const { lines, cols, rows } = screen.text();
    expect(lines).toEqual(["中文字 e\u0301 한 ที่ क्षि", "  x", ""]);
    expect([cols, rows]).toEqual([40, 3]);
  });

  it("[SC1] the cursor of a pending wrap is in the last column", async () => {
    const { screen } = makeScreen(5, 2);
    await feed(screen, "abcde\x1b[?25l");
    expect(screen.text().cursor).toEqual({ x: 4, y: 0, visible: false });
  });

  it("[SC1] modes name the mouse, its encoding, and what the program switched on", async () => {
    const { screen } = makeScreen();
    expect(screen.modes).toMatchObject({ mouse: "off", mouse_encoding: "default", autowrap: true });
    await feed(
      screen,
      "\x1b[?1003;1006h\x1b[?2004h\x1b[?1h\x1b=\x1b[?1004h\x1b[4h\x1b[?6h\x1b[?7l",
    );
    expect(screen.modes).toEqual({
      mouse: "any_event",
      mouse_encoding: "sgr",
      app_cursor_keys: true,
      app_keypad: true,
      bracketed_paste: true,
      focus_reporting: true,
      insert: true,
      origin: true,
      autowrap: false,
    });
    await feed(screen, "\x1b[?1006l\x1b[?1000h\x1b[?1015h");
    expect(screen.modes).toMatchObject({ mouse: "normal", mouse_encoding: "urxvt" });
    await feed(screen, "\x1b[?1015l\x1b[?1005h\x1b[?9h");
    expect(screen.modes).toMatchObject({ mouse: "x10", mouse_encoding: "utf8" });
    await feed(screen, "\x1b[?1016h");
    expect(screen.modes).toMatchObject({ mouse_encoding: "sgr_pixels" });
    await feed(screen, "\x1bc");
    expect(screen.modes).toMatchObject({ mouse: "off", mouse_encoding: "default", insert: false });
  });

  it("[SC1] DECSTR resets modes and leaves the mouse, as the browser's terminal does", async () => {
    const { screen } = makeScreen();
    await feed(screen, "\x1b[?1000;1006h\x1b[4h\x1b[?6h\x1b[?25l\x1b[!p");
    expect(screen.modes).toMatchObject({ insert: false, origin: false, mouse: "normal" });
    expect(screen.text().cursor.visible).toBe(true);
  });

  it("[SC1] version rises with every change; equal screens have equal hashes", async () => {
    const { screen } = makeScreen();
    const other = makeScreen().screen;
    await feed(screen, "abc");
    const before = screen.text();
    expect(screen.text()).toEqual(before);
    await feed(screen, "\r\x1b[Kabd");
    expect(screen.text().version).toBeGreaterThan(before.version);
    expect(screen.text().hash).not.toBe(before.hash);
    await feed(other, "abd");
    expect(other.text().hash).toBe(screen.text().hash);
    await feed(other, "\r");
    expect(other.text().hash).not.toBe(screen.text().hash);
  });

  it("[SC1] a narrowed alternate screen shows nothing from beyond its edge", async () => {
    const { screen } = makeScreen(10, 2);
    await feed(screen, "\x1b[?1049h\x1b[Habcdefghij");
    screen.resize({ cols: 4, rows: 2 });
    expect(screen.text().lines).toEqual(["abcd", ""]);
  });

  it("[T8E] text has no C0 or C1 control, whatever the stream", async () => {
    await fc.assert(
      fc.asyncProperty(
        gridSize,
        fc.oneof(
          fc.uint8Array({ maxLength: 400 }),
          fc.string({ unit: "binary", maxLength: 200 }).map(utf8),
          streamSteps.map((steps) =>
            utf8(steps.map((step) => (step.kind === "bytes" ? step.text : "")).join("")),
          ),
        ),
        async (size, bytes) => {
          const screen = new Screen({ size, scrollback: 10 });
          await feed(screen, bytes);
          const text = screen.text();
          screen.dispose();
          expect(text.lines.join("") + text.title).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
          expect(text.lines).toHaveLength(size.rows);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("[SC4] emoji and CJK have the widths the browser gives them (B046, B047)", async () => {
    const { screen } = makeScreen(40, 5);
    const columns: number[] = [];
    const families = [
      "\u{1F600}",
      "\u{20000}",
      "\u{1F468}\u200D\u{1F469}\u200D\u{1F467}",
      "\u2705",
    ];
    const more = [
      "\u2705OK|",
      "\u2764\uFE0FX|",
      "1\uFE0F\u20E3Y|",
      "\u{1F44D}\u{1F3FD}Z|",
      "\u{1F1E9}\u{1F1EA}F|",
    ];
    for (const text of [...families, ...more]) {
      await feed(screen, `\r\x1b[K${text}`);
      columns.push(screen.text().cursor.x);
    }
    expect(columns).toEqual([2, 2, 2, 2, 5, 4, 4, 4, 4]);
  });
});

describe("parsing", () => {
  it("[SC1] sequences cut by reads are whole again, aborted ones do not count (B045)", async () => {
    const { screen, facts } = makeScreen();
    await feedByByte(screen, "\x1b[?1003;1006h\x1b]2;t\x07\x1b]2;no\x18\x1b]2;u\x07");
    expect(screen.modes).toMatchObject({ mouse: "any_event", mouse_encoding: "sgr" });
    expect(facts).toEqual([
      { kind: "title", title: "t" },
      { kind: "title", title: "u" },
    ]);
  });

  it("[SC1] characters cut by reads are whole again, wherever they are cut (B048)", async () => {
    const text = "L2 ─ — ’ • é 中 😀 \u0080\u00a0x";
    const whole = makeScreen(40, 2).screen;
    await feed(whole, text);
    const cut = makeScreen(40, 2).screen;
    await feedByByte(cut, text);
    expect(cut.text().lines).toEqual(whole.text().lines);
    expect(cut.text().lines[0]).toContain("— ’ •");
  });

  it("[SC1] slices of a long write cut no character either", async () => {
    const text = "—".repeat(4_000);
    const { screen } = makeScreen(100, 50);
    await feed(screen, text);
    expect(screen.text().lines.join("")).toBe(text);
  });

  it("`done` comes after write returned, inside the parse, with nothing after its bytes applied", async () => {
    const { screen } = makeScreen(20, 3);
    const seen: string[] = [];
    let isReturned = false;
    const first = new Promise<void>((resolve) =>
      screen.write(utf8("one "), () => {
        seen.push(`${isReturned} ${screen.text().lines[0]} ${screen.applied}`);
        resolve();
      }),
    );
    const second = feed(screen, "two");
    isReturned = true;
    await Promise.all([first, second]);
    expect(seen).toEqual(["true one 4"]);
    expect(screen.text().lines[0]).toBe("one two");
    expect(screen.applied).toBe(7);
  });

  it("[SC7] a long write is parsed in turns with the event loop in between", async () => {
    const { screen } = makeScreen(120, 40);
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await feed(screen, "\x1b[31mabc中\x1b[m\r\n".repeat(200_000));
    isDone = true;
    expect(turns).toBeGreaterThan(10);
  });

  it("erasing above from the last cell of the screen is safe: the library throws there and never parses again", async () => {
    for (const final of ["J", "?J"]) {
      const { screen } = makeScreen(4, 2);
      await feed(screen, `abcdefg\x1b[2;4H\x1b[${final === "J" ? "1J" : "?1J"}`);
      expect(screen.text().lines).toEqual(["", ""]);
      await feed(screen, "\x1b[Hon");
      expect(screen.text().lines).toEqual(["on", ""]);
      expect(screen.faults).toBe(0);
    }
  });

  it("a throw of the emulator costs one slice and not the host", async () => {
    const { screen } = makeScreen();
    let isArmed = true;
    screen.emulator.parser.registerCsiHandler({ final: "z" }, () => {
      if (isArmed) throw new Error("as a fault of the library would");
      return true;
    });
    await feed(screen, "a\x1b[zb");
    isArmed = false;
    await feed(screen, "c");
    expect(screen.faults).toBe(1);
    expect(screen.text().lines[0]).toBe("ac");
  });

  it("the cells kept never exceed the limit, whatever the shape (LM)", () => {
    const { screen } = makeScreen(1_000, 500, limits.scrollbackLines.max);
    const lines = () => screen.size.rows + (screen.emulator.options.scrollback ?? 0);
    expect(lines() * screen.size.cols).toBeLessThanOrEqual(limits.screenCells);
    screen.resize({ cols: 80, rows: 24 });
    expect(screen.emulator.options.scrollback).toBe(Math.floor(limits.screenCells / 80) - 24);
    screen.resize({ cols: 500, rows: 24 });
    expect(lines() * screen.size.cols).toBeLessThanOrEqual(limits.screenCells);
  });

  it("no scrollback is one line: the library loses rows in a reflow with none", async () => {
    const { screen } = makeScreen(12, 6, 0);
    await feed(screen, "ababab\n");
    screen.resize({ cols: 2, rows: 3 });
    await feed(screen, "\x1b[3;1H\n\nend");
    expect(screen.faults).toBe(0);
    expect(screen.text().lines).toHaveLength(3);
    expect(screen.text().lines.slice(-2)).toEqual(["en", "d"]);
  });

  it("narrowing keeps the library's rule: the cursor's row loses what does not fit (B060)", async () => {
    const { screen } = makeScreen(5, 5);
    await feed(screen, "ABCD");
    for (const cols of [4, 3, 5]) screen.resize({ cols, rows: 5 });
    expect(screen.text().lines[0]).toBe("ABC");
  });

  it("a disposed screen parses nothing more", async () => {
    const { screen, facts } = makeScreen();
    screen.write(utf8("\x07"), () => {
      throw new Error("called after dispose");
    });
    screen.dispose();
    await new Promise((resolve) => setImmediate(resolve));
    expect(facts).toEqual([]);
  });
});

describe("facts", () => {
  it("title and bell: cleaned, bounded, one bell for one write", async () => {
    const { screen, facts } = makeScreen();
    await feed(screen, `\x07\x07\x07\x1b]0;a\u202eb\u200bc\x07\x1b]2;${"x".repeat(5_000)}\x07`);
    expect(facts[0]).toEqual({ kind: "bell" });
    expect(facts.slice(1).map((fact) => fact.kind === "title" && fact.title)).toEqual([
      "abc",
      "x".repeat(limits.titleChars),
    ]);
    await feed(screen, "\x07");
    expect(facts.filter((fact) => fact.kind === "bell")).toHaveLength(2);
  });

  it("a pushed title comes back (CSI 22 t, 23 t), the stack is bounded, the same title is no news", async () => {
    const { screen, facts } = makeScreen();
    await feed(
      screen,
      "\x1b]2;shell\x07\x1b[22;0t\x1b]2;vim\x07\x1b]2;vim\x07\x1b[23;0t\x1b[23;0t",
    );
    expect(facts.map((fact) => fact.kind === "title" && fact.title)).toEqual([
      "shell",
      "vim",
      "shell",
    ]);
    await feed(screen, "\x1b[22t".repeat(1_000));
    expect(screen.title).toBe("shell");
  });
});

describe("answers", () => {
  const queries: readonly [name: string, query: string, answer: string][] = [
    ["DA1", "\x1b[c", "\x1b[?1;2c"],
    ["DA2", "\x1b[>c", "\x1b[>0;276;0c"],
    ["DA3", "\x1b[=c", "\x1bP!|00000000\x1b\\"],
    ["DSR", "\x1b[5n", "\x1b[0n"],
    ["CPR", "\x1b[2;3H\x1b[6n", "\x1b[2;3R"],
    ["DECXCPR", "\x1b[2;3H\x1b[?6n", "\x1b[?2;3R"],
    ["CPR under origin mode (B037)", "\x1b[2;4r\x1b[?6h\x1b[2;5H\x1b[6n", "\x1b[2;5R"],
    ["CPR with a pending wrap", `\x1b[H${"x".repeat(20)}\x1b[6n`, "\x1b[1;20R"],
    ["DECRQM", "\x1b[?2026$p", "\x1b[?2026;2$y"],
    ["DECRQM, unknown", "\x1b[?31337$p", "\x1b[?31337;0$y"],
    ["DECRQSS SGR", "\x1b[1;31;48;2;1;2;3m\x1bP$qm\x1b\\", "\x1bP1$r0;1;31;48:2::1:2:3m\x1b\\"],
    ["DECRQSS DECSTBM", "\x1b[2;4r\x1bP$qr\x1b\\", "\x1bP1$r2;4r\x1b\\"],
    ["DECRQSS DECSCUSR", "\x1b[5 q\x1bP$q q\x1b\\", "\x1bP1$r5 q\x1b\\"],
    ["DECRQSS, unknown", "\x1bP$qzz\x1b\\", "\x1bP0$r\x1b\\"],
    ["XTVERSION", "\x1b[>0q", "\x1bP>|xterm.js(6.0.0)\x1b\\"],
    ["XTGETTCAP", "\x1bP+q544e\x1b\\", "\x1bP0+r\x1b\\"],
    ["kitty keyboard", "\x1b[?u", "\x1b[?0u"],
    ["size in cells", "\x1b[18t", "\x1b[8;5;20t"],
    ["foreground", "\x1b]10;?\x07", "\x1b]10;rgb:e6e6/eaea/f2f2\x1b\\"],
    ["background", "\x1b]11;?\x1b\\", "\x1b]11;rgb:0e0e/1111/1616\x1b\\"],
    ["cursor colour", "\x1b]12;?\x07", "\x1b]12;rgb:e6e6/eaea/f2f2\x1b\\"],
    [
      "palette",
      "\x1b]4;1;?;231;?;255;?\x07",
      "\x1b]4;1;rgb:ffff/7a7a/8080\x1b\\\x1b]4;231;rgb:ffff/ffff/ffff\x1b\\\x1b]4;255;rgb:eeee/eeee/eeee\x1b\\",
    ],
    [
      "a colour that was set",
      "\x1b]11;#102030\x07\x1b]11;?\x07",
      "\x1b]11;rgb:1010/2020/3030\x1b\\",
    ],
    [
      "a colour that was set and reset",
      "\x1b]4;1;#fff\x07\x1b]104\x07\x1b]4;1;?\x07",
      "\x1b]4;1;rgb:ffff/7a7a/8080\x1b\\",
    ],
    ["the title is never told", "\x1b]2;x\x07\x1b[21t\x1b[20t", ""],
    ["the clipboard is never told", "\x1b]52;c;?\x07", ""],
    ["pixels are not known", "\x1b[14t\x1b[16t", ""],
    ["ENQ", "\x05", ""],
  ];
  for (const [name, query, answer] of queries) {
    it(`[SC3] ${name}: one answer, at its place, even when the query comes byte by byte`, async () => {
      const { screen, replies } = makeScreen();
      await feedByByte(screen, query);
      expect(replies()).toBe(answer);
    });
  }

  it("[SC3] answers stand in the order of the queries and between the right facts", async () => {
    const { screen, facts } = makeScreen();
    await feed(screen, "\x1b[5n\x1b]2;a\x07\x1b[c\x07");
    expect(facts.map((fact) => fact.kind)).toEqual(["reply", "title", "reply", "bell"]);
  });

  it("[T86] answers are constants and numbers, whatever the strings of the requests", async () => {
    const grammar =
      /^(?:\x1b\[[?>]?[\d;]*(?:[cnRtu]|\$y)|\x1bP!\|0{8}\x1b\\|\x1bP>\|xterm\.js\(6\.0\.0\)\x1b\\|\x1bP0[+$]r\x1b\\|\x1bP1\$r[\d;:]*(?:m|r| q|"q|"p)\x1b\\|\x1b\](?:4;\d+|1[012]);rgb:[\da-f]{4}\/[\da-f]{4}\/[\da-f]{4}\x1b\\)*$/;
    const body = fc.string({ unit: "binary", maxLength: 30 });
    const request = fc.oneof(
      body.map((text) => `\x1bP$q${text}\x1b\\`),
      body.map((text) => `\x1bP+q${text}\x1b\\`),
      fc.tuple(fc.nat(20), body).map(([n, text]) => `\x1b]${n};${text};?\x07`),
      fc.tuple(fc.nat(300), body).map(([n, text]) => `\x1b]4;${n};?;${text}\x1b\\`),
      fc
        .tuple(
          fc.constantFrom("", "?", ">", "="),
          fc.nat(3_000),
          fc.constantFrom("c", "n", "t", "u", "q", "$p", "x"),
        )
        .map(([prefix, n, final]) => `\x1b[${prefix}${n}${final}`),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(request, { maxLength: 8 }), async (requests) => {
        const { screen, replies } = makeScreen();
        await feed(screen, requests.join(""));
        expect(replies()).toMatch(grammar);
        open.pop()?.dispose();
      }),
      { numRuns: 1_500 },
    );
  });
});

describe("snapshots of a screen", () => {
  it("[SN1] an old mouse encoding, changed colours and the title are in it", async () => {
    const { screen } = makeScreen();
    await feed(screen, "\x1b[?1015h\x1b]11;#102030\x07\x1b]2;hello\x07");
    const { screen: bytes } = await screen.snapshot(0, 0);
    const again = makeScreen();
    await feed(again.screen, bytes);
    expect(again.screen.modes.mouse_encoding).toBe("urxvt");
    expect(again.screen.title).toBe("hello");
    await feed(again.screen, "\x1b]11;?\x07");
    expect(again.replies()).toBe("\x1b]11;rgb:1010/2020/3030\x1b\\");
  });

  it("[SN5] a client that was in the middle of a sequence, of a string, of anything, is right after reset and snapshot", async () => {
    const { screen } = makeScreen();
    await feed(screen, "one\r\ntwo");
    const snapshot = await screen.snapshot(0, 0);
    for (const rubbish of [
      "\x1b[3",
      "\x1b]2;abc",
      "\x1bPq",
      "\x1b[?25l\x1b[20h\x1b[4h\x1b(0\x1b]8;;http://x\x07\x1b[41m",
    ]) {
      const viewer = new Viewer(snapshot.size);
      viewer.write(rubbish);
      viewer.terminal.reset();
      viewer.write(snapshot.screen);
      expect(compareTerminals(screen, viewer)).toEqual([]);
      viewer.dispose();
    }
  });

  it("[T8D] a snapshot holds no query and no clipboard request, and replaying it is answered by nothing", async () => {
    const hostile = fc.oneof(
      fc.constantFrom(
        "\x1b]52;c;aGk=\x07",
        "\x1b]52;c;",
        "\x1b]52",
        "\x1b[c",
        "\x1b[6n",
        "\x1b]11;?\x07",
        "\x1bP$qm\x1b\\",
        "\x1b]2;\x1b[c\x07",
        "\x1b]8;;http://x/?\x07",
        "\x1b]8;id=\u009b6n;http://x/\u009b6n\x07",
        "\u009d52;c;?",
      ),
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
      streamSteps.map((steps) =>
        steps.map((step) => (step.kind === "bytes" ? step.text : "")).join(""),
      ),
    );
    await fc.assert(
      fc.asyncProperty(gridSize, fc.array(hostile, { maxLength: 6 }), async (size, parts) => {
        const screen = new Screen({ size, scrollback: 20 });
        await feed(screen, parts.join(""));
        const snapshot = await screen.snapshot(0, 0);
        const all = Buffer.concat([...snapshot.history, snapshot.screen]).toString("latin1");
        expect(all).not.toMatch(/(?:\x1b\]|\xc2\x9d)0*52;/);
        expect(all).not.toMatch(
          /\x1b\[[?>=]?[\d;]*[cn]|\x1b\[[\d;?]*\$p|\x1b\[[>?]\d*[qu]|\x1bP[$+]q[^\x1b]*\x1b\\|\x1b\]1[012];\?|\x1b\]4;\d+;\?/,
        );
        const again = new Screen({ size, scrollback: 20 });
        const replies: ScreenFact[] = [];
        again.onFact((fact) => fact.kind === "reply" && replies.push(fact));
        for (const piece of [...snapshot.history, snapshot.screen]) await feed(again, piece);
        expect(replies).toEqual([]);
        screen.dispose();
        again.dispose();
      }),
      { numRuns: 500 },
    );
  });

  it("[SN3] twenty snapshots at random moments of a flood, each continued, end with the same screen (B021)", async () => {
    const size = { cols: 30, rows: 10 };
    const { screen } = makeScreen(size.cols, size.rows, 50);
    const flood = utf8(
      Array.from({ length: 20_000 }, (_, i) => `line ${i}\r\n`)
        .join("")
        .concat("LAST-2"),
    );
    const cuts = Array.from({ length: 20 }, (_, i) => Math.floor(((i + 0.37) / 20) * flood.length));
    const viewers: { at: number; viewer: Viewer }[] = [];
    let at = 0;
    for (const cut of cuts) {
      await feed(screen, flood.subarray(at, cut));
      at = cut;
      viewers.push({ at, viewer: viewerOf(await screen.snapshot(at, 0), { scrollback: 50 }) });
    }
    await feed(screen, flood.subarray(at));
    for (const { at, viewer } of viewers) {
      viewer.write(flood.subarray(at));
      expect(compareTerminals(screen, viewer)).toEqual([]);
      viewer.dispose();
    }
    expect(screen.text().lines.at(-1)).toBe("LAST-2");
  });

  it("several viewers at one place share one serialisation; bytes written meanwhile wait and are in none", async () => {
    const { screen } = makeScreen(40, 10, 2_000);
    await feed(screen, "x\r\n".repeat(1_500));
    const [a, b] = [screen.snapshot(1, 2), screen.snapshot(1, 3)];
    const written = feed(screen, "LATER");
    const [first, second] = await Promise.all([a, b]);
    expect(first.screen).toBe(second.screen);
    expect([first.at, first.afterEntry, second.afterEntry]).toEqual([1, 2, 3]);
    const viewer = viewerOf(first, { scrollback: 2_000 });
    expect(
      viewer.terminal.buffer.active
        .getLine(viewer.terminal.buffer.active.baseY + 9)
        ?.translateToString(true),
    ).toBe("");
    viewer.dispose();
    await written;
    expect(screen.text().lines[9]).toBe("LATER");
  });

  it("[SN4] 5,000 coloured lines: the loop is never held for 30 ms (B132)", async () => {
    const { screen } = makeScreen(120, 40, 5_000);
    const row = Array.from({ length: 24 }, (_, i) => `\x1b[38;5;${i * 9}mab\x1b[48;5;${i}mcde`);
    await feed(screen, `${row.join("")}\x1b[m\r\n`.repeat(5_100));
    // Time of this process's processors between two turns of the loop: on a busy machine the clock tells how long others worked.
    const spentMs = () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000;
    };
    let best = Number.POSITIVE_INFINITY;
    let snapshot = await screen.snapshot(0, 0);
    for (let round = 0; round < 3; round++) {
      await feed(screen, "x");
      let longest = 0;
      let last = spentMs();
      let isDone = false;
      const watch = () => {
        const now = spentMs();
        longest = Math.max(longest, now - last);
        last = now;
        if (!isDone) setImmediate(watch);
      };
      setImmediate(watch);
      snapshot = await screen.snapshot(0, 0);
      isDone = true;
      best = Math.min(best, longest);
    }
    expect(best).toBeLessThan(30);
    expect(snapshot.history.length).toBeGreaterThan(10);
    for (const piece of snapshot.history) expect(piece.length).toBeLessThan(256 * 1024);
  });

  it("[SN4] the screen is told before the history is drawn, and is the same as in the whole", async () => {
    const contents = [
      numbered(300),
      // A line that goes on from the scrollback into the screen, and a cursor saved above.
      `${"\r\n".repeat(30)}\x1b7${"long ".repeat(300)}`,
      `${numbered(200)}\x1b[?1049h\x1b[5;5Halternate`,
      `${"wide 漢字 \r\n".repeat(60)}\x1b[3;9r\x1b[?6h`,
    ];
    for (const content of contents) {
      const screen = new Screen({ size: { cols: 40, rows: 10 }, scrollback: 1_000 });
      await feed(screen, content);
      const told: Uint8Array[] = [];
      let isWhole = false;
      const whole = await screen
        .snapshot(0, 0, (early) => {
          expect(isWhole).toBe(false);
          told.push(early.screen);
        })
        .finally(() => {
          isWhole = true;
        });
      expect(told).toEqual([whole.screen]);
      expect(whole.history.length).toBeGreaterThan(0);
      screen.dispose();
    }
  });
});
