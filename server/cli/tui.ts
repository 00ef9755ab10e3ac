// `cotty tui`: sessions in this terminal, with an input line (TU1).
import type { Command } from "commander";
import { InvalidArgumentError, Option } from "commander";
import { withExamples } from "./examples.ts";
import { CliError, exitCodes } from "./exit.ts";
import { remoteOf, withServer } from "./remote.ts";
import { sessionHelp, sessionIdOf } from "./session-argument.ts";
import { tell } from "./terminal-output.ts";

interface Address {
  readonly host: string;
  readonly port: number;
}

export function tuiCommand(parent: Command): void {
  const command = parent
    .command("tui")
    .summary("sessions in this terminal, with an input line")
    .description(
      "Show sessions in this terminal: output above, an input line below. PgUp and PgDn scroll, Ctrl-C interrupts (twice where nothing runs leaves), Ctrl-D ends the shell's input, Tab completes in the program, Ctrl-] hands it every key, Ctrl-O lists the sessions, Ctrl-Q leaves. With --addr it speaks to the line service of `cotty start --tcp` and has a terminal of its own.",
    )
    .argument("[ID]", sessionHelp)
    .addOption(
      new Option("--addr <HOST:PORT>", "the line service; the token is in COTTY_TOKEN").argParser(
        parseAddress,
      ),
    );
  withExamples(command, [
    ["cotty tui", "the only one, a new one, a list"],
    ["cotty tui build", "this one"],
    ["COTTY_TOKEN=… cotty tui --addr 127.0.0.1:7071", "over the line service"],
  ]);
  withServer(command).action(async (wanted: string | undefined) => {
    const { addr, token } = command.opts<{ addr?: Address; token?: string }>();
    if (!process.stdout.isTTY || !process.stdin.isTTY)
      throw new CliError(
        exitCodes.usage,
        "the TUI needs a terminal, and this is none",
        "Use `cotty send ID` and `cotty screen ID`.",
      );
    // Ink draws nothing where it believes to be in a CI job; here a terminal is on both ends.
    process.env.CI = "false";
    const { runTui } = await import("#server/cli/tui/main.tsx");
    const isPlain = process.env.NO_COLOR !== undefined && process.env.NO_COLOR !== "";
    const leaving = await runTui({
      target: addr
        ? { kind: "line", address: { ...addr, token: lineToken(token) } }
        : await apiTarget(command, wanted),
      isPlain,
    });
    switch (leaving.kind) {
      case "asked":
        break;
      case "failed":
        throw leaving.error;
      case "over": {
        const { kind, text } = leaving.over;
        tell(`[${text}]`);
        process.exitCode = kind === "refused" ? exitCodes.auth : exitCodes.unreachable;
      }
    }
    // What is still open, a connection that is being made for example, must not keep the person waiting.
    process.stdout.write("", () => process.exit());
  });
}

async function apiTarget(command: Command, wanted: string | undefined) {
  const remote = remoteOf(command);
  if (wanted === undefined) return { kind: "api", remote } as const;
  return { kind: "api", remote, id: await sessionIdOf(remote.api, wanted) } as const;
}

function lineToken(given: string | undefined): string {
  const token = given ?? process.env.COTTY_TOKEN;
  if (token) return token;
  throw new CliError(
    exitCodes.auth,
    "the line service wants a token, and COTTY_TOKEN is not set",
    "Make one with `cotty token create --role owner --name NAME`.",
  );
}

/** "127.0.0.1:7071", "localhost:7071", ":7071", "7071". */
function parseAddress(written: string): Address {
  const match = /^(?:(.*):)?(\d{1,5})$/.exec(written);
  const port = Number(match?.[2]);
  if (!match || port < 1 || port > 65_535)
    throw new InvalidArgumentError("Write HOST:PORT, such as 127.0.0.1:7071.");
  return { host: match[1] || "127.0.0.1", port };
}
