import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bracketPaste, cleanPaste, describePaste, lineEndsAsTyped, needsWarning } from "./paste.ts";

const nasty = fc
  .array(
    fc.constantFrom(
      "\x1b",
      "[",
      "20",
      "1~",
      "0~",
      "\x1b[201~",
      "\x9b201~",
      "\u009b",
      "a",
      "\r",
      "\n",
      "\t",
      "\x03",
      "\x7f",
      "日",
    ),
  )
  .map((parts) => parts.join(""));

describe("cleanPaste", () => {
  it("[SE8] nothing but TAB and CR is left of the controls, whatever was pasted", () => {
    fc.assert(
      fc.property(fc.oneof(nasty, fc.string({ unit: "binary" })), (text) => {
        expect(cleanPaste(text)).not.toMatch(/[\x00-\x08\x0a-\x0c\x0e-\x1f\x7f-\x9f]/);
      }),
    );
  });

  it("[B065][IN3] the end-of-paste marker is taken out, also where taking one out makes another", () => {
    expect(cleanPaste("echo safe\x1b[201~\rtouch /tmp/pwned\r")).toBe(
      "echo safe\rtouch /tmp/pwned\r",
    );
    expect(cleanPaste("a\x1b[20\x1b[201~1~b\x1b[2\x9b201~00~c")).toBe("abc");
    fc.assert(
      fc.property(nasty, (text) => {
        const wrapped = bracketPaste(text, { bracketed: true });
        expect(wrapped.startsWith("\x1b[200~")).toBe(true);
        expect(wrapped.indexOf("\x1b[201~")).toBe(wrapped.length - 6);
        expect(wrapped.lastIndexOf("\x1b")).toBe(wrapped.length - 6);
      }),
    );
  });

  it("[B068] line ends become carriage returns, inside the markers when the program asked for them", () => {
    expect(cleanPaste("a\r\nb\nc\rd\n\ne")).toBe("a\rb\rc\rd\r\re");
    expect(bracketPaste("a\r\nb", { bracketed: false })).toBe("a\rb");
    expect(bracketPaste("a\r\nb", { bracketed: true })).toBe("\x1b[200~a\rb\x1b[201~");
  });

  it("plain text passes as it is, and cleaning twice changes nothing", () => {
    expect(cleanPaste("日本語\té 👩‍👩‍👧 \\r")).toBe("日本語\té 👩‍👩‍👧 \\r");
    fc.assert(fc.property(nasty, (text) => cleanPaste(cleanPaste(text)) === cleanPaste(text)));
  });

  it("[IN3] lineEndsAsTyped leaves other controls alone", () => {
    expect(lineEndsAsTyped("a\nb\r\n\x03")).toBe("a\rb\r\x03");
  });
});

describe("describePaste", () => {
  it("[T87] counts lines and characters, and shows ten lines", () => {
    const text = Array.from({ length: 12 }, (_, i) => `line ${i}`).join("\n");
    const described = describePaste(`${text}\n`);
    expect(described).toMatchObject({ lines: 12, hasControls: false });
    expect(described.preview).toEqual(Array.from({ length: 10 }, (_, i) => `line ${i}`));
    expect(describePaste("👩\r\nb").chars).toBe(4);
    expect(describePaste("")).toEqual({ lines: 1, chars: 0, hasControls: false, preview: [""] });
  });

  it("[T87] makes controls, markers and hidden direction visible", () => {
    expect(describePaste("a\x1b[201~\x07\x7f\u009b")).toMatchObject({
      hasControls: true,
      preview: ["a␛[201~␇␡<U+009B>"],
    });
    expect(describePaste("if \u202e x\u200b")).toMatchObject({
      hasControls: true,
      preview: ["if <U+202E> x<U+200B>"],
    });
    expect(describePaste("tab\there").hasControls).toBe(false);
  });
});

describe("needsWarning", () => {
  it("[T87] several lines ask unless the program brackets pastes", () => {
    expect(needsWarning("a\nb", { bracketed: false })).toBe(true);
    expect(needsWarning("a\rb", { bracketed: false })).toBe(true);
    expect(needsWarning("a\nb", { bracketed: true })).toBe(false);
    expect(needsWarning("a\n", { bracketed: false })).toBe(false);
    expect(needsWarning("a", { bracketed: false })).toBe(false);
  });

  it("[T87] more than 5 KiB asks always", () => {
    expect(needsWarning("x".repeat(5 * 1024), { bracketed: true })).toBe(false);
    expect(needsWarning("x".repeat(5 * 1024 + 1), { bracketed: true })).toBe(true);
    expect(needsWarning("日".repeat(1707), { bracketed: true })).toBe(true);
  });
});
