import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { utf8 } from "#lib/base/bytes.ts";
import { GuestStream } from "./guest-stream.ts";

function pass(text: string, isReader = false): string {
  return new TextDecoder().decode(new GuestStream(isReader).filter(utf8(text)));
}

describe("a session's bytes on a terminal that is not ours", () => {
  it("is the identity on what draws", () => {
    const drawing =
      "a\r\nü漢\x1b[1;31mred\x1b[m\x1b[2J\x1b[H\x1b[5;10r\x1b[?1049h\x1b[?25l\x1b7\x1b8\x1b(0q\x1b(B\x1b[3 q\x1b[s\x1b[u\x1b]0;title\x07\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\";
    expect(pass(drawing)).toBe(drawing);
  });

  it.each([
    ["DA1", "\x1b[c"],
    ["DA2", "\x1b[>c"],
    ["DA3", "\x1b[=0c"],
    ["DSR", "\x1b[5n"],
    ["CPR", "\x1b[6n"],
    ["DECXCPR", "\x1b[?6n"],
    ["DECRQM", "\x1b[?2026$p"],
    ["XTVERSION", "\x1b[>0q"],
    ["Kitty keyboard, asked", "\x1b[?u"],
    ["Kitty keyboard, pushed", "\x1b[>1u"],
    ["XTMODKEYS", "\x1b[>4;2m"],
    ["window size", "\x1b[18t"],
    ["the stack of titles", "\x1b[23;0t"],
    ["scrollback", "\x1b[3J"],
    ["printing", "\x1b[5i"],
    ["DECRQSS", "\x1bP$qm\x1b\\"],
    ["XTGETTCAP", "\x1bP+q544e\x1b\\"],
    ["background, asked", "\x1b]11;?\x07"],
    ["clipboard", "\x1b]52;c;aGk=\x07"],
    ["marks of the session's shell", "\x1b]133;A\x07"],
    ["iTerm2", "\x1b]1337;SetMark\x07"],
    ["APC", "\x1b_Gx\x1b\\"],
    ["ENQ", "\x05"],
    ["DECID", "\x1bZ"],
    ["132 columns", "\x1b[?3h"],
    ["leaving UTF-8", "\x1b%@"],
    ["DA1 as C1", "\u009bc"],
    ["a question with a control in its middle", "\x1b[\x085n"],
  ])("leaves out %s", (_name, sequence) => {
    expect(pass(`a${sequence}b`)).toBe("ab");
  });

  it("a reset clears the screen and leaves the person's scrollback", () => {
    const reset = pass("\x1bc");
    expect(reset).toContain("\x1b[2J");
    expect(reset).not.toContain("\x1bc");
  });

  it("a reader's terminal keeps its own mouse, focus and paste modes", () => {
    expect(pass("\x1b[?1000;1006hx\x1b[?2004h\x1b[?1049;1004h", true)).toBe("x\x1b[?1049h");
    expect(pass("\x1b[?1000;1006h")).toBe("\x1b[?1000;1006h");
  });

  it("tells what an end has to undo", () => {
    const stream = new GuestStream(false);
    stream.filter(utf8("\x1b[?1049h\x1b[5;10r\x1b]11;#fff\x07"));
    expect(stream.facts).toEqual({ isAlternate: true, hasMargins: true, hasColours: true });
    stream.filter(utf8("\x1b[?1049l"));
    expect(stream.facts.isAlternate).toBe(false);
  });

  it("how a stream is cut makes no difference", () => {
    const pieces = fc.constantFrom(
      "a",
      "ü",
      "\x1b",
      "[",
      "]",
      "?",
      "6n",
      "c",
      "5",
      ";",
      "\x07",
      "\x1b\\",
      "P$q",
      "\u009b",
      "u",
      "\x05",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), fc.nat(), (parts, seed) => {
        const all = utf8(parts.join(""));
        const at = all.length === 0 ? 0 : seed % all.length;
        const whole = new GuestStream(false).filter(all);
        const cut = new GuestStream(false);
        const first = Uint8Array.from(cut.filter(all.slice(0, at)));
        const second = cut.filter(all.slice(at));
        expect(Buffer.concat([first, second])).toEqual(Buffer.from(whole));
      }),
      { numRuns: 500 },
    );
  });

  it("no question comes through, whatever stands around it", () => {
    const noise = fc.constantFrom(
      "\x1b",
      "\x1b[",
      "\x1b]0;",
      "x",
      "\x18",
      "\x1b[?",
      "\x07",
      "\x1b\\",
      "1;",
    );
    fc.assert(
      fc.property(fc.array(noise, { maxLength: 8 }), (parts) => {
        const out = pass(`${parts.join("")}\x1b[6n\x1b[c`);
        expect(out).not.toMatch(/\x1b\[(?:6n|c)/);
      }),
      { numRuns: 500 },
    );
  });
});
