// `cotty run`: a command in a session that everybody sees, attached to from here; or, with --wait, its output and its status (CL4).
import type { Command } from "commander";
import { sleep, systemClock } from "#lib/base/clock.ts";
import type { SessionInfo } from "#lib/protocol/session.ts";
import { parseSpan } from "./arguments.ts";
import { attachHere, type DetachKey, defaultDetachKey, parseDetachKey } from "./attach.ts";
import { withExamples } from "./examples.ts";
import { exitCodeOfEnd, exitCodes } from "./exit.ts";
import { bodyOf, type NewWishes, withNewSession } from "./new.ts";
import { type Remote, remoteOf, withServer } from "./remote.ts";
import { data, plain, tell } from "./terminal-output.ts";

interface Wishes extends NewWishes {
  wait?: number | true;
  rm?: true;
  detachKey?: DetachKey;
  json?: true;
}

export function runCommand(parent: Command): void {
  const command = parent
    .command("run")
    .summary("run a command in a session that everybody sees")
    .description(
      "Run a command in a new session that everybody sees, and attach to it; exits with its status. With --wait, or without a terminal here: prints its output as text instead.",
    )
    .argument("<COMMAND...>", "program and arguments, after --")
    .option("--wait [SECONDS]", "print the output; give up after so long (124)", parseSpan)
    .option("--rm", "remove the session when the command has ended")
    .option("--detach-key <KEY>", "such as C-q, or none (default: C-])", parseDetachKey)
    .option("--json", "with --wait: session, status and output as JSON");
  withNewSession(command);
  withExamples(command, [
    ["cotty run -- make test", "attached; C-] leaves it running"],
    ["cotty run --wait -- make test", "its output, its status"],
    ["cotty run --wait 600 --rm -- npm ci", "at most ten minutes"],
  ]);
  withServer(command).action(async (words: string[]) => {
    const wishes = command.opts<Wishes>();
    const remote = remoteOf(command);
    const isHere = process.stdout.isTTY && process.stdin.isTTY;
    const isWaiting = wishes.wait !== undefined || !isHere;
    const size = isWaiting
      ? undefined
      : { cols: process.stdout.columns || 80, rows: process.stdout.rows || 24 };
    const body = bodyOf(remote, words, { ...wishes, ...(size ? { size } : {}) });
    const session = await remote.api.createSession({ body });
    const key = wishes.detachKey ?? defaultDetachKey;
    if (isWaiting) {
      await follow(remote, session, wishes);
      return;
    }
    await attachHere(
      remote,
      session,
      {
        isReadOnly: false,
        isLeading: true,
        isStream: false,
        detachByte: key.byte,
        detachName: key.name,
      },
      wishes.rm === true,
    );
  });
}

/** How long a look for new output may take to come. */
const pollMs = 250;

/** Prints what comes as it comes, until the program has ended or the time is up. */
async function follow(remote: Remote, session: SessionInfo, wishes: Wishes): Promise<void> {
  const { api } = remote;
  const params = { id: session.id };
  const until =
    typeof wishes.wait === "number"
      ? systemClock.monotonic() + wishes.wait
      : Number.POSITIVE_INFINITY;
  tell(`[${plain(session.name)} runs as ${session.id}]`);
  const stopAsking = interruptible(remote, session.id);
  const parts: string[] = [];
  const say = (text: string) => {
    if (wishes.json) parts.push(text);
    else process.stdout.write(text);
  };
  let cursor = "start";
  let isAtLineStart = true;
  const readOn = async () => {
    for (;;) {
      const reply = await api.readOutput({ params, query: { since: cursor } });
      // The program went back over what it had printed (a progress line): that is told again, on a line of its own.
      const wentBack = cursor !== "start" && reply.start !== cursor && !reply.evicted;
      if (reply.evicted) tell("[some lines are gone: they came faster than they were read]");
      if (reply.text !== "") {
        if (wentBack && !isAtLineStart) say("\n");
        say(reply.text);
        isAtLineStart = reply.text.endsWith("\n");
      }
      cursor = reply.next;
      if (!reply.truncated) return;
    }
  };
  for (;;) {
    const left = until - systemClock.monotonic();
    const verdict = await api.waitSession({
      params,
      body: {
        for: [{ exit: true }],
        timeout_ms: Math.round(Math.max(0, Math.min(pollMs, left))),
        through_credential: true,
      },
    });
    await readOn();
    const isEnded = verdict.outcome === "exited";
    if (!isEnded && verdict.outcome === "timed_out" && left > 0) continue;
    if (!isEnded && verdict.outcome !== "timed_out") {
      // An agent's wait ends with what people do; they are given time.
      if (left > 0) {
        await sleep(systemClock, pollMs);
        continue;
      }
    }
    if (!isAtLineStart) say("\n");
    stopAsking();
    const end = await api.getSession({ params });
    if (wishes.json) {
      const { exited, exit_code, signal } = end;
      data(JSON.stringify({ session: end.id, exited, exit_code, signal, output: parts.join("") }));
    }
    if (isEnded) process.exitCode = exitCodeOfEnd(end);
    else {
      tell(`[time is up; it still runs as ${session.id}]`);
      process.exitCode = exitCodes.timedOut;
    }
    if (wishes.rm && isEnded) await api.closeSession({ params });
    return;
  }
}

/** Ctrl-C is the command's, as it would be without us; a second one ends the waiting. */
function interruptible(remote: Remote, id: string): () => void {
  let times = 0;
  const onInterrupt = () => {
    times += 1;
    if (times > 1) process.exit(exitCodes.interrupted);
    void remote.api.signalSession({ params: { id }, body: { signal: "INT" } }).catch(() => {
      // It has ended meanwhile, which is what was wanted.
    });
  };
  process.on("SIGINT", onInterrupt);
  return () => process.off("SIGINT", onInterrupt);
}
