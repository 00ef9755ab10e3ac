import { describe, expect, it } from "vitest";
import { keyNames } from "#lib/terminal/keys.ts";
import { CliError } from "./exit.ts";
import { itemsOf } from "./typing.ts";

const typed = (...words: string[]) => itemsOf(words, { isLiteral: false, isPaste: false });

describe("[CL3] what send types", () => {
  it("[B072] words that name keys are keys, the rest is text as it stands", () => {
    expect(typed("echo hi", "Enter", "C-c", "enter now", "M-x", "y", "Entered")).toEqual([
      { text: "echo hi" },
      { key: "Enter" },
      { key: "C-c" },
      { text: "enter now" },
      { key: "M-x" },
      { text: "y" },
      { text: "Entered" },
    ]);
    for (const name of keyNames) expect(typed(name)).toEqual([{ key: name }]);
  });

  it("[B072] all of it is text with -l, and a paste with --paste", () => {
    expect(itemsOf(["Enter", "C-c"], { isLiteral: true, isPaste: false })).toEqual([
      { text: "Enter" },
      { text: "C-c" },
    ]);
    expect(itemsOf(["a", "Enter"], { isLiteral: false, isPaste: true })).toEqual([
      { text: "a", paste: true },
      { key: "Enter" },
    ]);
  });

  it.each(["C-Enter", "C-1", "C-C-c", "S-1", "C-Esc"])(
    "refuses %s, for which no terminal has a sequence, and does not guess",
    (word) => {
      expect(() => typed(word)).toThrow(CliError);
    },
  );

  it.each(["e-mail", "M-series", "C-", "-x", "C++", "S-Bahn", "x-C-c"])("%s is text", (word) => {
    expect(typed(word)).toEqual([{ text: word }]);
  });
});
