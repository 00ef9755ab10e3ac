import { describe, expect, it } from "vitest";
import { edited, emptyLine, type InputLine, insert, sent } from "./input-line.ts";
import type { KeyName } from "./typed-keys.ts";

/** Text as it stands with `|` for the cursor. */
function shown({ text, cursor }: InputLine): string {
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

function lineAfter(text: string, ...keys: KeyName[]): string {
  return shown(keys.reduce(edited, insert(emptyLine, text)));
}

describe("the input line", () => {
  it.each<[string, string, KeyName[]]>([
    ["one tw|", "one two", ["backspace"]],
    ["one |two", "one two", ["word_left"]],
    ["one |", "one two", ["ctrl-w"]],
    ["|", "one two", ["ctrl-u"]],
    ["one| two", "one two", ["home", "word_right"]],
    ["one|", "one two", ["home", "word_right", "ctrl-k"]],
    ["|ne", "one", ["home", "delete"]],
    ["|", "", ["backspace"]],
    ["one|", "one", ["right"]],
  ])("[TU1] %s", (wanted, text, keys) => {
    expect(lineAfter(text, ...keys)).toBe(wanted);
  });

  it("[TU1] a character of many code points is one", () => {
    expect(lineAfter("a👨‍👩‍👧e\u0301", "left", "left")).toBe("a|👨‍👩‍👧e\u0301");
    expect(lineAfter("a👨‍👩‍👧", "backspace")).toBe("a|");
  });

  it("[TU1] sent lines come back, and what was being typed too", () => {
    let line = sent(insert(emptyLine, "first"), false);
    line = sent(insert(line, "second"), false);
    line = insert(line, "half");
    line = edited(line, "up");
    expect(line.text).toBe("second");
    line = edited(edited(line, "up"), "up");
    expect(line.text).toBe("first");
    line = edited(edited(line, "down"), "down");
    expect(line.text).toBe("half");
  });

  it("[TU1] [CR3] passwords, blank lines and repetitions are not remembered", () => {
    let line = sent(insert(emptyLine, "ls"), false);
    line = sent(insert(line, "hunter2"), true);
    line = sent(insert(line, "  "), false);
    line = sent(insert(line, "ls"), false);
    expect(line.history).toEqual(["ls"]);
  });
});
