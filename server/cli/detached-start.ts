// `cotty start --detach`: the dashboard in the background, its words in a log of its own. Knows it only as a program.
import { spawn } from "node:child_process";
import { closeSync, constants, openSync, readFileSync, statSync } from "node:fs";
import type { StateDir } from "#server/state/state-dir.ts";
import { CliError, exitCodes } from "./exit.ts";
import { findWeb, until, type WebRecord } from "./running.ts";

/** A little more than starting the host may take. */
const startsWithinMs = 25_000;

/** Starts this very command line again without `--detach`; resolves once the dashboard answers for itself in its record. */
export async function startDetached(dir: StateDir): Promise<WebRecord> {
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
  const log = openSync(dir.webLog, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600);
  const from = statSync(dir.webLog).size;
  const [script = "", ...words] = process.argv.slice(1);
  const rest = words.filter((word) => !["start", "-d", "--detach"].includes(word));
  // A link is a credential for two minutes; it belongs on the person's terminal, not into a log.
  const own = [script, "start", ...rest, "--no-open", "--no-link"];
  const child = spawn(process.execPath, [...process.execArgv, ...own], {
    cwd: process.cwd(),
    env: process.env,
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  let ended: string | undefined;
  child.once("error", (error) => {
    ended = error.message;
  });
  child.once("exit", (code, signal) => {
    ended ??= `it ended with ${signal ?? `code ${code}`}`;
  });
  const record = () => {
    const web = findWeb(dir);
    return web?.pid === child.pid ? web : undefined;
  };
  await until(() => record() !== undefined || ended !== undefined, startsWithinMs);
  const web = record();
  if (web) {
    child.unref();
    return web;
  }
  if (ended === undefined) child.kill("SIGTERM");
  const said = readFileSync(dir.webLog).subarray(from).toString("utf8").trim();
  throw new CliError(
    exitCodes.failed,
    `the dashboard did not start: ${said.replace(/^cotty: /, "") || (ended ?? "it does not answer")}`,
    `Its log is ${dir.webLog}.`,
  );
}
