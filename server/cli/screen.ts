// `cotty screen`: what a session shows.
import type { Command } from "commander";
import { parseWhole } from "./arguments.ts";
import { withExamples } from "./examples.ts";
import { CliError, exitCodes } from "./exit.ts";
import { remoteOf, withServer } from "./remote.ts";
import { sessionArgument, sessionHelp, sessionIdOf } from "./session-argument.ts";
import { data } from "./terminal-output.ts";

interface Wishes {
  json?: true;
  raw?: true;
  html?: true;
  compact?: true;
  since?: number;
  join?: true;
  ghost?: true;
}

export function screenCommand(parent: Command): void {
  const command = parent
    .command("screen")
    .summary("print what a session shows")
    .description("Print the screen as plain text, without the empty rows at its end.")
    .argument(sessionArgument, sessionHelp)
    .option("--json", "the full state: lines, cursor, title, modes")
    .option("--raw", "with its colours, as ANSI sequences")
    .option("--html", "with its colours, as one <pre>")
    .option("--compact", "the short form for agents")
    .option("--since <VERSION>", "only what changed since this version", parseWhole)
    .option("--join", "join rows that only wrapped")
    .option("--ghost", "keep a shell's grey suggestion");
  withExamples(command, [
    ["cotty screen ID", "plain text"],
    ["cotty screen ID --raw", "with colours"],
    ["cotty screen ID --json | jq .cursor", "the full state"],
    ["cotty screen ID --compact --since 12", "only what changed"],
  ]);
  withServer(command).action(async (wanted: string) => {
    const wishes = command.opts<Wishes>();
    if (wishes.raw && wishes.html)
      throw new CliError(exitCodes.usage, "--raw and --html exclude each other");
    const { api } = remoteOf(command);
    const id = await sessionIdOf(api, wanted);
    const reply = await api.readScreen({
      params: { id },
      query: {
        ...(wishes.raw ? { format: "raw" } : wishes.html ? { format: "html" } : {}),
        ...(wishes.compact ? { view: "compact" } : {}),
        ...(wishes.since === undefined ? {} : { since: String(wishes.since) }),
        ...(wishes.join ? { join_wrapped: "1" } : {}),
        ...(wishes.ghost ? { ghost: "keep" } : {}),
      },
    });
    if (wishes.json) data(JSON.stringify(reply));
    else if ("unchanged" in reply) data(`unchanged since version ${reply.version}`);
    else if ("text" in reply) data(reply.text);
    else if (reply.html !== undefined) data(reply.html);
    else if (reply.raw !== undefined) data(`${reply.raw.replaceAll("\r\n", "\n")}\x1b[0m`);
    else data(withoutEmptyEnd(reply.lines).join("\n"));
  });
}

function withoutEmptyEnd(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line !== "");
  return lines.slice(0, last + 1);
}
