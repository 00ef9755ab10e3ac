// `cotty history`: what a session printed since a place, and the place to go on from (JR4).
import type { Command } from "commander";
import { bytesHelp, parseBytes, parseLines } from "./arguments.ts";
import { withExamples } from "./examples.ts";
import { CliError, exitCodes } from "./exit.ts";
import { remoteOf, withServer } from "./remote.ts";
import { sessionArgument, sessionHelp, sessionIdOf } from "./session-argument.ts";
import { data, print, tell } from "./terminal-output.ts";

export function historyCommand(parent: Command): void {
  const command = parent
    .command("history")
    .summary("print what was printed since a place, or last")
    .description(
      "Print what a session printed since a place, or its last lines. The next place is told on stderr (`next SEQ:COL`): give it back, and nothing is missed or told twice.",
    )
    .argument(sessionArgument, sessionHelp)
    .option("--since <CURSOR>", "SEQ, SEQ:COL, now, or start (the oldest line, the default)")
    .option("--tail <N>", "the last lines, instead", parseLines)
    .option("--max-bytes <N>", bytesHelp, parseBytes)
    .option("--json", "as JSON");
  withExamples(command, [
    ["cotty history ID", "all that is kept"],
    ["cotty history ID --tail 50", "the last 50 lines"],
    ["cotty history ID --since now", "no text, only the place"],
    ["cotty history ID --since 120:0", "from there on"],
  ]);
  withServer(command).action(async (wanted: string) => {
    const { since, tail, maxBytes, json } = command.opts<{
      since?: string;
      tail?: number;
      maxBytes?: number;
      json?: true;
    }>();
    if (since !== undefined && tail !== undefined)
      throw new CliError(
        exitCodes.usage,
        "--tail counts from the end, and --since names a beginning",
        "Give one of them.",
      );
    const { api } = remoteOf(command);
    const id = await sessionIdOf(api, wanted);
    const reply = await api.readOutput({
      params: { id },
      query: {
        ...(since === undefined ? {} : { since }),
        ...(tail === undefined ? {} : { tail }),
        ...(maxBytes === undefined ? {} : { max_bytes: maxBytes }),
      },
    });
    if (json) {
      data(JSON.stringify(reply));
      return;
    }
    print(reply.text);
    if (reply.evicted) tell("something before it is gone");
    if (reply.shortened) tell("some of these lines are left out in front; say --max-bytes");
    if (reply.alt_screen) tell("a full-screen program is drawing; see `cotty screen`");
    if (reply.truncated) tell("there is more; go on from the next place, or say --max-bytes");
    tell(`next ${reply.next}`);
  });
}
