// `cotty history`: what a session printed since a place, and the place to go on from (JR4).
import type { Command } from "commander";
import { bytesHelp, parseBytes } from "./arguments.ts";
import { withExamples } from "./examples.ts";
import { remoteOf, withServer } from "./remote.ts";
import { sessionArgument, sessionHelp, sessionIdOf } from "./session-argument.ts";
import { data, print, tell } from "./terminal-output.ts";

export function historyCommand(parent: Command): void {
  const command = parent
    .command("history")
    .summary("print what was printed since a place")
    .description(
      "Print what a session printed since a place. The next place is told on stderr (`next SEQ:COL`): give it back, and nothing is missed or told twice.",
    )
    .argument(sessionArgument, sessionHelp)
    .option("--since <CURSOR>", "SEQ, SEQ:COL, now, or start (the oldest line)", "start")
    .option("--max-bytes <N>", bytesHelp, parseBytes)
    .option("--json", "as JSON");
  withExamples(command, [
    ["cotty history ID", "all that is kept"],
    ["cotty history ID --since now", "no text, only the place"],
    ["cotty history ID --since 120:0", "from there on"],
  ]);
  withServer(command).action(async (wanted: string) => {
    const { since, maxBytes, json } = command.opts<{
      since: string;
      maxBytes?: number;
      json?: true;
    }>();
    const { api } = remoteOf(command);
    const id = await sessionIdOf(api, wanted);
    const reply = await api.readOutput({
      params: { id },
      query: { since, ...(maxBytes === undefined ? {} : { max_bytes: maxBytes }) },
    });
    if (json) {
      data(JSON.stringify(reply));
      return;
    }
    print(reply.text);
    if (reply.evicted) tell("something before it is gone");
    if (reply.alt_screen) tell("a full-screen program is drawing; see `cotty screen`");
    if (reply.truncated) tell("there is more; go on from the next place, or say --max-bytes");
    tell(`next ${reply.next}`);
  });
}
