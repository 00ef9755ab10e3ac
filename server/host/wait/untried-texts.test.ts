import { describe, expect, it } from "vitest";
import type { Printed } from "#server/host/screen/printed-rows.ts";
import { markOf } from "./new-output.ts";
import type { PatternAnswer } from "./pattern-thread.ts";
import { type TextSource, TextWatch } from "./text-watch.ts";
import { TypedLines } from "./typed-lines.ts";
import { piecesOf } from "./untried-texts.ts";

const rows = 24;

/** A screen under numbered lines, of which `kept` are kept above it. */
function printing(kept: number) {
  let count = 0;
  const printed = (fromSeq: number): Printed => {
    const topSeq = Math.max(0, count - rows);
    const first = Math.max(Math.min(fromSeq, topSeq), topSeq - kept, 0);
    return {
      rows: Array.from({ length: count - first }, (_, i) => ({
        seq: first + i,
        text: `line ${first + i}.`,
        isContinuation: false,
      })),
      topSeq,
      cursor: { seq: count, col: 0 },
      isAlternate: false,
    };
  };
  const source: TextSource = {
    printed,
    locate: (cursor) => cursor,
    typed: new TypedLines(),
    inputs: [],
  };
  return {
    source,
    print: (lines: number) => {
      count += lines;
    },
  };
}

/** Answers one text after the other, when it is told to. */
function slowThread() {
  const asked: (() => void)[] = [];
  const tryOn = (pattern: string, text: string) =>
    new Promise<PatternAnswer>((answer) => {
      asked.push(() => {
        const match = new RegExp(pattern, "mu").exec(text);
        answer(
          match
            ? { kind: "found", match: { index: match.index, length: match[0].length } }
            : { kind: "absent" },
        );
      });
    });
  const answerAll = async () => {
    for (let go = asked.shift(); go; go = asked.shift()) {
      go();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { try: tryOn, answerAll };
}

describe("patterns on output that is faster than they are tried", () => {
  it("[WT1] are tried on every line, also on those that left the screen and are kept no more", async () => {
    const { source, print } = printing(100);
    const thread = slowThread();
    const mark = markOf(source.printed(0));
    const watch = new TextWatch(source, mark, [{ regex: "^line 310\\.$" }], thread, () => {});
    for (let look = 0; look < 20; look++) {
      print(90);
      watch.look();
    }
    expect(watch.hits.size).toBe(0);
    expect(watch.isTrying).toBe(true);
    await thread.answerAll();
    expect(watch.hits.get(0)).toEqual({ line: "line 310." });
    expect(watch.isTrying).toBe(false);
  });

  it("[WT1] a screen that is drawn anew takes the place of what it was before", async () => {
    const { source, print } = printing(100);
    const thread = slowThread();
    let tries = 0;
    const counted = {
      try: (pattern: string, text: string) => {
        tries += 1;
        return thread.try(pattern, text);
      },
    };
    const watch = new TextWatch(
      source,
      markOf(source.printed(0)),
      [{ regex: "x" }],
      counted,
      () => {},
    );
    print(5);
    for (let look = 0; look < 1_000; look++) watch.look();
    await thread.answerAll();
    expect(tries).toBe(2);
  });
});

describe("a text in pieces", () => {
  it("[WT1] each piece is whole lines and begins with the last ones of the piece before", () => {
    const text = Array.from({ length: 50 }, (_, i) => `line ${i}`).join("\n");
    const pieces = piecesOf(text, 100, 2);
    expect(pieces.length).toBeGreaterThan(3);
    for (const [i, { from, text: piece }] of pieces.entries()) {
      expect(text.slice(from, from + piece.length)).toBe(piece);
      expect(piece.length).toBeLessThanOrEqual(100);
      expect(piece).toMatch(/^line \d/);
      const before = pieces[i - 1];
      if (before) expect(before.text.slice(from - before.from).match(/\n/g)).toHaveLength(2);
    }
    const last = pieces.at(-1);
    expect((last?.from ?? 0) + (last?.text.length ?? 0)).toBe(text.length);
  });

  it("[WT1] a line longer than a piece is cut, and nothing of it is left out", () => {
    const pieces = piecesOf("x".repeat(1_050), 100, 20);
    expect(pieces.map(({ text }) => text).join("")).toBe("x".repeat(1_050));
    expect(piecesOf("", 100)).toEqual([{ from: 0, text: "" }]);
  });
});
