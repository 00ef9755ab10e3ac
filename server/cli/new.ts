// `cotty new`: opens a session and prints its id.
import { resolve } from "node:path";
import type { Command } from "commander";
import type { CreateSession } from "#lib/protocol/session.ts";
import { parseSize, parseVariable, repeatable } from "./arguments.ts";
import { withExamples } from "./examples.ts";
import { type Remote, remoteOf, withServer } from "./remote.ts";
import { data } from "./terminal-output.ts";

export interface NewWishes {
  name?: string;
  size?: { cols: number; rows: number };
  cwd?: string;
  env?: Record<string, string>;
  tag?: string[];
  profile?: string;
  access?: "collaborate" | "observe" | "sealed";
  term?: string;
  shellIntegration: boolean;
}

/** The flags that describe a session to be opened. */
export function withNewSession(command: Command): Command {
  return command
    .option("--name <NAME>", "what people will see")
    .option("--cwd <DIR>", "where it starts (default: here)")
    .option("--env <NAME=VALUE>", "a variable more (repeatable)", parseVariable)
    .option("--tag <TAG>", "to find it by (repeatable)", repeatable)
    .option("--profile <NAME>", "a launch profile of the server")
    .option("--access <LEVEL>", "what agents may do: collaborate, observe, sealed")
    .option("--term <TYPE>", "its TERM (default: xterm-256color)")
    .option("--no-shell-integration", "start a shell without our start-up file");
}

export function newCommand(parent: Command): void {
  const command = parent
    .command("new")
    .summary("open a session; prints its id")
    .description("Open a session and print its id. Without a command: your shell.")
    .argument("[COMMAND...]", "program and arguments; put -- in front of flags of its own")
    .option("--size <COLSxROWS>", "its size (default: 80x24)", parseSize)
    .option("--json", "the whole session as JSON");
  withNewSession(command);
  withExamples(command, [
    ["cotty new", "your shell"],
    ["cotty new bash", "another one"],
    ["cotty new --size 120x40 --cwd ~/src --env FOO=bar htop", ""],
    ["ID=$(cotty new --name build -- make -j4)", ""],
  ]);
  withServer(command).action(async (words: string[]) => {
    const remote = remoteOf(command);
    const wishes = command.opts<NewWishes & { json?: true }>();
    const session = await remote.api.createSession({ body: bodyOf(remote, words, wishes) });
    data(wishes.json ? JSON.stringify(session) : session.id);
  });
}

export function bodyOf(remote: Remote, words: string[], wishes: NewWishes): CreateSession {
  // A server elsewhere has other directories; a profile has its own.
  const here = remote.isLocal && wishes.profile === undefined ? process.cwd() : undefined;
  const cwd = wishes.cwd ?? here;
  return {
    ...(words.length > 0 ? { command: words } : {}),
    ...(wishes.name === undefined ? {} : { name: wishes.name }),
    ...(cwd === undefined ? {} : { cwd: absolute(cwd, remote) }),
    ...(wishes.env ? { env: wishes.env } : {}),
    ...(wishes.tag ? { tags: wishes.tag } : {}),
    ...(wishes.profile === undefined ? {} : { profile: wishes.profile }),
    ...(wishes.access ? { access: wishes.access } : {}),
    ...(wishes.term === undefined ? {} : { term: wishes.term }),
    ...(wishes.size ?? {}),
    ...(wishes.shellIntegration ? {} : { integration: "off" as const }),
  };
}

/** `--cwd src` is meant from here; on another machine there is no here. */
function absolute(path: string, remote: Remote): string {
  return remote.isLocal ? resolve(path) : path;
}
