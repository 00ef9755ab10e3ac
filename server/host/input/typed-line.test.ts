import { describe, expect, it } from "vitest";
import { utf8 } from "#lib/base/bytes.ts";
import { TypedLine } from "./typed-line.ts";

describe("TypedLine", () => {
  it("[IN7] measures the longest line of what is to be typed, without its end", () => {
    const line = new TypedLine();
    expect(line.longestWith(utf8("abc\rabcde\rab"))).toBe(5);
    expect(line.longestWith(utf8("\r\r"))).toBe(0);
    expect(line.longestWith(utf8("é"))).toBe(2);
  });

  it("[IN7] a line goes on over several batches, whoever types them", () => {
    const line = new TypedLine();
    line.typed(utf8("x".repeat(3_000)));
    line.typed(utf8("x".repeat(1_000)));
    expect(line.longestWith(utf8("x".repeat(96)))).toBe(4_096);
    line.typed(utf8("\r"));
    expect(line.longestWith(utf8("x".repeat(96)))).toBe(96);
  });

  it("[IN7] C-c, C-d, C-u and line ends begin a new one", () => {
    for (const end of ["\x03", "\x04", "\x15", "\x1c", "\r", "\n"]) {
      const line = new TypedLine();
      line.typed(utf8(`${"x".repeat(100)}${end}ab`));
      expect(line.longestWith(utf8("c"))).toBe(3);
    }
  });

  it("[IN7] where the terminal keeps no lines, what was typed is forgotten", () => {
    const line = new TypedLine();
    line.typed(utf8("x".repeat(5_000)));
    line.forget();
    expect(line.longestWith(utf8("c"))).toBe(1);
  });
});
