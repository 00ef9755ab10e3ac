// [SX1] [T125] Values in the text of a screen, wherever they stand.
import { describe, expect, it } from "vitest";
import { utf8 } from "#lib/base/bytes.ts";
import { Screen } from "./screen.ts";
import { screenReply } from "./screen-reply.ts";
import type { TextMask } from "./shown-core.ts";

const secret = "tok-4711-abcdef";

/** One value, found plainly. */
function maskOf(value: string, label = "•••KEY•••"): TextMask {
  const hide = (text: string) => text.replaceAll(value, label);
  return {
    isEmpty: false,
    version: 1,
    longest: value.length,
    hide,
    cover: (bytes) =>
      utf8(new TextDecoder().decode(bytes).replaceAll(value, "*".repeat(value.length))),
    find(text, end) {
      const found = [];
      for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length))
        found.push({ from: at, to: at + value.length, label });
      if (end !== undefined && found.at(-1)?.to !== end)
        for (let n = value.length - 1; n >= 4; n--)
          if (text.startsWith(value.slice(0, n), end - n)) {
            found.push({ from: end - n, to: end, label });
            break;
          }
      return found;
    },
  };
}

async function screenWith(output: string, cols = 40, rows = 6, value = secret) {
  const screen = new Screen({ size: { cols, rows }, scrollback: 50, mask: maskOf(value) });
  await new Promise<void>((resolve) => screen.write(utf8(output), resolve));
  return screen;
}

/** Everything that can be read of it, as one text without breaks. */
function readings(screen: Screen): string[] {
  const view = screen.view();
  const forms = [
    {},
    { join_wrapped: "1" },
    { view: "compact" },
    { format: "raw" },
    { format: "html" },
    { ghost: "keep" },
  ] as const;
  const start = { seq: screen.oldestSeq, col: 0 };
  return [
    ...forms.map((form) => JSON.stringify(screenReply(view, form, undefined))),
    JSON.stringify(screen.outputBetween(start, null, 1e6)),
    screen
      .printedRows(0)
      .rows.map(({ text }) => text)
      .join(""),
    screen.lineText(start, screen.position(), 1e4),
    screen.cursorLine().text,
  ];
}

/** Without everything that may stand between two characters of it on a screen. */
const squeezed = (text: string) =>
  text.replace(/\\u001b\[[\d;]*m|\\[rn]|<[^>]*>|","|\n|\d+\|/g, "");

describe("text of a screen with values that must not be read", () => {
  it("[SX1] a value is its name in every form, and what stands around it stays where it was", async () => {
    const screen = await screenWith(`key=${secret} end\r\nnext`);
    for (const reading of readings(screen)) expect(squeezed(reading)).not.toContain(secret);
    const { lines, cursor } = screen.text();
    expect(lines.slice(0, 2)).toEqual(["key=•••KEY••• end", "next"]);
    expect(cursor).toMatchObject({ x: 4, y: 1 });
    const at = { seq: 0, col: 4 + secret.length + 1 };
    expect(screen.outputBetween(at, null, 100).text).toBe("end\nnext");
    expect(screen.printedRows(0).rows[0]?.columns?.at(-1)).toBe(at.col + 2);
  });

  it("[T125] wherever the width breaks it, and wherever it is coloured", async () => {
    for (let pad = 0; pad < 20; pad++) {
      for (const cut of [0, 3, 9]) {
        const coloured = `${secret.slice(0, cut)}\x1b[31m${secret.slice(cut)}\x1b[0m`;
        const screen = await screenWith(`${"x".repeat(pad)}${coloured}!\r\n`, 10, 8);
        const all = readings(screen).map(squeezed);
        for (const reading of all) {
          expect(reading).not.toContain(secret);
          expect(reading).not.toContain("4711");
        }
        expect(screen.text().lines.join("")).toContain("•••KEY•••");
      }
    }
  });

  it("[T125] also where a program breaks it at the edge itself, on its own screen too", async () => {
    const halves = `${"y".repeat(4)}${secret.slice(0, 6)}\r\n${secret.slice(6)}`;
    for (const before of ["", "\x1b[?1049h\x1b[H"]) {
      const screen = await screenWith(before + halves, 10, 6);
      for (const reading of readings(screen)) expect(squeezed(reading)).not.toContain("11-abc");
    }
  });

  it("[T125] a reading that begins or ends in the middle of it shows no part of it", async () => {
    const screen = await screenWith(`a ${secret} b\r\n`, 10, 8);
    for (let col = 0; col < 10; col++)
      for (let seq = 0; seq < 2; seq++) {
        const at = { seq, col };
        const before = screen.outputBetween({ seq: 0, col: 0 }, at, 1e3).text;
        const after = screen.outputBetween(at, null, 1e3).text;
        for (const part of [before, after])
          for (const piece of ["tok", "4711", "abc", "def"]) expect(part).not.toContain(piece);
      }
  });

  it("[T125] printed byte by byte, no two readings make it up", async () => {
    const screen = await screenWith("$ ");
    let next = screen.position();
    let text = "";
    for (const byte of `${secret} ok\r\n`) {
      await new Promise<void>((resolve) => screen.write(utf8(byte), resolve));
      const output = screen.outputBetween(next, null, 1e3);
      text += output.text;
      next = output.next;
    }
    expect(text).not.toContain("4711");
    expect(text.endsWith(" ok\n")).toBe(true);
  });

  it("[SX1] links and titles that hold it, and wide and combined characters in it", async () => {
    const value = "geheim界e\u0301x-pass";
    const output = `\x1b]2;${value}\x07\x1b]8;;https://x.example/${value}\x07click\x1b]8;;\x07 ${value} z`;
    for (const cols of [40, 9]) {
      const screen = await screenWith(output, cols, 6, value);
      for (const reading of readings(screen)) {
        expect(squeezed(reading)).not.toContain("geheim");
        expect(squeezed(reading)).not.toContain("x-pass");
      }
      expect(screen.title).toBe(value);
    }
  });

  it("what viewers are sent is what the program printed", async () => {
    const screen = await screenWith(`key=${secret}`);
    const { screen: bytes } = await screen.snapshot(0, 0);
    expect(new TextDecoder().decode(bytes)).toContain(secret);
  });
});
