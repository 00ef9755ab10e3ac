import { describe, expect, it } from "vitest";
import { WordSearch } from "./word-search.ts";

const places = (words: readonly string[], text: string, minChars = 6) => {
  const found: string[] = [];
  new WordSearch(words, minChars).eachIn(text, (word, at) => found.push(`${at} ${word}`));
  return found;
};

describe("WordSearch", () => {
  it("finds what looking for each word by itself finds", () => {
    let seed = 3;
    const random = (n: number) => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
      return (seed >> 8) % n;
    };
    // Few letters: words overlap, hold one another and begin anew within themselves.
    const letters = ["a", "b", "ä", "\u{1f511}"];
    const made = (length: number) =>
      Array.from({ length }, () => letters[random(letters.length)]).join("");
    for (let round = 0; round < 200; round++) {
      const words = [...new Set(Array.from({ length: 1 + random(64) }, () => made(3 + random(5))))];
      const text = made(random(400));
      const expected = words.flatMap((word) =>
        Array.from({ length: text.length }, (_, at) => at)
          .filter((at) => text.startsWith(word, at))
          .map((at) => `${at} ${word}`),
      );
      expect(places(words, text, 3).sort()).toEqual(expected.sort());
    }
  });

  it("finds words at both ends of a text, and none in a text that is too short", () => {
    expect(places(["abcdef", "bcdefg"], "abcdefg")).toEqual(["0 abcdef", "1 bcdefg"]);
    expect(places(["abcdef"], "abcde")).toEqual([]);
    expect(places(["abcdef"], "")).toEqual([]);
  });
});
