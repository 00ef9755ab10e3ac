// `cotty resize`: sets a session's size.
import type { Command } from "commander";
import type { GridSize } from "#lib/protocol/geometry.ts";
import { parseSize } from "./arguments.ts";
import { withExamples } from "./examples.ts";
import { remoteOf, withServer } from "./remote.ts";
import { sessionArgument, sessionHelp, sessionIdOf } from "./session-argument.ts";
import { data } from "./terminal-output.ts";

export function resizeCommand(parent: Command): void {
  const command = parent
    .command("resize")
    .summary("set a session's size")
    .description("Set a session's size. It holds until a person types from a viewer.")
    .argument(sessionArgument, sessionHelp)
    .argument("<COLSxROWS>", "the new size", parseSize)
    .option("--json", "the session as JSON");
  withExamples(command, [["cotty resize ID 120x40", ""]]);
  withServer(command).action(async (wanted: string, size: GridSize) => {
    const { api } = remoteOf(command);
    const id = await sessionIdOf(api, wanted);
    const session = await api.resizeSession({ params: { id }, body: size });
    if (command.opts().json) data(JSON.stringify(session));
  });
}
