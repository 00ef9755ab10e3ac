import { describe, expect, it } from "vitest";
import { createEmulator } from "#server/host/screen/emulator.ts";
import { table } from "./terminal-output.ts";
import { padded, shorten, widthOf } from "./text-width.ts";

const texts = [
  "plain",
  "日本語",
  "ｶﾀｶﾅ",
  "한국어",
  "e\u0301te\u0301",
  "é…–",
  "\u{1f680} go",
  "\u2764\ufe0f",
  "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}",
  "ＡＢ",
  "、。",
  "\u{20bb7}",
];

describe("the width of a text", () => {
  it.each(texts)("%s takes as many cells as our terminals give it", async (text) => {
    const emulator = createEmulator({ cols: 80, rows: 2 }, 0);
    await new Promise<void>((resolve) => emulator.write(text, resolve));
    expect(widthOf(text)).toBe(emulator.buffer.active.cursorX);
    emulator.dispose();
  });

  it("cuts between letters, never to more than was asked for, and says that it cut", () => {
    for (const text of texts)
      for (let cells = 1; cells < 10; cells++) {
        const cut = shorten(text, cells);
        expect(widthOf(cut)).toBeLessThanOrEqual(cells);
        expect(cut).toBe(widthOf(text) <= cells ? text : `${cut.slice(0, -1)}…`);
        expect(text.startsWith(cut.replace(/…$/, ""))).toBe(true);
      }
    expect(padded("日本", 6)).toBe("日本  ");
  });

  it("keeps the columns of a table in line", () => {
    expect(
      table(
        ["A", "B"],
        [
          ["日本", "x"],
          ["abcd", "y"],
          ["e\u0301", "z"],
        ],
      ).split("\n"),
    ).toEqual(["A     B", "日本  x", "abcd  y", "e\u0301     z"]);
  });
});
