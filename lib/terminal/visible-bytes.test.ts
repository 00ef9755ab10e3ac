import { describe, expect, it } from "vitest";
import { plainLine, visibleBytes } from "./visible-bytes.ts";

const shown = (text: string, max = 2_000) => visibleBytes(Buffer.from(text), max);

describe("bytes as people see them", () => {
  it("[AU1] shows every control character", () => {
    expect(shown("ls -l\r")).toBe("ls -l␍");
    expect(shown("\x1b[A\x03\t\n\x00\x7f")).toBe("␛[A␃␉␊␀␡");
    expect(shown("\u009b31m")).toBe("\\x9b31m");
  });

  it("[AU1] shows what hides: direction marks, zero widths, tags, and pictures of controls that are none", () => {
    expect(shown("a\u202eb\u200bc\u{e0041}")).toBe("a\\u{202e}b\\u{200b}c\\u{e0041}");
    expect(shown("␛[A")).toBe("\\u{241b}[A");
    expect(shown("a\u2028b\u2029c")).toBe("a\\u{2028}b\\u{2029}c");
  });

  it("[AU1] keeps what people write, in every script, and tells bytes that are no text", () => {
    expect(shown("grüße 日本語 👩‍👩‍👧")).toBe("grüße 日本語 👩‍👩‍👧");
    expect(visibleBytes(Uint8Array.of(0x61, 0xff, 0xc3, 0x28, 0xe2, 0x82, 0xac, 0xe2), 99)).toBe(
      "a\\xff\\xc3(€\\xe2",
    );
  });

  it("[AU1] is cut with a mark, never inside of a character", () => {
    expect(shown("abcdef", 3)).toBe("abc…");
    expect(shown("ab😀def", 3)).toBe("ab…");
    expect(shown("x".repeat(1_000_000), 10)).toBe(`${"x".repeat(10)}…`);
    expect(shown("abc", 3)).toBe("abc");
  });

  it("[AU1] nothing that can be typed comes out invisible", () => {
    for (let code = 0; code < 0x3000; code++) {
      if (code >= 0xd800 && code < 0xe000) continue;
      expect(shown(`a${String.fromCodePoint(code)}b`)).not.toMatch(
        /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u,
      );
    }
  });

  it("[OP7] a note is one line of what can be seen", () => {
    expect(plainLine(" make\n\u202eall\u200b\x1b[31m  now ", 40)).toBe("make all [31m now");
    expect(plainLine("ab😀", 3)).toBe("ab");
  });
});
