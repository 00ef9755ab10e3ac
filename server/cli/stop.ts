// `cotty stop`: ends web; with --all the sessions and the host too (HO3).
import type { Command } from "commander";
import { findHost } from "#server/state/host-endpoint.ts";
import { isRunning } from "#server/state/process-identity.ts";
import type { StateDir } from "#server/state/state-dir.ts";
import { withExamples } from "./examples.ts";
import { CliError, exitCodes } from "./exit.ts";
import { configOf, withSettings } from "./options.ts";
import { findWeb, keepRunning, runningSessions, stateOf, terminals, until } from "./running.ts";
import { tell } from "./terminal-output.ts";

/** Web says goodbye in 3 s and must be gone in 5 (HO3). */
const webGoneMs = 6_000;
/** Sessions get 3 s between their signal and KILL. */
const hostGoneMs = 15_000;

export function stopCommand(parent: Command): void {
  const command = parent
    .command("stop")
    .summary("stop the web server; --all ends the terminals too")
    .description(
      "Stop the web server. The terminals keep running; --all ends them and the host as well.",
    )
    .option("--all", "end every session and the host");
  withExamples(command, [
    ["cotty stop", "the terminals keep running"],
    ["cotty stop --all", "these too"],
  ]);
  withSettings(command, ["stateDir"]).action(async () => {
    const dir = stateOf(configOf(command).stateDir);
    const stoppedWeb = await stopWeb(dir);
    const running = (await runningSessions(dir)) ?? 0;
    if (command.opts().all) {
      const stoppedHost = await stopHost(dir);
      tell(stoppedHost ? `ended ${terminals(running)} and the host` : "no host was running");
    } else {
      tell(
        `${stoppedWeb ? "stopped the web server" : "no web server was running"}; ${keepRunning(running)}`,
      );
    }
  });
}

async function stopWeb(dir: StateDir): Promise<boolean> {
  const web = findWeb(dir);
  if (!web) return false;
  process.kill(web.pid, "SIGTERM");
  if (!(await until(() => !isRunning(web), webGoneMs))) {
    process.kill(web.pid, "SIGKILL");
    if (!(await until(() => !isRunning(web), webGoneMs))) {
      throw new CliError(exitCodes.failed, `the web server (pid ${web.pid}) does not end`);
    }
  }
  return true;
}

async function stopHost(dir: StateDir): Promise<boolean> {
  const host = findHost(dir);
  if (!host) return false;
  await host.request("POST", "/internal/shutdown", { timeoutMs: hostGoneMs }).catch(() => {
    // It may close the connection before it answers; what counts is that it goes.
  });
  if (!(await until(() => !isRunning(host.record), hostGoneMs))) {
    throw new CliError(
      exitCodes.failed,
      `the host (pid ${host.record.pid}) does not end`,
      `Look into ${dir.hostLog}.`,
    );
  }
  return true;
}
