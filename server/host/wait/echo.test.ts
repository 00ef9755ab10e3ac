import { describe, expect, it } from "vitest";
import { utf8 } from "#lib/base/bytes.ts";
import type { Cursor } from "#lib/protocol/cursor.ts";
import { echoSpans, type Region } from "./echo.ts";
import { PlacedText } from "./placed-text.ts";
import { withoutSpans } from "./spans.ts";
import { TypedLines } from "./typed-lines.ts";

/** Screen of text rows; a row that begins with "\\" continues the one above. */
function screen(...rows: string[]): PlacedText {
  return new PlacedText(
    rows.map((text, seq) => ({
      seq,
      text: text.replace(/^\\/, ""),
      isContinuation: text.startsWith("\\"),
    })),
  );
}

function typedAt(at: Cursor, prompt: string, ...units: string[]): TypedLines {
  const typed = new TypedLines();
  for (const unit of units) typed.typed(utf8(unit), at, () => prompt);
  return typed;
}

function left(placed: PlacedText, typed: TypedLines, inputs: Region[] = []): string {
  return withoutSpans(placed.text, echoSpans(placed, typed.lines, inputs)).text;
}

const atPrompt = { seq: 0, col: 2 };

describe("the echo of what was typed", () => {
  const line = "echo READY; sleep 3; echo READY2";

  it("[WT2] is taken out of the text, and what the program prints is left", () => {
    const typed = typedAt(atPrompt, "$ ", `${line}\r`);
    expect(left(screen(`$ ${line}`, "READY"), typed)).toBe("$ \nREADY");
    expect(left(screen(`$ ${line}`, "READY", "READY2"), typed)).toBe("$ \nREADY\nREADY2");
  });

  it("[WT2] is taken out while it is still coming, at every length", () => {
    for (let length = 0; length <= line.length; length++) {
      const typed = typedAt(atPrompt, "$ ", `${line}\r`);
      expect(left(screen(`$ ${line.slice(0, length)}`.trimEnd()), typed).trim()).toBe("$");
    }
  });

  it("[WT2] is found over rows that the width broke, with or without the terminal knowing", () => {
    for (const mark of ["\\", ""]) {
      const typed = typedAt(atPrompt, "$ ", `${line}\r`);
      const placed = screen("$ echo READY; s", `${mark}leep 3; echo RE`, `${mark}ADY2`, "READY");
      expect(left(placed, typed)).toBe("$ \nREADY");
    }
  });

  it("[WT2] is found when a person types it key by key, with corrections", () => {
    const keys = [..."echo READX", "\x7f", ..."Y2", "\r"];
    expect(left(screen("$ echo READY2", "out"), typedAt(atPrompt, "$ ", ...keys))).toBe("$ \nout");
  });

  it("[WT2] a paste, a tab and a prompt of continuation are no obstacle", () => {
    const paste = "\x1b[200~for x in READY2; do\n\techo $x\ndone\x1b[201~\r";
    const placed = screen("$ for x in READY2; do", ">         echo $x", "> done", "READY2");
    expect(left(placed, typedAt(atPrompt, "$ ", paste))).toBe("$ \n>         \n> \nREADY2");
  });

  it("[WT2] a completed or recalled line is whatever stands there", () => {
    expect(left(screen("$ echo READY2", "x"), typedAt(atPrompt, "$ ", "ech\t\r"))).toBe("$ \nx");
    expect(left(screen("$ echo READY2", "x"), typedAt(atPrompt, "$ ", "\x1b[A\r"))).toBe("$ \nx");
  });

  it("[WT2] what a program prints again counts, though it is the same", () => {
    const typed = typedAt({ seq: 0, col: 0 }, "", "hello there\n");
    expect(left(screen("hello there"), typed)).toBe("");
    expect(left(screen("hello there", "hello there"), typed)).toBe("\nhello there");
  });

  it("[WT2] and it still counts when the echo has left the rows that are looked at", () => {
    const typed = typedAt({ seq: 0, col: 0 }, "", "hello there\n");
    left(screen("hello there"), typed);
    const later = new PlacedText([{ seq: 1, text: "hello there", isContinuation: false }]);
    expect(left(later, typed)).toBe("hello there");
  });

  it("[WT2] a line typed ahead is shown by the terminal and by the shell, and is output neither time", () => {
    const typed = typedAt(atPrompt, "$ ", "sleep 1\necho READY2\n");
    const placed = screen("$ sleep 1", "echo READY2", "$ echo READY2", "READY2");
    expect(left(placed, typed)).toBe("$ \n\n$ \nREADY2");
  });

  it("[WT2] a short answer is not looked for inside words", () => {
    const typed = typedAt({ seq: 0, col: 16 }, "Continue? [y/N] ", "y\r");
    expect(left(screen("Continue? [y/N] y", "yes, by all means: y"), typed)).toBe(
      "Continue? [y/N] \nyes, by all means: y",
    );
    const unechoed = typedAt({ seq: 0, col: 0 }, "", "q");
    expect(left(screen("quit: done quickly"), unechoed)).toBe(
      "uit: done quickly".padStart(18, "q").slice(1),
    );
  });

  it("[WT2] where the shell says what was typed, nothing is guessed", () => {
    const inputs = [{ start: { seq: 0, col: 2 }, end: { seq: 0, col: 12 } }];
    expect(left(screen("$ echo !!:1", "out"), typedAt(atPrompt, "$ ", "x"), inputs)).toBe(
      "$ \nout",
    );
  });

  it("[WT2] an interrupt that is shown is no output", () => {
    expect(left(screen("$ sleep 9^C", "$ "), typedAt(atPrompt, "$ ", "sleep 9", "\x03"))).toBe(
      "$ \n$ ",
    );
  });
});
