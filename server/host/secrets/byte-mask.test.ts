// [CR3] Values in the bytes of an agent's viewer, wherever they are cut and whatever stands in them.
import { describe, expect, it } from "vitest";
import { concatBytes, utf8 } from "#lib/base/bytes.ts";
import { limits } from "#lib/protocol/limits.ts";
import { ByteMask, treeOf } from "./byte-mask.ts";

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const maskOf = (...words: string[]) => new ByteMask(treeOf(words));

/** What comes out in the end, in pieces cut at `cuts`. */
function masked(mask: ByteMask, output: string, cuts: readonly number[] = []): string {
  const bytes = utf8(output);
  const edges = [0, ...cuts, bytes.length];
  const out = edges.slice(1).map((to, n) => mask.push(bytes.subarray(edges[n], to)));
  return text(concatBytes([...out, mask.release(), new Uint8Array(0)]));
}

describe("ByteMask", () => {
  it.each([
    ["plain", "it was hunter22, hunter22!", "it was ********, ********!"],
    ["over a row's end", "hunt\r\ner22\r\n", "****\r\n****\r\n"],
    ["drawn row by row", "hunt\x1b[2;1Her22", "****\x1b[2;1H****"],
    ["in colours", "\x1b[1mhu\x1b[38;5;1mnter\x1b[m22", "\x1b[1m**\x1b[38;5;1m****\x1b[m**"],
    ["between controls of 8 bits", "hun\u009b31mter22", "***\u009b31m*****"],
    ["around a charset", "hun\x1b(Bter\x1b P22", "***\x1b(B***\x1b P**"],
    ["around a title", "hun\x1b]2;title\x07ter22", "***\x1b]2;title\x07*****"],
    ["in a title", "\x1b]2;is hunter22\x1b\\done", "\x1b]2;is ********\x1b\\done"],
    ["in a link", "\x1b]8;;http://x/hunter22\x07", "\x1b]8;;http://x/********\x07"],
    ["in a title of 8 bits", "\u009d2;hunter22\u009cdone", "\u009d2;********\u009cdone"],
    ["behind its own beginning", "huhunthunter22", "huhunt********"],
    ["not quite", "hunter2 hunter2.", "hunter2 hunter2."],
  ])("covers a value %s, wherever the output is cut", (_name, output, expected) => {
    expect(masked(maskOf("hunter22"), output)).toBe(expected);
    const { length } = utf8(output);
    for (let at = 0; at <= length; at++)
      for (let other = at; other <= length; other++)
        expect(masked(maskOf("hunter22"), output, [at, other])).toBe(expected);
  });

  it("makes every byte of a character a star: offsets stay true", () => {
    const value = "pä€\u{1f511}ss";
    const output = `<${value}>`;
    const bytes = utf8(output);
    for (let at = 0; at <= bytes.length; at++)
      expect(masked(maskOf(value), output, [at])).toBe(`<${"*".repeat(bytes.length - 2)}>`);
  });

  it("covers values that overlap, begin alike or stand in one another", () => {
    const mask = () => maskOf("abcdef", "cdefgh", "abcdefxyz", "efghij");
    expect(masked(mask(), "abcdefghij abcdefxyz abcdefxyy")).toBe("********** ********* ******xyy");
    expect(masked(maskOf("aaaaaa"), "baaaaaaaab aaaaa")).toBe("b********b *****");
  });

  it("covers what shells write for it into strings", () => {
    const value = "p;ss\\w rd";
    expect(masked(maskOf(value), "\x1b]633;E;echo p\\x3bss\\\\w rd;n\x07")).toBe(
      `\x1b]633;E;echo ${"*".repeat(13)};n\x07`,
    );
    expect(masked(maskOf(value), "\x1b]133;C;cmdline_url=p%3Bss%5Cw%20rd\x07")).toBe(
      `\x1b]133;C;cmdline_url=${"*".repeat(15)}\x07`,
    );
  });

  it("holds back no more than what may begin a value, and passes everything else as it came", () => {
    const mask = maskOf("hunter22");
    const bytes = utf8("nothing of it \x1b[31mhere\x1b[m");
    expect(mask.push(bytes)).toBe(bytes);
    expect(text(mask.push(utf8("the hun")))).toBe("the ");
    expect(mask.heldBytes).toBe(3);
    expect(text(mask.push(utf8("ny")))).toBe("hunny");
    expect(mask.heldBytes).toBe(0);
  });

  it("writes to nothing that it was given: others read the same bytes", () => {
    const mask = maskOf("hunter22");
    const given = ["hunter22 hunt", "er22 hunt", "!"].map((part) => Buffer.from(part));
    const out = given.map((part) => text(mask.push(part)));
    expect(out).toEqual(["******** ", "******** ", "hunt!"]);
    mask.push(given[0] as Buffer);
    expect(text(mask.release())).toBe("****");
    expect(given.map(String)).toEqual(["hunter22 hunt", "er22 hunt", "!"]);
  });

  it("lets go of a few characters when the time is over, covers more, and whatever follows them", () => {
    const mask = maskOf("hunter22");
    expect(text(mask.push(utf8("hun")))).toBe("");
    expect(text(mask.release())).toBe("hun");
    expect(text(mask.push(utf8("t")))).toBe("");
    expect(text(mask.release())).toBe("*");
    expect(text(mask.push(utf8("er22 hunter22")))).toBe("**** ********");
    const slow = maskOf("hunter22");
    slow.push(utf8("hunt"));
    expect(text(slow.release())).toBe("****");
    expect(text(slow.push(utf8("ress")))).toBe("ress");
  });

  it("knows what began in bytes that somebody had before", () => {
    const mask = maskOf("hunter22");
    mask.prime(utf8("it was \x1b[3hunt"));
    expect(text(mask.push(utf8("er22.")))).toBe("er22.");
    const other = maskOf("hunter22");
    other.prime(utf8("it was \x1b[3mhunt"));
    expect(text(other.push(utf8("er22.")))).toBe("****.");
  });

  it("[LM] holds back a bounded number of bytes, whatever stands in a value that has begun", () => {
    const mask = maskOf("hunter22");
    const turns = Math.ceil(limits.coveredHold.bytes / 1_024) + 1;
    let out = "";
    for (let n = 0; n < turns; n++) {
      out += text(mask.push(utf8(`${n === 0 ? "hunt" : ""}${"\x1b[31m".repeat(205)}`)));
      expect(mask.heldBytes).toBeLessThanOrEqual(limits.coveredHold.bytes);
    }
    expect(out.startsWith("****\x1b[31m")).toBe(true);
    expect(text(mask.push(utf8("er22")))).toBe("****");
  });
});
