// `cotty attach`: a session on this terminal (CL2).
import type { Command } from "commander";
import { InvalidArgumentError } from "commander";
import type { SessionInfo } from "#lib/protocol/session.ts";
import { encodeKey } from "#lib/terminal/keys.ts";
import { withExamples } from "./examples.ts";
import { CliError, exitCodeOfEnd, exitCodes } from "./exit.ts";
import type { Ending, RawAttachOptions } from "./raw-attach/raw-attach.ts";
import { type Remote, remoteOf, withServer } from "./remote.ts";
import { sessionArgument, sessionHelp, sessionIdOf } from "./session-argument.ts";
import { plain, tell } from "./terminal-output.ts";

export interface DetachKey {
  byte: number | null;
  name: string;
}

export const defaultDetachKey: DetachKey = { byte: 0x1d, name: "C-]" };

export function attachCommand(parent: Command): void {
  const command = parent
    .command("attach")
    .summary("show a session on this terminal, live")
    .description(
      "Show a session on this terminal, live. Without --write nothing is typed into it, and Ctrl-C leaves. C-] detaches; the session goes on. When it ends, so does this, with its exit status. A terminal of another size sees it drawn in its corner.",
    )
    .argument(sessionArgument, sessionHelp)
    .option("-w, --write", "what you type goes to the session")
    .option("-r, --resize", "the session takes the size of this terminal")
    .option("--stream", "its raw output, whatever the sizes")
    .option("--detach-key <KEY>", "such as C-q, or none (default: C-])", parseDetachKey);
  withExamples(command, [
    ["cotty attach ID", "look"],
    ["cotty attach ID --write", "look and type"],
    ["cotty attach -w --resize ID", "at the size of this terminal"],
    ["cotty attach ID --detach-key C-q", ""],
  ]);
  withServer(command).action(async (wanted: string) => {
    const { write, resize, stream, detachKey } = command.opts<{
      write?: true;
      resize?: true;
      stream?: true;
      detachKey?: DetachKey;
    }>();
    if (!process.stdout.isTTY)
      throw new CliError(
        exitCodes.usage,
        "attach draws on a terminal, and this is none",
        "Use `cotty screen ID`, `cotty history ID` or `cotty events ID`.",
      );
    const remote = remoteOf(command);
    const id = await sessionIdOf(remote.api, wanted);
    if (id === process.env.COTTY_SESSION)
      throw new CliError(
        exitCodes.usage,
        "this is the terminal that you are in",
        "Attach from another one.",
      );
    const session = await remote.api.getSession({ params: { id } });
    await attachHere(remote, session, {
      isReadOnly: write !== true,
      isLeading: resize === true,
      isStream: stream === true,
      detachByte: (detachKey ?? defaultDetachKey).byte,
      detachName: (detachKey ?? defaultDetachKey).name,
    });
  });
}

/** "C-q", "^q", "none". */
export function parseDetachKey(written: string): DetachKey {
  if (written === "none") return { byte: null, name: "nothing" };
  const name = written.replace(/^\^(?=.$)/, "C-");
  const bytes = encodeKey(name, { appCursorKeys: false, appKeypad: false });
  const byte = bytes?.length === 1 ? bytes[0] : undefined;
  if (byte === undefined || byte >= 0x20 || [0x0d, 0x1b].includes(byte))
    throw new InvalidArgumentError("Give a key with Ctrl, such as C-], C-q or C-\\, or none.");
  return { byte, name };
}

/** Attaches, and sets the exit code; what is to be said is said once the terminal is the person's again. */
export async function attachHere(
  remote: Remote,
  session: SessionInfo,
  options: RawAttachOptions,
  isRemovedAtEnd = false,
): Promise<void> {
  // `run --wait` and help do without it.
  const { RawAttach } = await import("./raw-attach/raw-attach.ts");
  const ending = await new RawAttach(remote, session, options).run();
  process.exitCode = conclude(ending, session);
  if (isRemovedAtEnd && ending.kind === "exited")
    await remote.api.closeSession({ params: { id: session.id } });
  // What is still open, a connection that is being made for example, must not keep the person waiting.
  process.stdout.write("", () => process.exit());
}

function conclude(ending: Ending, session: SessionInfo): number {
  const name = plain(session.name);
  switch (ending.kind) {
    case "detached":
      tell(`[detached from ${name}]`);
      return exitCodes.ok;
    case "interrupted":
      tell(`[detached from ${name}]`);
      return exitCodes.interrupted;
    case "exited": {
      const how = ending.signal ?? `status ${ending.exit_code}`;
      tell(`[${name} ended: ${how}]`);
      return exitCodeOfEnd(ending);
    }
    case "closed":
      tell(`[${name} was closed]`);
      return exitCodes.notFound;
    case "refused":
      tell(`[the server ended the connection to ${name} (${ending.closeCode})]`);
      return ending.closeCode === 4403 ? exitCodes.lease : exitCodes.auth;
    case "failed":
      throw ending.error;
    case "lost":
      tell(`[the connection to ${name} is lost]`);
      tell("See `cotty doctor`; start cotty again with `cotty start`.");
      return exitCodes.unreachable;
    case "input_closed":
      tell(`[detached from ${name}: standard input was closed]`);
      return exitCodes.ok;
    case "signal":
      tell(`[detached from ${name}]`);
      return ending.exitCode;
  }
}
