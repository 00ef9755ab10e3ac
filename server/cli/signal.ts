// `cotty signal`: a signal to the foreground process group of a session.
import { Argument, type Command } from "commander";
import { type SignalName, signalSchema } from "#lib/protocol/session.ts";
import { withExamples } from "./examples.ts";
import { remoteOf, withServer } from "./remote.ts";
import { sessionArgument, sessionHelp, sessionIdOf } from "./session-argument.ts";
import { data } from "./terminal-output.ts";

/** "sigint" and "INT" are the same. */
export function signalName(written: string): string {
  return written.toUpperCase().replace(/^SIG/, "");
}

export function signalCommand(parent: Command): void {
  const name = new Argument("<SIGNAL>", `one of ${signalSchema.options.join(", ")}`);
  const command = parent
    .command("signal")
    .summary("send a signal to the program in front")
    .description("Send a signal to the foreground process group. `cotty kill` ends a session.")
    .argument(sessionArgument, sessionHelp)
    .addArgument(choiceOf(name, signalSchema.options))
    .option("--json", "the session as JSON");
  withExamples(command, [
    ["cotty signal ID INT", "as Ctrl-C does"],
    ["cotty signal ID USR1", ""],
  ]);
  withServer(command).action(async (wanted: string, signal: SignalName) => {
    const { api } = remoteOf(command);
    const id = await sessionIdOf(api, wanted);
    const session = await api.signalSession({ params: { id }, body: { signal } });
    if (command.opts().json) data(JSON.stringify(session));
  });
}

/** Choices that take SIGINT, sigint and int for INT. */
function choiceOf(argument: Argument, choices: readonly string[]): Argument {
  argument.choices([...choices]);
  const parse = argument.parseArg as ((written: string, before: string) => string) | undefined;
  return argument.argParser((written: string, before: string) =>
    parse ? parse.call(argument, signalName(written), before) : signalName(written),
  );
}
