// The command line: puts the commands together and turns every failure into one sentence and an exit code. Where one command is meant,
// the others are not loaded.
import { type Argument, Command, CommanderError } from "commander";
import { ConfigError } from "#server/config/config-error.ts";
import { version } from "#server/state/version.ts";
import { groups, meantCommand } from "./command-table.ts";
import { withExamples } from "./examples.ts";
import { CliError, exitCodes } from "./exit.ts";
import { nearest } from "./nearest.ts";
import { paint, tell } from "./terminal-output.ts";

/** `words`: the arguments without node and `cotty` itself. */
export async function run(words: readonly string[]): Promise<void> {
  try {
    const program = await programFor(words);
    await program.parseAsync(words, { from: "user" });
  } catch (error) {
    process.exitCode = report(error);
    // What the command had opened before it failed, a listener for example, must not keep it alive.
    process.stderr.write("", () => process.exit());
  }
}

async function programFor(words: readonly string[]): Promise<Command> {
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
  const meant = meantCommand(words);
  // A word that is no command must not be taken for an argument of the default one.
  const isBare = words[0] === undefined || words[0].startsWith("-");
  const wanted = groups.filter(({ names }) => meant === undefined || names.includes(meant));
  const loaded = await Promise.all(wanted.map((group) => group.load()));
  for (const [at, { heading, names }] of wanted.entries()) {
    program.commandsGroup(heading);
    for (const name of names)
      if (meant === undefined || name === meant) loaded[at]?.[name]?.(program, isBare);
  }
  program.addHelpCommand(
    new Command("help")
      .argument("[COMMAND]")
      .helpOption(false)
      .summary("the help of one command")
      .helpGroup("The server:"),
  );
  inheritSettings(program);
  refuseUnknownHelp(program, words);
  return program;
}

/** Commander shows the list then, and does not say why. */
function refuseUnknownHelp(program: Command, [first, asked]: readonly string[]): void {
  if (first !== "help" || asked === undefined || asked === "help") return;
  const names = program.commands.map((command) => command.name());
  if (names.includes(asked) || asked.startsWith("-")) return;
  const near = nearest(asked, names);
  throw new CliError(
    exitCodes.usage,
    `unknown command ${JSON.stringify(asked)}`,
    near === undefined ? "`cotty help` lists them." : `Did you mean ${near}?`,
  );
}

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
