// `cotty capsule`: all sessions in one short text, as agents get it (CP1).
import type { Command } from "commander";
import { withExamples } from "./examples.ts";
import { remoteOf, withServer } from "./remote.ts";
import { data } from "./terminal-output.ts";

export function capsuleCommand(parent: Command): void {
  const command = parent
    .command("capsule")
    .summary("all sessions in one short text, for agents")
    .option("--json", "as JSON");
  withExamples(command, [["cotty capsule", ""]]);
  withServer(command).action(async () => {
    const capsule = await remoteOf(command).api.readCapsule();
    data(command.opts().json ? JSON.stringify(capsule) : capsule.text);
  });
}
