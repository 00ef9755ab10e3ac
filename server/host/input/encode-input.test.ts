import { describe, expect, it } from "vitest";
import type { InputItem } from "#lib/protocol/input.ts";
import { encodeInput } from "./encode-input.ts";

const modes = { app_cursor_keys: false, app_keypad: false, bracketed_paste: false };

function unitOf(items: InputItem[], own = modes): string {
  const encoded = encodeInput(items, own);
  return encoded.ok ? Buffer.from(encoded.unit).toString("utf8") : `refused ${encoded.error.path}`;
}

describe("encodeInput", () => {
  it("[IN1][IN5] a batch becomes one unit, in order", () => {
    const items: InputItem[] = [
      { text: "echo hé" },
      { key: "Enter" },
      { raw: "\x1b[A" },
      { key: "C-c" },
    ];
    expect(unitOf(items)).toBe("echo hé\r\x1b[A\x03");
  });

  it("[IN1] one bad element refuses the whole batch and is named by its index", () => {
    const encoded = encodeInput(
      [{ text: "a" }, { key: "Enter" }, { key: "C-Enter" }, { key: "Nope" }],
      modes,
    );
    expect(encoded).toMatchObject({
      ok: false,
      code: "UNKNOWN_KEY",
      error: { path: "body.input.2.key" },
    });
    expect(encoded.ok ? "" : encoded.error.message).toContain('"C-Enter"');
  });

  it("[IN3] text is delivered as typed: line feeds become carriage returns", () => {
    expect(unitOf([{ text: "a\nb\r\nc\rd" }])).toBe("a\rb\rc\rd");
    expect(unitOf([{ text: "literal \\r" }])).toBe("literal \\r");
  });

  it("[IN3][B065] the end-of-paste marker is taken out of text", () => {
    expect(unitOf([{ text: "echo safe\x1b[20\x1b[201~1~\rid\n" }])).toBe("echo safe\rid\r");
  });

  it("raw is sent as it is", () => {
    expect(unitOf([{ raw: "a\nb\x1b[201~é" }])).toBe("a\nb\x1b[201~é");
  });

  it("[IN2] keys follow the program's modes", () => {
    expect(unitOf([{ key: "Up" }], { ...modes, app_cursor_keys: true })).toBe("\x1bOA");
  });

  it("half a surrogate pair is refused, not sent as a replacement character", () => {
    expect(unitOf([{ text: "a" }, { text: "\ud83d" }])).toBe("refused body.input.1.text");
    expect(unitOf([{ raw: "\udc00" }])).toBe("refused body.input.0.raw");
    expect(unitOf([{ text: "👩" }])).toBe("👩");
  });

  it("[PT6] only a batch that is C-c alone is an interrupt", () => {
    const isInterrupt = (items: InputItem[]) => {
      const encoded = encodeInput(items, modes);
      return encoded.ok && encoded.isInterrupt;
    };
    expect(isInterrupt([{ key: "C-c" }])).toBe(true);
    expect(isInterrupt([{ raw: "\x03" }])).toBe(true);
    expect(isInterrupt([{ text: "" }, { key: "C-c" }])).toBe(true);
    expect(isInterrupt([{ key: "C-c" }, { key: "C-c" }])).toBe(false);
    expect(isInterrupt([{ key: "C-c" }, { text: "x" }])).toBe(false);
    expect(isInterrupt([{ key: "M-C-c" }])).toBe(false);
    expect(isInterrupt([{ text: "c" }])).toBe(false);
  });

  it("[IN3] [B068] a paste is cleaned, and goes between markers when the program asked for that", () => {
    const paste = { text: "a\r\nb\x1b[31m\tc\n", paste: true };
    expect(unitOf([paste])).toBe("a\rb[31m\tc\r");
    expect(unitOf([paste], { ...modes, bracketed_paste: true })).toBe(
      "\x1b[200~a\rb[31m\tc\r\x1b[201~",
    );
    expect(unitOf([{ text: "a\nb", paste: false }], { ...modes, bracketed_paste: true })).toBe(
      "a\rb",
    );
  });

  it("[IN3] [B065] no paste can end itself, in any form of the marker", () => {
    const inside = ["\x1b[201~", "\u009b201~", "\x1b[20\x1b[201~1~", "\x1b[2\x1b[200~01~"];
    for (const marker of inside) {
      const text = `echo safe${marker}\rtouch /tmp/pwned\r`;
      expect(unitOf([{ text, paste: true }], { ...modes, bracketed_paste: true })).toBe(
        "\x1b[200~echo safe\rtouch /tmp/pwned\r\x1b[201~",
      );
      expect(unitOf([{ text, paste: true }])).toBe("echo safe\rtouch /tmp/pwned\r");
      expect(unitOf([{ text }])).toBe("echo safe\rtouch /tmp/pwned\r");
    }
  });

  function gapsOf(items: InputItem[], gapMs?: number): string {
    const encoded = encodeInput(items, modes, gapMs);
    if (!encoded.ok) return `refused ${encoded.error.path}: ${encoded.error.message}`;
    return encoded.gaps.map(({ at, ms }) => `${at}+${ms}`).join(" ");
  }

  it("[IN4] [B067] an Enter after text stands alone: a gap before it, and after it when something follows", () => {
    const enter = { key: "Enter" };
    expect(gapsOf([{ text: "hello" }, enter])).toBe("5+30");
    expect(gapsOf([{ text: "hé" }, enter, { text: "b" }, enter])).toBe("3+30 4+30 5+30");
    expect(gapsOf([{ text: "a", paste: true }, enter])).toBe("1+30");
    expect(gapsOf([{ text: "a" }, { text: "" }, enter])).toBe("1+30");
    expect(gapsOf([{ text: "a" }, { key: "C-m" }])).toBe("1+30");
    expect(gapsOf([{ text: "hello\n" }])).toBe("5+30");
    expect(gapsOf([{ text: "hello\n" }, { text: "x" }])).toBe("5+30 6+30");
    expect(gapsOf([{ text: "hello" }, enter], 200)).toBe("5+200");
  });

  it("[IN4] nothing else gets a gap", () => {
    const enter = { key: "Enter" };
    expect(gapsOf([enter, enter])).toBe("");
    expect(gapsOf([{ text: "" }, enter])).toBe("");
    expect(gapsOf([{ key: "a" }, enter])).toBe("");
    expect(gapsOf([{ raw: "a" }, enter])).toBe("");
    expect(gapsOf([{ text: "a" }, { key: "Up" }])).toBe("");
    expect(gapsOf([{ text: "a\nb" }])).toBe("");
    expect(gapsOf([{ text: "\n" }])).toBe("");
    expect(gapsOf([{ text: "a\n", paste: true }])).toBe("");
    expect(gapsOf([{ text: "hello" }, enter], 0)).toBe("");
  });

  it("[IN4] [LM] the gaps of one batch take 5 s at most: fewer each by default, refused when asked for", () => {
    const lines = (count: number) =>
      Array.from({ length: count }, () => [{ text: "x" }, { key: "Enter" }]).flat();
    const encoded = encodeInput(lines(500), modes);
    const gaps = encoded.ok ? encoded.gaps : [];
    expect(gaps).toHaveLength(999);
    expect(gaps.reduce((sum, { ms }) => sum + ms, 0)).toBeLessThanOrEqual(5_000);
    expect(gaps[0]?.ms).toBe(5);
    expect(gapsOf(lines(3), 1_000)).toBe("1+1000 2+1000 3+1000 4+1000 5+1000");
    expect(gapsOf(lines(4), 1_000)).toContain("refused body.gap_ms: 7 gaps of 1000 ms");
  });
});
