// `cotty host`: the host alone, in the foreground: for service managers and for the API without a dashboard.
import type { Command } from "commander";
import { version } from "#server/state/version.ts";
import { withExamples } from "./examples.ts";
import { CliError, exitCodes } from "./exit.ts";
import { configOf, withSettings } from "./options.ts";
import { stateOf } from "./running.ts";
import { paint, tell } from "./terminal-output.ts";

export function hostCommand(parent: Command): void {
  const command = parent
    .command("host")
    .summary("run only the host, in the foreground")
    .description(
      "Run only the host, in the foreground: it owns the terminals and listens on its Unix socket. SIGTERM ends them all.",
    );
  withExamples(command, [["cotty host", "until SIGTERM"]]);
  withSettings(command, [
    "stateDir",
    "maxSessions",
    "leaseIdle",
    "politeness",
    "noTerminal",
    "noShellIntegration",
    "sessionLimits",
  ]).action(async () => {
    const config = configOf(command);
    const dir = stateOf(config.stateDir);
    // The largest part of the program: no other command should load it.
    const { HostAlreadyRuns, startHost } = await import("#server/host/start.ts");
    try {
      const host = await startHost({
        stateRoot: dir.root,
        maxSessions: config.maxSessions,
        leaseIdleMs: config.leaseIdle,
        politeness: config.politeness,
        noTerminal: config.noTerminal,
        noShellIntegration: config.noShellIntegration,
        sessionLimits: config.sessionLimits,
        configFile: config.configFile,
      });
      for (const warning of host.warnings) tell(`${paint("yellow", "warning:")} ${warning}`);
      tell(`cotty host ${version} answers on ${dir.hostSocket}`);
      for (const signal of ["SIGINT", "SIGTERM"] as const)
        process.on(signal, () => void host.stop());
      await host.stopped;
    } catch (error) {
      if (error instanceof HostAlreadyRuns)
        throw new CliError(
          exitCodes.failed,
          error.message,
          "Use it, or end it with `cotty stop --all`.",
        );
      throw error;
    }
  });
}
