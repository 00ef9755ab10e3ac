// `cotty keys`: the names of keys, and what a terminal sends for them. Asks no server.
import type { Command } from "commander";
import { encodeKey, keyNames } from "#lib/terminal/keys.ts";
import { withExamples } from "./examples.ts";
import { CliError, exitCodes } from "./exit.ts";
import { data, table } from "./terminal-output.ts";

const modes = { appCursorKeys: false, appKeypad: false };

export function keysCommand(parent: Command): void {
  const command = parent
    .command("keys")
    .summary("list the names of keys")
    .description(
      "List the names of keys for `cotty send`, or show what a terminal sends for some. Names go with C- (Ctrl), M- (Alt) and S- (Shift) in front, in any order.",
    )
    .argument("[KEY...]", "show the bytes of these")
    .option("--json", "as JSON");
  withExamples(command, [
    ["cotty keys", "all names"],
    ["cotty keys C-c M-x S-F5", "what these send"],
  ]);
  command.action((names: string[]) => {
    const isJson = command.opts().json === true;
    if (names.length > 0) {
      const sent = names.map((name) => ({ key: name, sends: sendsOf(name) }));
      if (isJson) data(JSON.stringify({ keys: sent }));
      else
        data(
          table(
            ["KEY", "SENDS"],
            sent.map(({ key, sends }) => [key, visible(sends)]),
          ),
        );
    } else if (isJson) data(JSON.stringify({ keys: keyNames }));
    else {
      for (let at = 0; at < keyNames.length; at += 6)
        data(
          keyNames
            .slice(at, at + 6)
            .map((name) => name.padEnd(11))
            .join("")
            .trimEnd(),
        );
      data("and every single character; C-, M- and S- in front: C-c, M-x, C-Up, S-F5");
    }
  });
}

function sendsOf(name: string): string {
  const bytes = encodeKey(name, modes);
  if (!bytes)
    throw new CliError(
      exitCodes.usage,
      `no terminal has a sequence for ${JSON.stringify(name)}`,
      "List the names with `cotty keys`.",
    );
  return new TextDecoder().decode(bytes);
}

/** As `cat -v` shows it. */
function visible(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f]/g, (control) =>
    control === "\x7f" ? "^?" : `^${String.fromCharCode(control.charCodeAt(0) + 64)}`,
  );
}
