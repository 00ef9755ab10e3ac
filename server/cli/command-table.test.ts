import { describe, expect, it } from "vitest";
import { groups, meantCommand } from "./command-table.ts";

describe("[CL5] the one command that is meant", () => {
  it.each<[string, string | undefined]>([
    ["", "start"],
    ["ls", "ls"],
    ["ls --help", "ls"],
    ["ls --bogus", "ls"],
    ["--port 8080", "start"],
    ["--no-open", "start"],
    // These list all commands, or may: nearest names, too.
    ["--help", undefined],
    ["-h", undefined],
    ["--port 8080 --help", undefined],
    ["help", undefined],
    ["help ls", undefined],
    ["lss", undefined],
    ["constructor", undefined],
    // Everything behind it may be a command.
    ["-- ls", undefined],
    ["completion bash", undefined],
    ["completion", undefined],
    ["completion sessions", "completion"],
  ])("of `cotty %s`: %s", (line, meant) => {
    expect(meantCommand(line === "" ? [] : line.split(" "))).toBe(meant);
  });

  it("is in exactly one group, which has no others", async () => {
    const names = groups.flatMap((group) => group.names);
    expect(new Set(names).size).toBe(names.length);
    for (const group of groups)
      expect(Object.keys(await group.load()).sort()).toEqual([...group.names].sort());
  });
});
