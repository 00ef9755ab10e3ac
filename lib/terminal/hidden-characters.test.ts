import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanText } from "./hidden-characters.ts";
import { attacks, legitimate } from "./hygiene-corpus.ts";

const isPlain = (output: string) => !output.includes("\x1b");

describe("cleanText", () => {
  for (const { name, output, text, stripped } of [...attacks, ...legitimate]) {
    if (!isPlain(output)) continue;
    it(`[T88] ${name}`, () => {
      const result = cleanText(output);
      expect(result.text).toBe(text);
      expect(result.removed.reduce((sum, { count }) => sum + count, 0)).toBe(stripped);
    });
  }

  it("[T88] what was taken out lies where it is said to lie", () => {
    const text = "a\u200b\u200bb\u{e0041}\u202ec";
    const { removed } = cleanText(text);
    expect(removed).toEqual([
      { kind: "zero_width", start: 1, end: 3, count: 2 },
      { kind: "tag_characters", start: 4, end: 6, count: 1 },
      { kind: "bidi_control", start: 6, end: 7, count: 1 },
    ]);
  });

  it("[T8E] line feeds and tabs are text, other controls are not", () => {
    expect(cleanText("a\n\tb\r\x1b[31m\x9bc\x7f").text).toBe("a\n\tb[31mc");
  });

  const hostile = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          ..."a1#\u0645\u0915\u094d\u0e01\u845b\u2764\u1820\u1100\u1161\u20e3\u0301\u2229",
          "\u{1f3f4}",
          "\u{1f468}",
          "\u{1f3fd}",
        ),
        fc.constantFrom(
          ..."\u200b\u200c\u200d\u200e\u202e\u2066\u2069\u034f\ufe0f\ufe0e\ufe00\u115f\u1160\u180b\u180e\ufeff\u00ad\u2028",
          "\u{e0100}",
          "\u{e0067}",
          "\u{e0062}",
          "\u{e007f}",
        ),
        fc.string({ unit: "binary", maxLength: 3 }),
      ),
      { maxLength: 30 },
    )
    .map((parts) => parts.join(""));

  it("[T88] what was needed only beside something that is taken out goes with it", () => {
    expect(cleanText("\u1820\u200d\u200b\u200d\u1820")).toEqual({
      text: "\u1820\u200d\u1820",
      removed: [{ kind: "zero_width", start: 1, end: 3, count: 2 }],
    });
  });

  it("[T88] cleaning twice is cleaning once, and only ever takes out", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const once = cleanText(text);
        expect(cleanText(once.text)).toEqual({ text: once.text, removed: [] });
        let rest = "";
        let at = 0;
        for (const { start, end } of once.removed) {
          rest += text.slice(at, start);
          at = end;
        }
        expect(rest + text.slice(at)).toBe(once.text);
      }),
      { numRuns: 3_000 },
    );
  });

  it("[T88] no reordering control, tag or control character and no lone joiner is left, whatever comes in", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const clean = cleanText(text).text;
        expect(clean).not.toMatch(
          /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u061c\ufeff\u00ad\u2028\u2029]/,
        );
        // Joiners stand alone, next to a letter or emoji outside ASCII.
        expect(clean).not.toMatch(
          /[\u200c\u200d]{2}|(?:^|[\x00-\x7f])[\u200c\u200d](?:[\x00-\x7f]|$)/,
        );
        // Selectors never stand in a row, at the beginning, or behind a Latin letter.
        expect(clean).not.toMatch(
          /(?:^|[a-z]|[\ufe00-\ufe0f]|\udb40[\udd00-\uddef])(?:[\ufe00-\ufe0f]|\udb40[\udd00-\uddef])/,
        );
        expect(
          clean.replace(/\u{1f3f4}\u{e0067}\u{e0062}[\u{e0061}-\u{e007a}]{3}\u{e007f}/gu, ""),
        ).not.toMatch(/[\u{e0000}-\u{e007f}]/u);
      }),
      { numRuns: 3_000 },
    );
  });
});
