// `cotty events`: what happens to sessions, as it happens (EV1), until it is interrupted or the one session is closed.
import type { Command } from "commander";
import { systemClock } from "#lib/base/clock.ts";
import { noPage } from "#lib/client/page-signals.ts";
import type { StreamEvent } from "#lib/protocol/events.ts";
import { withExamples } from "./examples.ts";
import { CliError, exitCodes } from "./exit.ts";
import { remoteOf, withServer } from "./remote.ts";
import { sessionHelp, sessionIdOf } from "./session-argument.ts";
import { data, plain } from "./terminal-output.ts";

export function eventsCommand(parent: Command): void {
  const command = parent
    .command("events")
    .summary("tell what happens to sessions as it happens")
    .argument("[ID]", `only this one: ${sessionHelp}`)
    .option("--types <LIST>", "only these, such as exited,bell,need")
    .option("--json", "whole events, one JSON object a line");
  withExamples(command, [
    ["cotty events", "until Ctrl-C"],
    ["cotty events ID --types command,exited --json", ""],
  ]);
  withServer(command).action(async (wanted: string | undefined) => {
    const { types, json } = command.opts<{ types?: string; json?: true }>();
    const { api, server } = remoteOf(command);
    // Also proves that somebody is there and lets us in: the stream itself would try for ever.
    const list = await api.listSessions();
    const session = wanted === undefined ? undefined : await sessionIdOf(api, wanted);
    const after = list.last_event_id;
    const { EventStream } = await import("#lib/client/event-stream.ts");
    const stream = new EventStream({
      server,
      clock: systemClock,
      page: noPage(),
      ...(after === undefined ? {} : { after }),
      ...(session === undefined ? {} : { session }),
      ...(types === undefined ? {} : { types: types.split(",") as StreamEvent["type"][] }),
    });
    await new Promise<void>((resolve, reject) => {
      stream.onEvent((event) => {
        data(json ? JSON.stringify(event) : line(event));
        if (session !== undefined && event.type === "closed") resolve();
      });
      stream.onState(({ kind }) => {
        if (kind === "final")
          reject(new CliError(exitCodes.auth, "the server refuses to tell events"));
      });
      process.once("SIGINT", () => {
        process.exitCode = exitCodes.interrupted;
        resolve();
      });
      process.stdout.once("error", () => resolve());
      stream.start();
    }).finally(() => stream.dispose());
  });
}

function line(event: StreamEvent): string {
  const { type, id: _id, at, ...rest } = event;
  const { session, ...facts } = rest as { session?: string };
  const shown = Object.entries(facts)
    .filter(([name]) => name !== "info")
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return plain([at, session?.slice(0, 8) ?? "-", type, ...shown].join(" ")).slice(0, 400);
}
