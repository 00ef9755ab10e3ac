import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanTitle } from "./title.ts";

describe("cleanTitle", () => {
  it("[T85] controls, direction marks and zero-width characters are taken out", () => {
    expect(cleanTitle("vim\x1b[31m \u202egpj.exe\u200b\u0007\u009b\nnext")).toBe(
      "vim[31m gpj.exe next",
    );
    expect(cleanTitle("日本語 – ~/src 👩")).toBe("日本語 – ~/src 👩");
  });

  it("[T85] at most 256 characters remain, and none is cut in half", () => {
    expect([...cleanTitle("👩".repeat(300))].length).toBe(256);
    expect(cleanTitle("x".repeat(65_536))).toBe("x".repeat(256));
  });

  it("[T85] whatever comes in, plain short text comes out", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 600 }), (title) => {
        const clean = cleanTitle(title);
        expect([...clean].length).toBeLessThanOrEqual(256);
        expect(clean).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
        expect(cleanTitle(clean)).toBe(clean);
      }),
    );
  });
});
