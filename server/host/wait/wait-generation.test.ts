import { expect, it } from "vitest";
import { limits } from "#lib/protocol/limits.ts";
import { readGeneration, reasonPrint, type Watched, writeGeneration } from "./wait-generation.ts";

it("[WT7] a token says of each session what it was told for; one that is none says nothing", () => {
  const watched = new Map<string, Watched>();
  for (let n = 0; n < limits.waitSessions; n += 1) {
    const cursor = { seq: n * 1_000_003, col: n % 500 };
    watched.set(`session ${n}`, {
      reason: n % 2 ? reasonPrint(`done ${n}`) : null,
      cursor,
      command: n,
    });
  }
  const token = writeGeneration(watched);
  expect(token.length).toBeLessThanOrEqual(limits.waitGenerationChars);
  const read = readGeneration(token);
  for (const [id, one] of watched) expect(read(id)).toEqual(one);
  expect(read("another")).toBeUndefined();
  for (const broken of [undefined, "", "x", "%%%", token.slice(0, 20)])
    expect(readGeneration(broken)("session 1")).toBeUndefined();
});
