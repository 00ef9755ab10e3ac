// Help that begins with examples: what people look for first.
import type { Command } from "commander";

/** Pairs of a command line and what it does; an empty text stands for none. */
export function withExamples(
  command: Command,
  examples: readonly (readonly [line: string, does: string])[],
): Command {
  const width = Math.max(...examples.map(([line, does]) => (does === "" ? 0 : line.length)));
  const lines = examples.map(
    ([line, does]) => `  ${does === "" ? line : `${line.padEnd(width)}  ${does}`}`,
  );
  return command.addHelpText("before", `Examples:\n${lines.join("\n")}\n`);
}
