// `cotty access`: what agents may do with a session (AC1).
import { Argument, type Command } from "commander";
import { type Access, accessSchema } from "#lib/protocol/lease.ts";
import { withExamples } from "./examples.ts";
import { isUnknownHand, raises, refusedInside } from "./inside.ts";
import { remoteOf, withServer } from "./remote.ts";
import { sessionArgument, sessionHelp, sessionIdOf } from "./session-argument.ts";
import { data } from "./terminal-output.ts";

export function accessCommand(parent: Command): void {
  const command = parent
    .command("access")
    .summary("show or set what agents may do")
    .description(
      "Show or set what agents may do with a session: collaborate (everything), observe (look), sealed (nothing).",
    )
    .argument(sessionArgument, sessionHelp)
    .addArgument(new Argument("[LEVEL]", "the new level").choices(accessSchema.options))
    .option("--json", "the session as JSON");
  withExamples(command, [
    ["cotty access ID", "as it is"],
    ["cotty access ID observe", "agents look, and do not type"],
    ["cotty access ID sealed", "agents see nothing of it"],
  ]);
  withServer(command).action(async (wanted: string, level: Access | undefined) => {
    const remote = remoteOf(command);
    const { api } = remote;
    const params = { id: await sessionIdOf(api, wanted) };
    if (level !== undefined && isUnknownHand(remote)) {
      const { access } = await api.getSession({ params });
      if (raises(access, level)) throw refusedInside("letting agents do more");
    }
    const session =
      level === undefined
        ? await api.getSession({ params })
        : await api.setAccess({ params, body: { level } });
    data(command.opts().json ? JSON.stringify(session) : session.access);
  });
}
