// Pins what we use of the library beyond its public API. When this fails after an upgrade, read xterm-internals.ts before anything else.
import { createRequire } from "node:module";
import { expect, it } from "vitest";
import { charsetFinal } from "./charset-names.ts";
import { createEmulator } from "./emulator.ts";
import { coreOf, parserState } from "./xterm-internals.ts";

function written(data: string) {
  const terminal = createEmulator({ cols: 20, rows: 5 }, 10);
  const write = (text: string) => {
    let isParsed = false;
    terminal.input("", true);
    terminal.write(text, () => {
      isParsed = true;
    });
    return isParsed;
  };
  expect(write(data)).toBe(true);
  return { terminal, core: coreOf(terminal), write };
}

it("the versions are the ones that were read", () => {
  const require = createRequire(import.meta.url);
  expect(require("@xterm/headless/package.json").version).toBe("6.0.0");
  expect(require("@xterm/addon-unicode-graphemes/package.json").version).toBe("0.4.0");
});

it("a write right after an empty input is parsed at once", () => {
  const { write } = written("a");
  expect(write("b")).toBe(true);
});

it("buffers tell their regions, tab stops and saved cursors", () => {
  const { core } = written("\x1b[2;3r\x1b[3g\x1b[5G\x1bH\x1b[31m\x1b(0\x1b[2;7H\x1b7");
  const { normal, alt, active } = core.buffers;
  expect(active).toBe(normal);
  expect([normal.scrollTop, normal.scrollBottom]).toEqual([1, 2]);
  expect(Object.keys(normal.tabs)).toEqual(["4"]);
  expect(Object.keys(alt.tabs)).toEqual(["0", "8", "16"]);
  expect([normal.savedX, normal.savedY]).toEqual([6, 1]);
  expect(normal.savedCurAttrData.fg & 0x3ffffff).toBe(0x1000001);
  expect(normal.savedCharset?.q).toBe("─");
});

it("cells are three words, with clusters and attributes beside them", () => {
  const { core } = written("a中e\u0301\x1b[4:3;58;5;9mu");
  const line = core.buffers.normal.lines.get(0);
  expect(Array.from(line?._data.subarray(0, 9) ?? [], (word) => word >>> 22)).toEqual([
    1, 0, 0, 2, 0, 0, 0, 0, 0,
  ]);
  expect(line?._combined[3]).toBe("e\u0301");
  expect(((line?._extendedAttrs[4]?._ext ?? 0) >>> 26) & 7).toBe(3);
  expect(line?._extendedAttrs[4]?.underlineColor).toBe(0x2000009);
  expect(line?.isWrapped).toBe(false);
});

it("charsets can be told apart by name", () => {
  const { core } = written("\x1b)0\x1b*A\x0e");
  expect(core._charsetService.glevel).toBe(1);
  expect(core._charsetService._charsets.map(charsetFinal).slice(1)).toEqual(["0", "A"]);
  expect(charsetFinal(core._charsetService.charset)).toBe("0");
});

it("links, modes, mouse, pen and parser state are where we look", () => {
  const { core, write } = written(
    "\x1b]8;id=i;http://x/\x07\x1b[?25l\x1b[?1003;1006h\x1b[4 q\x1b[4h",
  );
  const pen = core._inputHandler._curAttrData;
  expect(core._oscLinkService.getLinkData(pen.extended.urlId)).toEqual({
    id: "i",
    uri: "http://x/",
  });
  expect(core.coreService.isCursorHidden).toBe(true);
  expect(core.coreService.modes.insertMode).toBe(true);
  expect(core.coreService.decPrivateModes).toMatchObject({
    cursorStyle: "underline",
    cursorBlink: false,
  });
  expect(core.coreMouseService).toMatchObject({ activeProtocol: "ANY", activeEncoding: "SGR" });
  const parser = core._inputHandler._parser;
  expect([parser.currentState, parser.precedingJoinState]).toEqual([parserState.ground, 0]);
  write("e");
  expect(parser.precedingJoinState).not.toBe(0);
  write("\x1b[3");
  expect(parser.currentState).toBeLessThanOrEqual(parserState.lastOfSequences);
  write("m\x1b]2;x");
  expect(parser.currentState).toBeGreaterThan(parserState.lastOfSequences);
  write("\x07");
  expect(core._inputHandler._windowTitle).toBe("x");
});

it("the faults that are worked around are still there", () => {
  // eraseAboveSafely
  const bare = createEmulator({ cols: 4, rows: 2 }, 10);
  bare.input("", true);
  expect(() => bare.write("\x1b[2;4H\x1b[1J")).toThrow();
  // incompleteUtf8Tail
  const cut = createEmulator({ cols: 4, rows: 2 }, 10);
  for (const part of [[0xe2, 0x80], [0x94]]) {
    cut.input("", true);
    cut.write(Uint8Array.from(part));
  }
  expect(cut.buffer.active.getLine(0)?.translateToString(true)).not.toBe("—");
});

it("lines that leave the front are told at once, whatever made them leave (LineIndex)", () => {
  const { terminal, core, write } = written("");
  let gone = 0;
  const { lines } = core.buffers.normal;
  lines.onTrim((count) => {
    gone += count;
  });
  const seen: number[] = [];
  terminal.parser.registerOscHandler(9999, () => {
    seen.push(gone);
    return true;
  });
  const ask = "\x1b]9999;\x07";
  write(`${"\n".repeat(14)}${ask}${"\n".repeat(3)}${ask}\x1b[3J${ask}\x1b[1;2r${"\n".repeat(20)}`);
  expect(seen).toEqual([0, 3, 13]);
  // Scrolled off the top of a region that begins at the top: kept until the scrollback is full.
  expect(core.buffers.normal.lines).toBe(lines);
  write("\x1bc");
  expect(core.buffers.normal.lines).not.toBe(lines);
});

it("a change of width keeps the object of a line's first row (ReflowMaps)", () => {
  const { terminal, core } = written(`${"x".repeat(50)}\r\nshort\r\n${"y".repeat(30)}\r\n`);
  const { lines } = core.buffers.normal;
  const first = [lines.get(0), lines.get(3), lines.get(4)];
  const rowOf = (line: unknown) =>
    Array.from({ length: lines.length }, (_, row) => row).find((row) => lines.get(row) === line);
  for (const [cols, rows] of [
    [60, [0, 1, 2]],
    [10, [0, 5, 6]],
    [25, [0, 2, 3]],
  ] as const) {
    terminal.resize(cols, 5);
    expect(first.map(rowOf)).toEqual(rows);
  }
});
