import { describe, expect, it } from "vitest";
import { editorMode, observation, program, reading, shell } from "#server/testing/observations.ts";
import { nextFishLine, noFishLine } from "./fish-line.ts";
import type { Observation } from "./observation.ts";

const fish = (cursorLine: string, title: string, change: Partial<Observation> = {}) =>
  observation({
    foreground: shell("fish"),
    read: reading("fish", { how: "mixed", call: "poll" }),
    settings: editorMode,
    sinceWriteMs: 1_000,
    cursorLine,
    title,
    ...change,
  });

/** Whether the last of them is taken for a line that is no command. */
const isOther = (...seen: readonly Observation[]) =>
  seen.reduce((state, each) => nextFishLine(state, each), noFishLine).isOther;

const home = fish("ada@host ~> ", "~");

describe("what fish edits a line for", () => {
  it("[WT8] [PH1] a `read` is no prompt, whatever it shows and however the title is made", () => {
    for (const other of [
      fish("read> ", "read ~"),
      fish("read> ", "~"),
      fish("Name? ", "read ~"),
      fish("Name? ", "~"),
      fish("> ", "begin ~"),
      fish("ada@host ~> ", "begin ~"),
    ])
      expect([other.cursorLine, other.title, isOther(home, other)]).toEqual([
        other.cursorLine,
        other.title,
        true,
      ]);
    expect(isOther(fish("> ", ""), fish("read> ", ""))).toBe(true);
    expect(isOther(fish("read> ", "read ~"))).toBe(true);
  });

  it("[PH1] a prompt is one in another folder, and after a command that failed", () => {
    for (const prompt of [
      home,
      fish("ada@host ~ [1]> ", "~"),
      fish("ada@host /usr/share> ", "/usr/share"),
      fish("# ", "/"),
    ])
      expect([prompt.cursorLine, isOther(home, prompt)]).toEqual([prompt.cursorLine, false]);
    expect(isOther(fish("ada@host ~/a/b> ", ""), fish("ada@host ~> ", ""))).toBe(false);
  });

  it("[PH1] the next prompt ends it; typing does not", () => {
    const asks = fish("Name? ", "read ~");
    const typed = { isLineUntouched: false };
    expect(isOther(home, asks, fish("ada@host ~> ", "~", typed))).toBe(true);
    expect(isOther(home, asks, fish("", "read ~", { isReadFresh: false }))).toBe(true);
    expect(isOther(home, fish("ada@host ~> cd Name? ", "~", typed))).toBe(false);
    expect(isOther(home, asks, home)).toBe(false);
    expect(isOther(home, asks, observation({ foreground: program("vim") }))).toBe(false);
    expect(isOther(home, asks, fish("Name? ", "read ~", { shell: "input" }))).toBe(false);
  });

  it("[PH1] before anybody typed it is a prompt, of which more may come", () => {
    const untyped = { sinceWriteMs: null };
    expect(isOther(fish("", "", untyped), fish("ada@", "", untyped), home)).toBe(true);
    expect(isOther(fish("", "", untyped), { ...home, ...untyped }, home)).toBe(false);
    expect(isOther(fish("", ""), home)).toBe(false);
  });

  it("[PH1] another fish has prompts of its own", () => {
    const inner = fish("> ", "fish ~", { foreground: shell("fish", { pgid: 300 }) });
    expect(isOther(home, inner)).toBe(false);
  });
});
