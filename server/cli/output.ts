// `cotty output`: what one command printed, and with --wait its end and its status (CL4).
import { type Command, InvalidArgumentError } from "commander";
import { sleep, systemClock } from "#lib/base/clock.ts";
import type { ApiClient } from "#lib/client/api-client.ts";
import type { CommandRecord } from "#lib/protocol/journal.ts";
import { bytesHelp, parseBytes, parseLines, parseSpan } from "./arguments.ts";
import { withExamples } from "./examples.ts";
import { CliError, exitCodes } from "./exit.ts";
import { remoteOf, withServer } from "./remote.ts";
import { sessionArgument, sessionHelp, sessionIdOf } from "./session-argument.ts";
import { data, print, tell } from "./terminal-output.ts";
import { exitOfVerdict, tellVerdict } from "./verdict.ts";

interface Wishes {
  wait?: number;
  next?: true;
  tail?: number;
  maxBytes?: number;
  json?: true;
}

export function outputCommand(parent: Command): void {
  const command = parent
    .command("output")
    .summary("print what one command printed")
    .description(
      "Print what a command printed; the newest unless an index is given. With --wait: when it has ended, and exit with its own status, or with 124 when the time is up.",
    )
    .argument(sessionArgument, sessionHelp)
    .argument("[INDEX]", "of the command, as `cotty journal` lists it", parseIndex)
    .option("--wait <SECONDS>", "until the command has ended, at most so long", parseSpan)
    .option("--next", "with --wait: the next command, not one that has ended")
    .option("--tail <N>", "its last lines only", parseLines)
    .option("--max-bytes <N>", bytesHelp, parseBytes)
    .option("--json", "record and output as JSON");
  withExamples(command, [
    ["cotty output ID", "of the newest command"],
    ["cotty output ID 3 --tail 20", "the last lines of another"],
    ["cotty output ID --wait 60; echo $?", "its own status"],
  ]);
  withServer(command).action(async (wanted: string, index: number | undefined) => {
    const wishes = command.opts<Wishes>();
    if (wishes.next && (wishes.wait === undefined || index !== undefined))
      throw new CliError(exitCodes.usage, "--next belongs to --wait without an index");
    const { api } = remoteOf(command);
    const id = await sessionIdOf(api, wanted);
    const which =
      wishes.wait === undefined
        ? { index: index ?? ("latest" as const), exit: 0 }
        : await ended(api, id, index, wishes.wait, wishes.next === true);
    const reply = await api.readCommandOutput({
      params: { id, index: which.index },
      query: {
        ...(wishes.tail === undefined ? {} : { tail: wishes.tail }),
        ...(wishes.maxBytes === undefined ? {} : { max_bytes: wishes.maxBytes }),
      },
    });
    if (wishes.json) data(JSON.stringify(reply));
    else {
      print(reply.output.text);
      if (reply.output.evicted) tell("its first lines are gone from the scrollback");
      if (reply.output.shortened)
        tell("some of these lines are left out in front; say --max-bytes");
      if (reply.output.truncated) tell("there is more; say --max-bytes");
    }
    if (wishes.wait === undefined) return;
    process.exitCode = which.exit || statusCode(reply.record);
  });
}

function parseIndex(written: string): number | undefined {
  if (written === "latest") return undefined;
  if (!/^\d{1,15}$/.test(written)) throw new InvalidArgumentError("Give a command's number.");
  return Number(written);
}

/** Between two looks: a command may end after one and before the wait that follows it. */
const lookMs = 1_000;
/** How long a shell may be between two commands, and how often that is looked at. */
const betweenShellMs = 2_000;
const betweenMs = 50;

/**
 * The command meant by --wait, once it has ended, and 0; or as it stands when the wait came to something else, and the exit code for that. Without an
 * index: the one that runs; the newest one when the shell is back at its prompt; before any, or with `isNext`, the one to come.
 */
async function ended(
  api: ApiClient,
  id: string,
  index: number | undefined,
  waitMs: number,
  isNext: boolean,
): Promise<{ index: number; exit: number }> {
  const params = { id };
  const until = systemClock.monotonic() + waitMs;
  // The shell is between two commands: it draws its prompt, or has not announced what was just typed.
  const settled = systemClock.monotonic() + betweenShellMs;
  let due = index;
  for (;;) {
    const list = await api.listCommands({ params, query: { tail: 1 } });
    const newest = list.commands.at(-1);
    if (due === undefined) {
      const isMeant =
        newest !== undefined && (runs(newest) || (!isNext && (await isAtPrompt(api, id))));
      const isOpen = newest !== undefined && !isMeant && !isNext;
      if (isOpen && systemClock.monotonic() < Math.min(settled, until)) {
        await sleep(systemClock, betweenMs);
        continue;
      }
      due = isMeant ? newest.index : list.next_index;
    }
    // Only the newest can run.
    const isKnown = due < list.next_index;
    if (isKnown && !(newest?.index === due && runs(newest))) return { index: due, exit: 0 };
    const left = until - systemClock.monotonic();
    const verdict = await api.waitSession({
      params,
      body: {
        for: [{ command_done: true }],
        timeout_ms: Math.round(Math.max(0, Math.min(lookMs, left))),
        through_credential: true,
      },
    });
    if (verdict.outcome === "command_done" || (verdict.outcome === "timed_out" && left > 0))
      continue;
    if (verdict.outcome === "exited" && isKnown) return { index: due, exit: 0 };
    const exit = exitOfVerdict(verdict, false);
    if (!isKnown) throw new CliError(exit, "no command was started meanwhile");
    if (verdict.outcome === "timed_out") tell(`timed_out: command ${due} still runs`);
    else tellVerdict(verdict);
    return { index: due, exit };
  }
}

function runs(record: CommandRecord): boolean {
  return record.flags.includes("running");
}

/** Whether nothing was started that the shell has only not announced yet. */
async function isAtPrompt(api: ApiClient, id: string): Promise<boolean> {
  const { phase } = await api.getSession({ params: { id } });
  return phase === "idle" || phase === "exited";
}

/** A shell that told no status must not be taken for success. */
function statusCode(record: CommandRecord): number {
  if (record.flags.includes("running")) return exitCodes.timedOut;
  if (record.exit_code !== undefined) return record.exit_code;
  tell("the shell told no status");
  return exitCodes.failed;
}
