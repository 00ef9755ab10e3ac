import headless from "@xterm/headless";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "#lib/protocol/limits.ts";
import { sliceBytes, sliceEnd } from "./slice.ts";
import { characterBoundary } from "./utf8.ts";

describe("slices", () => {
  it("[SC8] are a KiB on usual screens and smaller on large ones, never tiny", () => {
    expect(sliceBytes({ cols: 80, rows: 24 })).toBe(limits.screenSliceBytes);
    expect(sliceBytes({ cols: 300, rows: 100 })).toBe(262);
    expect(sliceBytes({ cols: 1000, rows: 500 })).toBe(64);
  });

  it("[B048] no character is lost to a cut, whichever it is (xterm alone loses U+3002)", () => {
    const text = "あ。い、　日本語。𐀀😀က é─".repeat(20);
    const bytes = new Uint8Array(Buffer.from(text));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), (step) => {
        const parts: string[] = [];
        for (let at = 0; at < bytes.length; ) {
          const end = characterBoundary(bytes, at + step + 3);
          parts.push(new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(at, end)));
          at = end;
        }
        expect(parts.join("")).toBe(text);
      }),
    );
  });

  it("[B048] a long Japanese text fed in slices is on the screen whole", async () => {
    const size = { cols: 100, rows: 200 };
    const text = "これは、文章です。".repeat(900);
    const terminal = new headless.Terminal({ ...size, allowProposedApi: true, logLevel: "off" });
    const bytes = new Uint8Array(Buffer.from(text));
    for (let at = 0; at < bytes.length; ) {
      const end = sliceEnd(bytes, at, size);
      terminal.write(bytes.subarray(at, end));
      at = end;
    }
    await new Promise<void>((resolve) => terminal.write("", resolve));
    let shown = "";
    for (let y = 0; y < size.rows; y++)
      shown += terminal.buffer.active.getLine(y)?.translateToString(true) ?? "";
    expect(shown).toBe(text);
  });

  it("bytes that are no characters are cut all the same", () => {
    expect(characterBoundary(new Uint8Array(100).fill(0x80), 50)).toBe(50);
    expect(characterBoundary(Uint8Array.of(0xe3, 0x80, 0x82), 1)).toBe(1);
  });
});
