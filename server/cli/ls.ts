// `cotty ls`: the sessions, one line each.
import type { Command } from "commander";
import { isSealed, type ListedSession, type SessionInfo } from "#lib/protocol/session.ts";
import { withExamples } from "./examples.ts";
import { remoteOf, withServer } from "./remote.ts";
import { data, plain, table, tell } from "./terminal-output.ts";
import { shorten } from "./text-width.ts";

export function lsCommand(parent: Command): void {
  const command = parent
    .command("ls")
    .summary("list the sessions")
    .description(
      "List the sessions: what each is doing, who has the keyboard, and whether it needs somebody.",
    )
    .option("--tag <TAG>", "only those with this tag")
    .option("--json", "as JSON");
  withExamples(command, [
    ["cotty ls", ""],
    ["cotty ls --tag build", "only those with a tag"],
    ["cotty ls --json | jq -r '.sessions[].id'", ""],
  ]);
  withServer(command).action(async () => {
    const { tag, json } = command.opts<{ tag?: string; json?: true }>();
    const { api } = remoteOf(command);
    const { sessions } = await api.listSessions({ query: tag === undefined ? {} : { tag } });
    if (json) data(JSON.stringify({ sessions }));
    else if (sessions.length === 0) tell("no sessions; open one with `cotty new`");
    else {
      const ids = shortIds(sessions.map(({ id }) => id));
      const rows = sessions.map((one, at) => row(one, ids[at] ?? one.id));
      const lines = table(["ID", "NAME", "PHASE", "KEYBOARD", "NEEDS", "SIZE", "COMMAND"], rows);
      // The command stands last, and gives way to the terminal's edge.
      const width = process.stdout.isTTY ? process.stdout.columns || 80 : 200;
      data(
        lines
          .split("\n")
          .map((line) => shorten(line, width))
          .join("\n"),
      );
    }
  });
}

function row(one: ListedSession, id: string): string[] {
  if (isSealed(one)) return [id, "", "sealed", "", "", "", ""];
  return [
    id,
    shorten(plain(one.name), 16),
    phase(one),
    shorten(plain(keyboard(one)), 12),
    one.credential ? "password" : (one.need?.reason ?? "-"),
    `${one.cols}x${one.rows}`,
    plain(one.foreground ?? one.command.join(" ")),
  ];
}

function phase(one: SessionInfo): string {
  if (!one.exited) return one.phase === "waiting_input" ? "waiting" : one.phase;
  return one.signal ?? `exit ${one.exit_code}`;
}

/** Who types: agents, a person by name, or nobody any more. */
function keyboard(one: SessionInfo): string {
  if (one.exited) return "-";
  if (one.access !== "collaborate") return one.access;
  if (one.lease.holder === "agent") return "agents";
  return one.lease.actor ?? "people";
}

/** The beginnings of `ids` that tell them apart, eight letters at least: what every command takes for an id. */
export function shortIds(ids: readonly string[]): string[] {
  for (let length = 8; length < 26; length++) {
    const short = ids.map((id) => id.slice(0, length));
    if (new Set(short).size === ids.length) return short;
  }
  return [...ids];
}
