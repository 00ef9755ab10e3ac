#!/usr/bin/env node
// `cotty`: the command line. Puts the commands together and turns every failure into one sentence and an exit code.
import { type Argument, Command, CommanderError } from "commander";
import { accessCommand } from "./cli/access.ts";
import { attachCommand } from "./cli/attach.ts";
import { auditCommand } from "./cli/audit.ts";
import { capsuleCommand } from "./cli/capsule.ts";
import { completionCommand } from "./cli/completion.ts";
import { doctorCommand } from "./cli/doctor.ts";
import { eventsCommand } from "./cli/events.ts";
import { withExamples } from "./cli/examples.ts";
import { CliError, exitCodes } from "./cli/exit.ts";
import { explainCommand } from "./cli/explain.ts";
import { historyCommand } from "./cli/history.ts";
import { hostCommand } from "./cli/host.ts";
import { journalCommand } from "./cli/journal.ts";
import { keysCommand } from "./cli/keys.ts";
import { killCommand } from "./cli/kill.ts";
import { leaseCommand } from "./cli/lease.ts";
import { lsCommand } from "./cli/ls.ts";
import { mcpCommand } from "./cli/mcp.ts";
import { mouseCommand } from "./cli/mouse.ts";
import { newCommand } from "./cli/new.ts";
import { openCommand } from "./cli/open.ts";
import { outputCommand } from "./cli/output.ts";
import { resizeCommand } from "./cli/resize.ts";
import { runCommand } from "./cli/run.ts";
import { screenCommand } from "./cli/screen.ts";
import { sendCommand } from "./cli/send.ts";
import { signalCommand } from "./cli/signal.ts";
import { startCommand } from "./cli/start.ts";
import { stopCommand } from "./cli/stop.ts";
import { paint, tell } from "./cli/terminal-output.ts";
import { tokenCommand } from "./cli/token.ts";
import { tuiCommand } from "./cli/tui.ts";
import { waitCommand } from "./cli/wait.ts";
import { ConfigError } from "./config/config.ts";
import { version } from "./state/version.ts";

const program = new Command("cotty")
  .description("One terminal that people and AI agents share.")
  .version(version, "-V, --version")
  .configureHelp({
    showGlobalOptions: false,
    helpWidth: 80,
    // Without `[options]`, which all of them take: the rest fits into a line.
    subcommandTerm: (command) =>
      [command.name(), ...command.registeredArguments.map(argumentTerm)].join(" "),
  })
  .showHelpAfterError("(see --help)")
  .exitOverride();

withExamples(program, [
  ["cotty", "start the dashboard, or find it"],
  ["cotty new --name build", "open a session"],
  ["cotty send build 'make test' Enter", "type into it"],
  ["cotty output build --wait 60", "what it printed, and its status"],
  ["cotty attach build --write", "here, live; C-] leaves"],
  ["cotty run -- make test", "all of that at once"],
  ["cotty token create --role agent --name ci", "for an agent"],
  ["cotty stop --all", "end everything"],
]);

const groups: Readonly<Record<string, readonly ((parent: Command) => void)[]>> = {
  "Sessions:": [
    newCommand,
    runCommand,
    lsCommand,
    attachCommand,
    tuiCommand,
    killCommand,
    signalCommand,
  ],
  "Typing and looking:": [sendCommand, keysCommand, mouseCommand, resizeCommand, screenCommand],
  "Waiting and reading back:": [
    waitCommand,
    journalCommand,
    outputCommand,
    historyCommand,
    explainCommand,
    eventsCommand,
    capsuleCommand,
  ],
  "Sharing:": [leaseCommand, accessCommand, tokenCommand, auditCommand, mcpCommand],
  "The server:": [stopCommand, openCommand, hostCommand, doctorCommand, completionCommand],
};
const first = process.argv[2];
for (const [heading, commands] of Object.entries(groups)) {
  program.commandsGroup(heading);
  if (heading === "The server:")
    startCommand(program, first === undefined || first.startsWith("-"));
  for (const add of commands) add(program);
}
program.addHelpCommand(
  new Command("help [COMMAND]").summary("the help of one command").helpGroup("The server:"),
);
inheritSettings(program);

function argumentTerm(argument: Argument): string {
  const name = argument.name() + (argument.variadic ? "..." : "");
  return argument.required ? `<${name}>` : `[${name}]`;
}

function inheritSettings(command: Command): void {
  for (const child of command.commands) {
    child.copyInheritedSettings(command);
    inheritSettings(child);
  }
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  const message = error instanceof Error ? error.message : String(error);
  tell(`${paint("red", "cotty:")} ${message}`);
  if (error instanceof CliError && error.hint) tell(error.hint);
  if (error instanceof ConfigError) return exitCodes.usage;
  return error instanceof CliError ? error.exitCode : exitCodes.failed;
}

// A reader that has seen enough (`| head`), or a terminal that was closed, is no failure, and must not end a running server.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE" && error.code !== "EIO") throw error;
  });
}

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
  // What the command had opened before it failed, a listener for example, must not keep it alive.
  process.stderr.write("", () => process.exit());
}
