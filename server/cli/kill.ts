// `cotty kill`: ends sessions.
import { type Command, Option } from "commander";
import { type SignalName, signalSchema } from "#lib/protocol/session.ts";
import { withExamples } from "./examples.ts";
import { remoteOf, withServer } from "./remote.ts";
import { sessionHelp, sessionIdOf } from "./session-argument.ts";
import { data } from "./terminal-output.ts";

export function killCommand(parent: Command): void {
  const command = parent
    .command("kill")
    .summary("end sessions")
    .description(
      "End sessions: the signal goes to all of their processes, KILL follows after 3 s, then they are forgotten.",
    )
    .argument("<ID...>", sessionHelp)
    .addOption(
      new Option("--signal <NAME>", "the first signal (default: HUP)").choices(
        signalSchema.options,
      ),
    )
    .option("--json", "the ids as JSON");
  withExamples(command, [
    ["cotty kill ID", ""],
    ["cotty kill build test --signal TERM", ""],
  ]);
  withServer(command).action(async (wanted: string[]) => {
    const { signal, json } = command.opts<{ signal?: SignalName; json?: true }>();
    const { api } = remoteOf(command);
    // All of them first: one that does not exist must leave the others alone.
    const ids: string[] = [];
    for (const one of wanted) ids.push(await sessionIdOf(api, one));
    for (const id of ids)
      await api.closeSession({ params: { id }, query: signal ? { signal } : {} });
    if (json) data(JSON.stringify({ closed: ids }));
  });
}
