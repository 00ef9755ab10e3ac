import headless, { type Terminal as HeadlessTerminal, type IBufferCell } from "@xterm/headless";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { limits } from "#lib/protocol/limits.ts";
import { VtGuard } from "./vt-guard.ts";

const size = { cols: 80, rows: 24 };

function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "utf8"));
}

function shown(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("utf8");
}

function guarded(text: string | Uint8Array, grid = size): string {
  return shown(new VtGuard(grid).filter(typeof text === "string" ? bytesOf(text) : text, 0));
}

/** The stream in pieces of the given lengths, repeated. */
function inPieces(bytes: Uint8Array, lengths: readonly number[], grid = size): Uint8Array {
  const guard = new VtGuard(grid);
  const out: Uint8Array[] = [];
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const length = lengths[i % lengths.length] ?? 1;
    out.push(guard.filter(bytes.subarray(at, at + length), 0));
    at += length;
  }
  return Buffer.concat(out);
}

const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 });

/** What well-behaved programs print. */
const sane = fc
  .array(
    fc.oneof(
      fc
        .string({ unit: "grapheme", maxLength: 30 })
        .filter((text) => !/[\p{Cc}\p{Cf}\p{Cs}\p{M}]/u.test(text)),
      fc.constantFrom(
        "\r\n",
        "\t",
        "\b",
        "\x07",
        "é",
        "日本語。",
        "👩‍👩‍👧‍👦",
        "👩🏽‍👩🏽‍👧🏽‍👦🏽",
        "e\u0301\u0302",
        "क्षि",
        "한글",
      ),
      fc
        .tuple(
          fc.constantFrom("", "?", ">"),
          fc.array(fc.integer({ min: 0, max: 999 }), { maxLength: 6 }),
          fc.constantFrom(
            "A",
            "B",
            "C",
            "H",
            "J",
            "K",
            "m",
            "h",
            "l",
            "r",
            "d",
            "G",
            "n",
            "c",
            "X",
            "P",
            "@",
          ),
        )
        .map(([prefix, numbers, final]) => `\x1b[${prefix}${numbers.join(";")}${final}`),
      fc
        .tuple(fc.integer({ min: 1, max: 24 }), fc.constantFrom("L", "M", "S", "T", "I", "Z", "b"))
        .map(([count, final]) => `x\x1b[${count}${final}`),
      fc.constantFrom(
        "\x1b[38:2::1:2:3m",
        "\x1b[4:3m",
        "\x1b[!p",
        "\x1b[ q",
        "\x1b[?25$p",
        "\x1b7",
        "\x1b8",
        "\x1b(0",
        "\x1b#8",
        "\x1bM",
        "\x1bc",
        "\u0085",
        "\x1b]0;a title with ünicode\x07",
        "\x1b]2;t\x1b\\",
        "\x1b]8;id=1;https://example.org/a;b\x1b\\link\x1b]8;;\x1b\\",
        "\x1b]133;A\x07",
        "\x1b]633;E;ls;nonce\x07",
        "\x1b]7;file://host/tmp\x07",
        "\x1b]52;c;aGVsbG8=\x07",
        "\x1b]4;1;rgb:ff/00/00;2;?\x1b\\",
        "\x1b]11;?\x07",
        "\x1b]1337;CurrentDir=/tmp\x07",
        "\x1bP$qm\x1b\\",
        "\x1bP+q544e\x1b\\",
        "\x1b_application\x1b\\",
        "\x1b^privacy\x1b\\",
      ),
    ),
    { maxLength: 30 },
  )
  .map((parts) => bytesOf(parts.join("")));

