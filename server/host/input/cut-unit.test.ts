import { describe, expect, it } from "vitest";
import { concatBytes, utf8 } from "#lib/base/bytes.ts";
import { owedAfter } from "./cut-unit.ts";

const taken = { isSecret: false, takesPastes: true };
/** Everything the program gets of a unit that is cut behind its first `at` bytes. */
const got = (unit: string, at: number, cut = taken) => {
  const bytes = utf8(unit);
  const all = concatBytes([bytes.subarray(0, at), owedAfter(bytes, at, cut)]);
  return new TextDecoder("utf-8", { fatal: true }).decode(all);
};

describe("what a unit that is cut still owes", () => {
  it("[LS7] characters and sequences are whole, wherever it stopped", () => {
    const unit = "aé😀\x1b[1;5A\x1bOP\x1bx\x1b\x1b[Mabcz";
    const pieces = ["a", "é", "😀", "\x1b[1;5A", "\x1bOP", "\x1bx", "\x1b", "\x1b[Mabc", "z"];
    const ends = pieces.map((_, index) => pieces.slice(0, index + 1).join(""));
    const { length } = utf8(unit);
    for (let at = 1; at <= length; at++) {
      const whole = ends.find((text) => utf8(text).length >= at);
      expect(got(unit, at), `cut at ${at}`).toBe(whole);
    }
  });

  it("[LS7] [T63] a paste that was begun is ended, once, and nothing of it is left out before the cut", () => {
    const unit = "x\x1b[200~one\rtwo\x1b[201~y";
    for (let at = 1; at <= unit.length; at++) {
      const text = got(unit, at);
      const begun = text.split("\x1b[200~").length - 1;
      expect([at, text.split("\x1b[201~").length - 1]).toEqual([at, begun]);
      expect(text.startsWith(unit.slice(0, at))).toBe(true);
      expect(text.replaceAll(/\x1b\[20[01]~/g, "")).not.toContain("\x1b");
    }
  });

  it("[CR2] at a password prompt nothing more is typed; the end of a paste only where the program in front takes pastes", () => {
    const paste = "\x1b[200~one\x1b[201~";
    for (let at = 1; at <= paste.length; at++) {
      const none = { isSecret: true, takesPastes: false };
      expect(owedAfter(utf8(paste), at, none)).toHaveLength(0);
      const cut = { isSecret: true, takesPastes: true };
      expect(got(paste, at, cut), `cut at ${at}`).toMatch(/^\x1b\[200~.*\x1b\[201~$/);
    }
    expect(owedAfter(utf8("é"), 1, { isSecret: true, takesPastes: true })).toHaveLength(0);
  });

  it("what never ends is owed no end", () => {
    const unit = `\x1b[${"1".repeat(1_000_000)}`;
    expect(owedAfter(utf8(unit), 500_000, taken)).toHaveLength(0);
  });
});
