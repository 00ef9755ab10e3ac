// `cotty explain`: why a session is in its phase.
import type { Command } from "commander";
import { withExamples } from "./examples.ts";
import { remoteOf, withServer } from "./remote.ts";
import { sessionArgument, sessionHelp, sessionIdOf } from "./session-argument.ts";
import { data, plain } from "./terminal-output.ts";

export function explainCommand(parent: Command): void {
  const command = parent
    .command("explain")
    .summary("say what a session is doing, and why we think so")
    .argument(sessionArgument, sessionHelp)
    .option("--json", "with the whole observation, as JSON");
  withExamples(command, [["cotty explain ID", ""]]);
  withServer(command).action(async (wanted: string) => {
    const { api } = remoteOf(command);
    const params = { id: await sessionIdOf(api, wanted) };
    const found = await api.explainSession({ params });
    if (command.opts().json) data(JSON.stringify(found));
    else data(`${found.phase} (${found.confidence}): ${plain(found.because)}`);
  });
}
