// `cotty wait`: waits until something is true of a session, or of one of several (WT1-WT7).
import { type Command, Option } from "commander";
import { phaseSchema } from "#lib/protocol/session.ts";
import type { Verdict, WaitCondition } from "#lib/protocol/wait.ts";
import { parseSpan, repeatable } from "./arguments.ts";
import { withExamples } from "./examples.ts";
import { CliError, exitCodes } from "./exit.ts";
import { remoteOf, withServer } from "./remote.ts";
import { sessionHelp, sessionIdOf } from "./session-argument.ts";
import { data } from "./terminal-output.ts";
import { exitOfVerdict, tellVerdict } from "./verdict.ts";

interface Wishes {
  text?: string[];
  regex?: string[];
  commandDone?: true;
  prompt?: true;
  phase?: string[];
  quiet?: number;
  stable?: number;
  exit?: true;
  keyboard?: true;
  timeout?: number;
  since?: string;
  tag?: string;
  throughCredential?: true;
  generation?: string;
  json?: true;
}

export function waitCommand(parent: Command): void {
  const command = parent
    .command("wait")
    .summary("wait for text, a command, a prompt, …")
    .description(
      "Wait until any of the conditions is true; prints the outcome. Without conditions: until the command is done, input is wanted, or nothing moves any more. Text and patterns are looked for in what is printed from now on. Exits with 0, 124 when the time is up, 5 or 6 when a person is in the way, 1 when the program ended instead.",
    )
    .argument("[ID...]", sessionHelp)
    .optionsGroup("Conditions:")
    .option("--text <TEXT>", "this is printed (repeatable)", repeatable)
    .option("--regex <PATTERN>", "something like this is printed (repeatable)", repeatable)
    .option("--command-done", "the command that runs, or the next one, has ended")
    .option("--prompt", "the shell shows a prompt")
    .addOption(
      new Option("--phase <PHASE>", `one of ${phaseSchema.options.join(", ")}`)
        .argParser(parsePhase)
        .helpGroup("Conditions:"),
    )
    .option("--quiet <TIME>", "nothing was printed for so long", parseSpan)
    .option("--stable <TIME>", "the screen looked the same for so long", parseSpan)
    .option("--exit", "the program has ended")
    .option("--keyboard", "no person has the keyboard")
    .optionsGroup("Options:")
    .option("--timeout <TIME>", "give up after so long (default: 30)", parseSpan)
    .option("--since <CURSOR>", "also count what was printed after it: SEQ:COL, start")
    .option("--tag <TAG>", "over all sessions with this tag")
    .option("--through-credential", "stay while a person answers a password prompt")
    .option("--generation <TOKEN>", "of the last answer: do not tell the same again")
    .option("--json", "the verdict as JSON");
  withExamples(command, [
    ["cotty wait ID", "until there is something to look at"],
    ["cotty wait ID --text 'listening on' --timeout 60", ""],
    ["cotty wait ID --regex 'error|warn' --command-done", ""],
    ["cotty wait ID --exit --timeout 1h", ""],
    ["cotty wait --tag build --command-done", "the first of many"],
  ]);
  withServer(command).action(async (wanted: string[]) => {
    const wishes = command.opts<Wishes>();
    const { api } = remoteOf(command);
    const conditions = conditionsOf(wishes);
    const body = {
      ...(conditions.length > 0 ? { for: conditions } : {}),
      ...(wishes.timeout === undefined ? {} : { timeout_ms: wishes.timeout }),
      ...(wishes.throughCredential ? { through_credential: true } : {}),
    };
    const ids: string[] = [];
    for (const one of wanted) ids.push(await sessionIdOf(api, one));
    const [only] = ids;
    const isMany = ids.length > 1 || wishes.tag !== undefined || wishes.generation !== undefined;
    if (!isMany) {
      if (only === undefined)
        throw new CliError(exitCodes.usage, "no session is named", "Give an id, a name or --tag.");
      const since = wishes.since === undefined ? {} : { since: wishes.since };
      const verdict = await api.waitSession({ params: { id: only }, body: { ...body, ...since } });
      if (wishes.json) data(JSON.stringify(verdict));
      else {
        data(verdict.outcome);
        tellVerdict(verdict);
      }
      process.exitCode = exitOf(verdict, conditions);
      return;
    }
    if (wishes.since !== undefined)
      throw new CliError(exitCodes.usage, "--since belongs to one session");
    const reply = await api.waitMany({
      body: {
        ...body,
        ...(ids.length > 0 ? { sessions: ids } : {}),
        ...(wishes.tag === undefined ? {} : { tag: wishes.tag }),
        ...(wishes.generation === undefined ? {} : { generation: wishes.generation }),
      },
    });
    if (wishes.json) data(JSON.stringify(reply));
    else {
      data(reply.verdict ? `${reply.session} ${reply.verdict.outcome}` : "timed_out");
      if (reply.verdict) tellVerdict(reply.verdict);
    }
    process.exitCode = reply.verdict ? exitOf(reply.verdict, conditions) : exitCodes.timedOut;
  });
}

function parsePhase(written: string, before: string[] | undefined): string[] {
  const phase = written.replace("-", "_");
  if (!phaseSchema.safeParse(phase).success)
    throw new CliError(
      exitCodes.usage,
      `there is no phase ${JSON.stringify(written)}`,
      `Use one of ${phaseSchema.options.join(", ")}.`,
    );
  return [...(before ?? []), phase];
}

function exitOf(verdict: Verdict, conditions: readonly WaitCondition[]): number {
  const isEndAsked =
    conditions.length === 0 ||
    conditions.some(
      (one) => "exit" in one || "command_done" in one || ("phase" in one && one.phase === "exited"),
    );
  return exitOfVerdict(verdict, isEndAsked);
}

function conditionsOf(wishes: Wishes): WaitCondition[] {
  return [
    ...(wishes.text ?? []).map((text) => ({ text })),
    ...(wishes.regex ?? []).map((regex) => ({ regex })),
    ...(wishes.commandDone ? [{ command_done: true as const }] : []),
    ...(wishes.prompt ? [{ prompt: true as const }] : []),
    ...(wishes.phase ?? []).map((phase) => ({ phase: phaseSchema.parse(phase) })),
    ...(wishes.quiet === undefined ? [] : [{ quiet_ms: wishes.quiet }]),
    ...(wishes.stable === undefined ? [] : [{ screen_stable_ms: wishes.stable }]),
    ...(wishes.exit ? [{ exit: true as const }] : []),
    ...(wishes.keyboard ? [{ keyboard: true as const }] : []),
  ];
}
