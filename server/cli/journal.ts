// `cotty journal`: the commands that a session's shell announced.
import type { Command } from "commander";
import type { CommandRecord } from "#lib/protocol/journal.ts";
import { parseWhole } from "./arguments.ts";
import { withExamples } from "./examples.ts";
import { remoteOf, withServer } from "./remote.ts";
import { sessionArgument, sessionHelp, sessionIdOf } from "./session-argument.ts";
import { data, plain, table, tell } from "./terminal-output.ts";

export function journalCommand(parent: Command): void {
  const command = parent
    .command("journal")
    .summary("list a session's commands and how they ended")
    .description("List the commands that the shell announced, oldest first; the newest 20.")
    .argument(sessionArgument, sessionHelp)
    .option("--from <INDEX>", "from this command on", parseWhole)
    .option("--limit <N>", "how many (default: 20)", parseWhole)
    .option("--json", "as JSON");
  withExamples(command, [
    ["cotty journal ID", "the newest 20"],
    ["cotty journal ID --from 3 --limit 5", ""],
    ["cotty journal ID --json | jq '.commands[-1].exit_code'", ""],
  ]);
  withServer(command).action(async (wanted: string) => {
    const { from, limit, json } = command.opts<{ from?: number; limit?: number; json?: true }>();
    const { api } = remoteOf(command);
    const id = await sessionIdOf(api, wanted);
    const list = await api.listCommands({
      params: { id },
      query: {
        ...(from === undefined ? {} : { from }),
        ...(limit === undefined ? {} : { limit }),
      },
    });
    if (json) data(JSON.stringify(list));
    else if (list.commands.length > 0)
      data(table(["INDEX", "STATUS", "TIME", "BY", "COMMAND"], list.commands.map(row)));
    else
      tell(
        list.integration === "none"
          ? "no commands; the shell does not announce them (docs/shell-integration.md)"
          : "no commands",
      );
  });
}

function row(record: CommandRecord): string[] {
  return [
    String(record.index),
    statusOf(record),
    span(record.duration_ms),
    plain(record.by.join(",")).slice(0, 16) || "-",
    plain((record.command ?? "?").split("\n")[0] ?? "").slice(0, 44),
  ];
}

export function statusOf(record: CommandRecord): string {
  if (record.flags.includes("running")) return "running";
  if (record.exit_code !== undefined) return String(record.exit_code);
  return record.flags.includes("incomplete") ? "cut off" : "unknown";
}

function span(ms: number): string {
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)}s`;
  if (ms < 600_000) return `${Math.round(ms / 1_000)}s`;
  return `${Math.round(ms / 60_000)}m`;
}