/** What is neither sane nor, in what a screen shows of it, out of bounds: broken off, interleaved, malformed. */
const wild = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 8 }),
      fc
        .constantFrom(
          "\x1b",
          "[",
          "]0;",
          "P",
          "_",
          "\x07",
          "\x1b\\",
          "\u009c",
          "\x18",
          "\x1a",
          "\x7f",
          "\n",
          "\u009b",
          "\u009d2;",
          "\u0090",
          "\u0084",
          "5",
          ";",
          ":",
          "m",
          "A",
          "b",
          "L",
          "?",
          " ",
          "$q",
          "é",
          "\u0301",
          "text",
          "\x1b[3",
          "\x1b[2b",
          "\x1b]8;;http://a\x07",
          "\x1b[\n3A",
        )
        .map(bytesOf),
    ),
    { maxLength: 40 },
  )
  .map((parts) => Buffer.concat(parts) as Uint8Array);

describe("VtGuard: identity", () => {
  it("[SC8] a sane stream passes byte for byte, as the same array", () => {
    fc.assert(
      fc.property(sane, (bytes) => {
        expect(new VtGuard(size).filter(bytes, 0)).toBe(bytes);
      }),
      { numRuns: 500 },
    );
  });

  it("[SC8] a sane stream passes byte for byte however it is split", () => {
    fc.assert(
      fc.property(sane, lengths, (bytes, cuts) => {
        expect(shown(inPieces(bytes, cuts))).toBe(shown(bytes));
      }),
      { numRuns: 500 },
    );
  });

  it("[SC8] any stream comes out the same however it is split", () => {
    fc.assert(
      fc.property(wild, lengths, (bytes, cuts) => {
        const whole = new VtGuard(size).filter(bytes, 0);
        expect(Buffer.from(inPieces(bytes, cuts)).equals(whole)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it("[SC8] what comes out is valid UTF-8, in every piece", () => {
    const strict = new TextDecoder("utf-8", { fatal: true });
    fc.assert(
      fc.property(wild, lengths, (bytes, cuts) => {
        const guard = new VtGuard(size);
        for (let at = 0, i = 0; at < bytes.length; i++) {
          const length = cuts[i % cuts.length] ?? 1;
          expect(() =>
            strict.decode(guard.filter(bytes.subarray(at, at + length), 0)),
          ).not.toThrow();
          at += length;
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("[B048] a character cut by a read is passed whole with the next one", () => {
    const guard = new VtGuard(size);
    expect(shown(guard.filter(Uint8Array.of(0x4c, 0x32, 0x20, 0xe2), 0))).toBe("L2 ");
    expect(shown(guard.filter(Uint8Array.of(0x94, 0x80, 0x20), 0))).toBe("─ ");
  });

  it("[B045] sequences one byte at a time, and one aborted with CAN, pass as they are", () => {
    const text = "\x1b[?1003;1006h\x1b]133;D;130\x1b\\\x1b]2;t\x07\x1b]133;A\x18\x1b]133;B\x07";
    expect(shown(inPieces(bytesOf(text), [1]))).toBe(text);
  });
});

describe("VtGuard: counts", () => {
  const numbers = ["1000000", "2147483647", "9223372036854775808", "9".repeat(300)];
  const bounds: Record<string, number> = { L: 24, M: 24, S: 24, T: 24, I: 80, Z: 80, b: 1920 };

  for (const introducer of ["\x1b[", "\u009b"]) {
    it(`[SC8] every final is clamped after ${JSON.stringify(introducer)}`, () => {
      for (let code = 0x40; code < 0x7f; code++) {
        const final = String.fromCharCode(code);
        for (const number of numbers) {
          const wanted = `A\x1b[${bounds[final] ?? 9999}${final}`;
          expect(guarded(`A${introducer}${number}${final}`)).toBe(wanted);
        }
      }
    });
  }

  it("[SC8] a count at its bound is left alone, one above is not", () => {
    for (const [final, bound] of Object.entries(bounds)) {
      expect(guarded(`A\x1b[${bound}${final}`)).toBe(`A\x1b[${bound}${final}`);
      expect(guarded(`A\x1b[${bound + 1}${final}`)).toBe(`A\x1b[${bound}${final}`);
    }
    expect(guarded("\x1b[9999;9999H")).toBe("\x1b[9999;9999H");
    expect(guarded("\x1b[10000;10000H")).toBe("\x1b[9999;9999H");
  });

  it("[SC8] the bounds follow the size", () => {
    const guard = new VtGuard(size);
    guard.resize({ cols: 10, rows: 5 });
    expect(shown(guard.filter(bytesOf("A\x1b[60b\x1b[60L\x1b[60I"), 0))).toBe(
      "A\x1b[50b\x1b[5L\x1b[10I",
    );
  });

  it("[SC8] sub-parameters, prefixes and intermediates are clamped and otherwise kept", () => {
    expect(guarded("\x1b[38:2:99999::3m")).toBe("\x1b[38:2:9999::3m");
    expect(guarded("\x1b[?99999;25h")).toBe("\x1b[?9999;25h");
    expect(guarded("\x1b[99999 @\x1b[99999'}")).toBe("\x1b[9999 @\x1b[9999'}");
  });

  it("[SC8] controls inside a clamped sequence keep their effect", () => {
    expect(guarded("A\x1b[99\n999\r9b")).toBe("A\n\r\x1b[1920b");
  });

  it("[SC8] a sequence beyond 4 KiB is left out, controls inside excepted", () => {
    expect(guarded(`a\x1b[${"1;".repeat(4000)}\nmb`)).toBe("a\nb");
    expect(guarded(`a\x1b${"(".repeat(5000)}Bb`)).toBe("ab");
  });

  it("[SC8] counts within the screen are rationed in the long run, and the ration comes back", () => {
    const guard = new VtGuard(size);
    const total = (nowMs: number) =>
      shown(guard.filter(bytesOf("A\x1b[1920b".repeat(1000)), nowMs))
        .match(/\d+(?=b)/g)
        ?.reduce((sum, count) => sum + Number(count), 0);
    const free = 1000 * 80;
    expect(total(0)).toBe(free + limits.countWork.cells);
    expect(total(0)).toBe(free);
    expect(total(20)).toBe(free + 10_000);
  });

  it("REP of a row or less, and single lines, are never rationed", () => {
    const text = "A\x1b[80b\x1b[L\x1b[1M\x1b[S".repeat(20_000);
    expect(guarded(text)).toBe(text);
  });
});

describe("VtGuard: strings", () => {
  it("[SC8] a string over 64 KiB is dropped to its terminator", () => {
    const body = "x".repeat(limits.controlStringBytes);
    for (const start of [
      "\x1b]0;",
      "\x1bP$q",
      "\x1b_",
      "\x1b^",
      "\x1bX",
      "\u009d0;",
      "\u0090$q",
      "\u009f",
    ]) {
      for (const end of ["\x1b\\", "\u009c", "\x18"]) {
        const bytes = bytesOf(`a${start}${body}${end}b`);
        expect(guarded(bytes)).toBe("ab");
        expect(shown(inPieces(bytes, [1000, 1]))).toBe("ab");
      }
    }
    expect(guarded(`a\x1b]0;${body}\x07b`)).toBe("ab");
  });

  it("[SC8] a string of just under 64 KiB passes", () => {
    const text = `\x1b]0;${"x".repeat(limits.controlStringBytes - 10)}\x07`;
    expect(guarded(text)).toBe(text);
  });

  it("[SC8] a dropped string ends at the sequence that breaks it off", () => {
    expect(guarded(`\x1b]0;${"x".repeat(70_000)}\x1b[1mb`)).toBe("\x1b[1mb");
  });

  it("[SC8] an unfinished string is forgotten after 5 s, long or short", () => {
    for (const start of ["\x1b]0;short", `\x1bP${"x".repeat(100_000)}`]) {
      const guard = new VtGuard(size);
      expect(shown(guard.filter(bytesOf(`a${start}`), 1000))).toBe("a");
      expect(shown(guard.filter(bytesOf("swallowed"), 5999))).toBe("");
      expect(shown(guard.filter(bytesOf("$ prompt"), 6000))).toBe("$ prompt");
    }
  });

  it("[SC8] an unfinished control sequence waits for its end without a deadline", () => {
    const guard = new VtGuard(size);
    expect(shown(guard.filter(bytesOf("a\x1b[3"), 0))).toBe("a");
    expect(shown(guard.filter(bytesOf("1mb"), 60_000))).toBe("\x1b[31mb");
  });

  it("[SC8] image protocols are not passed on", () => {
    expect(guarded('a\x1bPq"1;1;9;9#0!9~\x1b\\b')).toBe("ab");
    expect(guarded("a\x1bP0;1;0q~\x1b\\b\u00900q~\u009cc")).toBe("abc");
    expect(guarded("a\x1b]1337;File=inline=1:QUJD\x07b")).toBe("ab");
    expect(guarded("a\x1b]1337;MultipartFile=x\x07\x1b]01337;FilePart=QUJD\x07b")).toBe("ab");
    expect(guarded("a\x1b_Ga=T;QUJD\x1b\\b")).toBe("ab");
  });

  it("[SE8][B109] OSC 52: a read is never passed, a write is", () => {
    const write = "\x1b]52;c;Y3VybCBldmlsfHNoCg==\x07";
    expect(guarded(write)).toBe(write);
    for (const read of [
      "52;c;?",
      "52;;?",
      "052;c;?",
      "52;c;? ",
      "5\n2;c;?",
      "52;c;",
      "52;c;!!",
      "5522;type=read",
    ]) {
      expect(guarded(`a\x1b]${read}\x07b\x1b]${read}\x1b\\c`)).toBe("abc");
    }
  });

  it("[T84] an address over 2,083 characters opens no link and ends the one before", () => {
    const long = `http://e/${"x".repeat(2100)}`;
    expect(guarded(`\x1b]8;;http://a\x07a\x1b]8;;${long}\x07b`)).toBe(
      "\x1b]8;;http://a\x07a\x1b]8;;\x1b\\b",
    );
  });

  it("[T84] after 5,000 links there are 20 more per second", () => {
    const guard = new VtGuard(size);
    const flood = bytesOf(
      Array.from({ length: 6000 }, (_, i) => `\x1b]8;;http://e/${i}\x07x`).join(""),
    );
    const opened = (nowMs: number) => shown(guard.filter(flood, nowMs)).match(/http/g)?.length ?? 0;
    expect(opened(0)).toBe(5000);
    expect(opened(0)).toBe(0);
    expect(opened(1000)).toBe(20);
  });

  it("[T84] the addresses of all links take 1 MiB at most, and then 4 KiB more per second", () => {
    const guard = new VtGuard(size);
    const payload = `;http://e/${"x".repeat(1991)}`;
    const flood = bytesOf(`\x1b]8;${payload}\x07x`.repeat(1000));
    const opened = (nowMs: number) => shown(guard.filter(flood, nowMs)).match(/http/g)?.length ?? 0;
    expect(opened(0)).toBe(Math.floor(2 ** 20 / payload.length));
    expect(opened(2000)).toBe(4);
  });

  it("a link that is never closed is closed after 4 KiB", () => {
    const out = guarded(`\x1b]8;;http://a\x07${"x".repeat(10_000)}`);
    expect(out.indexOf("\x1b]8;;\x1b\\")).toBe(
      "\x1b]8;;http://a\x07".length + limits.linkTextBytes,
    );
    expect(out.replace("\x1b]8;;\x1b\\", "")).toBe(`\x1b]8;;http://a\x07${"x".repeat(10_000)}`);
  });

  it("a string of more colours than there are is dropped", () => {
    const all = `\x1b]4;${Array.from({ length: 256 }, (_, i) => `${i};rgb:00/00/00`).join(";")}\x07`;
    expect(guarded(all)).toBe(all);
    expect(guarded(`\x1b]4;${"1;red;".repeat(5000)}\x07`)).toBe("");
  });
});

describe("VtGuard: nothing left out leaves a trap behind", () => {
  // Each prefix would turn what follows the dropped string into something else, were it passed on alone.
  it("[SC8] an unfinished sequence before a dropped one is dropped too", () => {
    for (const prefix of [
      "\x1b[5",
      "\x1b[?",
      "\x1b",
      "\x1b(",
      "\x1b]0;t",
      "\x1bP1;",
      "\x1b_x",
      "\xc2",
      "\u009b3",
    ]) {
      const latin = prefix === "\xc2" ? Uint8Array.of(0xc2) : bytesOf(prefix);
      const out = guarded(
        Buffer.concat([latin, bytesOf("\x1b]52;c;?\x07"), bytesOf("\x9b99999999b")]),
      );
      expect(out).not.toMatch(/[\x1b\x9b]$/);
      expect(out.replace(/\x1b\]0;t\x1b\\/, "")).toBe("\x1b[1920b");
    }
  });

  it("[SC8] a byte that forms no character joins nothing behind it", () => {
    const out = new VtGuard(size).filter(
      Buffer.concat([
        Uint8Array.of(0xc2),
        bytesOf("\x1b]52;c;?\x07"),
        Uint8Array.of(0x9b),
        bytesOf("99999b"),
      ]),
      0,
    );
    expect(shown(out)).toBe("99999b");
  });
});

describe("VtGuard: cells", () => {
  it("a cell keeps 16 marks at most", () => {
    expect([...guarded(`x${"\u0301".repeat(1e5)}y`)].length).toBe(18);
    expect([...guarded(`x${"\u0301\x7f".repeat(50)}y`)].filter((c) => c === "\u0301").length).toBe(
      16,
    );
  });

  it("four marks on every cell pass, sixteen only for a while", () => {
    const four = `x${"\u0301".repeat(4)}`.repeat(50_000);
    expect(guarded(four)).toBe(four);
    const sixteen = guarded(`x${"\u0301".repeat(16)}`.repeat(50_000));
    expect(sixteen.match(/\u0301/g)?.length).toBe(50_000 * 4 + limits.marksPerCell.ration);
  });

  it("text that is all marks and joiners loses no base character", () => {
    for (const text of [
      "한글 자모 ".normalize("NFD").repeat(100),
      "e\u0301".repeat(1000),
      "🇩🇪🇫🇷".repeat(500),
    ]) {
      expect(guarded(text)).toBe(text);
    }
  });
});

describe("controls before a string that is left out", () => {
  it.each([
    ["a picture", "\x1b\t_Ga=T;AAAA\x1b\\y", "\ty"],
    ["one that is broken off", "\x1b\tX\x1b[my", "\t\x1b[my"],
    ["a read of the clipboard", "\x1b\r\n]52;c;?\x07y", "\r\ny"],
    ["a link to nowhere", "\x1b\t]8;id=1;\x07y", "\t\x1b]8;;\x1b\\y"],
    ["one that never ends", `\x1b\t_${"z".repeat(limits.controlStringBytes)}\x1b\\y`, "\ty"],
  ])("[SC8] are executed: %s", (_, text, passes) => {
    expect(guarded(text)).toBe(passes);
  });
});

describe("VtGuard against the emulator", () => {
  let addon: typeof import("@xterm/addon-unicode-graphemes");
  beforeAll(async () => {
    const { poolSize } = Buffer;
    // The add-on reads its table from the start of the pool's buffer instead of its own (SC4).
    Buffer.poolSize = 0;
    addon = await import("@xterm/addon-unicode-graphemes");
    Buffer.poolSize = poolSize;
  });

  const grid = { cols: 20, rows: 6 };

  function emulator(hasGraphemes: boolean): HeadlessTerminal {
    const terminal = new headless.Terminal({
      ...grid,
      scrollback: 50,
      allowProposedApi: true,
      logLevel: "off",
    });
    if (hasGraphemes) terminal.loadAddon(new addon.UnicodeGraphemesAddon());
    return terminal;
  }

  function feed(terminal: HeadlessTerminal, bytes: Uint8Array): void {
    (terminal as unknown as { _core: { writeSync(data: Uint8Array): void } })._core.writeSync(
      bytes,
    );
  }

  function parserState(terminal: HeadlessTerminal): number {
    return (
      terminal as unknown as { _core: { _inputHandler: { _parser: { currentState: number } } } }
    )._core._inputHandler._parser.currentState;
  }

  function picture(terminal: HeadlessTerminal): string[] {
    const { active } = terminal.buffer;
    const rows = [
      `${active.type} ${active.cursorX},${active.cursorY} ${active.baseY} ${JSON.stringify(terminal.modes)}`,
    ];
    let cell: IBufferCell | undefined;
    for (let y = 0; y < active.length; y++) {
      const line = active.getLine(y);
      let row = line?.isWrapped ? "+" : " ";
      for (let x = 0; x < grid.cols; x++) {
        cell = line?.getCell(x, cell);
        row += `${cell?.getChars()}/${cell?.getWidth()},${cell?.getFgColor()},${cell?.getBgColor()},${cell?.isBold()}|`;
      }
      rows.push(row);
    }
    return rows;
  }

  for (const hasGraphemes of [false, true]) {
    it(`[SC8] a stream within bounds gives the same screen with and without the guard (graphemes: ${hasGraphemes})`, () => {
      fc.assert(
        fc.property(fc.oneof(wild, sane), lengths, (stream, cuts) => {
          // CAN closes what the stream left open, in both.
          const bytes = Buffer.concat([stream, Uint8Array.of(0x18)]);
          const bare = emulator(hasGraphemes);
          feed(bare, bytes);
          const safe = emulator(hasGraphemes);
          const guard = new VtGuard(grid);
          for (let at = 0, i = 0; at < bytes.length; i++) {
            const length = cuts[i % cuts.length] ?? 1;
            feed(safe, guard.filter(bytes.subarray(at, at + length), 0));
            // Between any two chunks the emulator is between sequences: a snapshot may be taken there.
            expect(parserState(safe)).toBe(0);
            at += length;
          }
          expect(picture(safe)).toEqual(picture(bare));
          bare.dispose();
          safe.dispose();
        }),
        { numRuns: 400 },
      );
    });
  }

  it("no code point, repeated, makes a cell longer than 17 code points", () => {
    const guard = new VtGuard(size);
    const terminal = emulator(true);
    const tooLong: string[] = [];
    // Every assigned block that joins, and a sample of the rest.
    for (
      let codePoint = 0xa0;
      codePoint < 0x20000;
      codePoint += codePoint > 0x3400 && codePoint < 0xa000 ? 97 : codePoint > 0x12000 ? 7 : 1
    ) {
      if (codePoint >= 0xd800 && codePoint < 0xe000) continue;
      const character = String.fromCodePoint(codePoint);
      feed(
        terminal,
        guard.filter(bytesOf(`\x1b[2J\x1b[Hx${character.repeat(25)}`), codePoint * 1000),
      );
      const row = terminal.buffer.active.getLine(terminal.buffer.active.baseY);
      for (let x = 0; x < grid.cols; x++) {
        const units = [...(row?.getCell(x)?.getChars() ?? "")].length;
        if (units > limits.marksPerCell.max + 1)
          tooLong.push(`U+${codePoint.toString(16)}: ${units}`);
      }
    }
    expect(tooLong).toEqual([]);
  });
});
