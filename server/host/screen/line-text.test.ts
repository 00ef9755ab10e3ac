import { describe, expect, it } from "vitest";
import { limits } from "#lib/protocol/limits.ts";
import { screenOf } from "#server/testing/screen-dsl.ts";

const size = { cols: 20, rows: 6 };

/** The text from `col` of row 0 to the cursor, after `data` was printed. */
async function typed(data: string, col = 2, maxBytes: number = limits.journalCommandBytes) {
  const screen = await screenOf(data, size);
  const text = screen.lineText({ seq: 0, col }, screen.position(), maxBytes);
  screen.dispose();
  return text;
}

describe("lineText", () => {
  it("[JR1] reads what was typed: from the prompt on, wraps joined, rows apart, without the blanks at their ends", async () => {
    expect(await typed("$ ls -l\r\n")).toBe("ls -l");
    expect(await typed("$ ls -l")).toBe("ls -l");
    expect(await typed("$ \r\n")).toBe("");
    expect(await typed(`$ ${"x".repeat(18)}\r\n`)).toBe("x".repeat(18));
    expect(await typed(`$ ${"x".repeat(19)}y\r\n`)).toBe(`${"x".repeat(19)}y`);
    expect(await typed(`$ ${"0123456789 ".repeat(5)}\r\n`)).toBe("0123456789 ".repeat(5).trimEnd());
    expect(await typed("$ if a\r\n> then b  \r\n\r\n> fi\r\n")).toBe("if a\n> then b\n\n> fi");
    expect(await typed("$ a\x1b[8Gb\r\n")).toBe("a    b");
    expect(await typed("$ \u6f22\u5b57e\u0301\u{1f469}\u200d\u{1f680}x\r\n")).toBe(
      "\u6f22\u5b57e\u0301\u{1f469}\u200d\u{1f680}x",
    );
  });

  it("[JR1] joins what zsh wrapped by itself: the next row is erased, and then no wrap for the terminal", async () => {
    const first = "x".repeat(18);
    expect(await typed(`$ ${first} \r\x1b[Ky\ryz\r\n`)).toBe(`${first}yz`);
    expect(await typed(`$ ${"x".repeat(17)}\r\nyz\r\n`)).toBe(`${"x".repeat(17)}\nyz`);
    expect(await typed(`$ ${"x".repeat(16)}\u6f22 \r\x1b[Kyz\r\n`)).toBe(
      `${"x".repeat(16)}\u6f22yz`,
    );
  });

  it("[JR1] leaves a right-hand prompt out, and nothing that somebody typed", async () => {
    expect(await typed("$ ls\x1b[16G12:30\r\n")).toBe("ls");
    expect(await typed("$ ls\x1b[15G12:30\r\n")).toBe("ls");
    expect(await typed("$ ls\x1b[17G\u6f22\u5b57\r\n")).toBe("ls");
    expect(await typed("$ ls\x1b[14G12:30\r\n")).toBe("ls         12:30");
    expect(await typed("$ echo abcdef  ghijk\r\n")).toBe("echo abcdef  ghijk");
    // Only the first row has one.
    expect(await typed("$ ls\x1b[16G12:30\r\n> x\x1b[16G12:30\r\n")).toBe(
      "ls\n> x            12:30",
    );
    expect(await typed("$ \x1b[16G12:30\r\n")).toBe("");
  });

  it("[LM] is cut between characters at the bytes that are asked for", async () => {
    expect(await typed("$ \u00e9\u00e9\u00e9\r\n", 2, 5)).toBe("\u00e9\u00e9");
    expect(await typed("$ abc\r\n", 2, 3)).toBe("abc");
    expect(await typed("$ abc\r\n", 2, 0)).toBe("");
  });

  it("[JR4] is nothing for places that are turned around or gone", async () => {
    const screen = await screenOf("one\r\ntwo", size);
    expect(screen.lineText({ seq: 1, col: 3 }, { seq: 0, col: 0 }, 100)).toBe("");
    expect(screen.lineText({ seq: 1, col: 3 }, { seq: 1, col: 1 }, 100)).toBe("");
    expect(screen.lineText({ seq: 90, col: 0 }, { seq: 99, col: 5 }, 100)).toBe("");
    screen.dispose();
  });
});
