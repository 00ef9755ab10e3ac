// `cotty open`: a new one-time link to the running dashboard (SE3).
import type { Command } from "commander";
import { withExamples } from "./examples.ts";
import { CliError, exitCodes } from "./exit.ts";
import { mintLink, openInBrowser } from "./login-link.ts";
import { configOf, withSettings } from "./options.ts";
import { findWeb, stateOf } from "./running.ts";
import { data, tell } from "./terminal-output.ts";

export function openCommand(parent: Command): void {
  const command = parent
    .command("open")
    .summary("print a new one-time link and open it")
    .description(
      "Print a new one-time link (valid for 2 minutes, once) to the running dashboard and open it.",
    );
  withExamples(command, [
    ["cotty open", ""],
    ["cotty open --no-open", "only print it"],
  ]);
  withSettings(command, ["stateDir", "noOpen"]).action(() => {
    const config = configOf(command);
    const dir = stateOf(config.stateDir);
    const web = findWeb(dir);
    if (!web)
      throw new CliError(
        exitCodes.unreachable,
        "no dashboard is running",
        "Start it with `cotty start`.",
      );
    const link = mintLink(dir, web.url);
    data(link);
    tell("valid for 2 minutes, once");
    if (!config.noOpen) openInBrowser(link);
  });
}
