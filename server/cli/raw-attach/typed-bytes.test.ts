import { describe, expect, it } from "vitest";
import { type Typed, TypedBytes } from "./typed-bytes.ts";

const bytes = (text: string) => Buffer.from(text, "latin1");

/** Everything that comes of `pieces`, keys joined. */
function told(pieces: readonly string[], detach: number | null = 0x1d): string[] {
  const typed = new TypedBytes(detach);
  const all: Typed[] = [...pieces.flatMap((piece) => typed.feed(bytes(piece))), ...typed.flush()];
  const shown: string[] = [];
  for (const one of all) {
    const last = shown.at(-1);
    if (one.kind === "detach") shown.push("detach");
    else if (one.kind === "report") shown.push(`report ${one.data}`);
    else {
      const text = Buffer.from(one.bytes).toString("latin1");
      if (last?.startsWith("keys ")) shown[shown.length - 1] = last + text;
      else shown.push(`keys ${text}`);
    }
  }
  return shown;
}

describe("what comes from a person's terminal", () => {
  it("keys are keys, byte for byte, also such as are written like sequences", () => {
    for (const keys of [
      "ls\r",
      "\x1b",
      "\x1b[A",
      "\x1bOP",
      "\x1bx",
      "\x1b[1;2R",
      "\x1b[15;5~",
      "é",
      "\x1b\x1b[D",
    ])
      expect(told([keys])).toEqual([`keys ${Buffer.from(keys, "latin1").toString("latin1")}`]);
  });

  it("the mouse and the focus are reports", () => {
    for (const report of [
      "\x1b[<0;10;4M",
      "\x1b[<0;10;4m",
      "\x1b[M !!",
      "\x1b[35;5;6M",
      "\x1b[I",
      "\x1b[O",
    ])
      expect(told([`a${report}b`])).toEqual(["keys a", `report ${report}`, "keys b"]);
  });

  it("[SC3] answers to questions go nowhere", () => {
    for (const answer of [
      "\x1b[?1;2c",
      "\x1b[>0;276;0c",
      "\x1b[24;80R",
      "\x1b[0n",
      "\x1b[?2026;2$y",
      "\x1b]11;rgb:0/0/0\x1b\\",
      "\x1b]11;rgb:0/0/0\x07",
      "\x1bP1$r0m\x1b\\",
      "\x1b[8;24;80t",
      "\x1b[?0u",
    ])
      expect(told([`a${answer}b`])).toEqual(["keys ab"]);
  });

  it("cuts make no difference", () => {
    const all = "x\x1b[<0;10;4My\x1b]11;rgb:1/2/3\x1b\\z\x1b[?1;2c\x1b[A";
    const whole = told([all]);
    for (let at = 1; at < all.length; at++)
      expect(told([all.slice(0, at), all.slice(at)])).toEqual(whole);
    expect(told([...all])).toEqual(whole);
  });

  it("the detach key ends it, in each way of writing it; what stood before it is typed", () => {
    for (const form of ["\x1d", "\x1b[93;5u", "\x1b[27;5;93~"])
      expect(told([`ab${form}cd`])).toEqual(["keys ab", "detach"]);
    expect(told(["\x1d"], null)).toEqual(["keys \x1d"]);
    expect(told(["\x11"], 0x11)).toEqual(["detach"]);
  });

  it("nothing in a paste is anything but text", () => {
    const paste = "\x1b[200~a\x1d\x1b[<0;1;1Mb\x1b[201~";
    expect(told([paste])).toEqual([`keys ${paste}`]);
    expect(told([`${paste.slice(0, 9)}`, paste.slice(9), "\x1d"])).toEqual([
      `keys ${paste}`,
      "detach",
    ]);
  });

  it("what never ends is typed after all", () => {
    expect(told(["\x1b]never"])).toEqual(["keys \x1b]never"]);
    expect(told([`\x1b]${"x".repeat(5_000)}`])).toEqual([`keys \x1b]${"x".repeat(5_000)}`]);
  });
});
