// `cotty completion bash | zsh | fish`: scripts made from the tree of commands, so that they cannot know other flags than it does. Sessions are asked
// for at each Tab (`cotty completion sessions`).
import { Argument, type Command, InvalidArgumentError } from "commander";
import { withExamples } from "./examples.ts";
import { remoteOf, withServer } from "./remote.ts";
import { sessionHelp } from "./session-argument.ts";
import { data, plain } from "./terminal-output.ts";

/** One command as completion knows it. */
interface Known {
  /** Words after `cotty`. */
  readonly path: readonly string[];
  readonly summary: string;
  readonly subcommands: readonly string[];
  readonly flags: readonly {
    long: string;
    short?: string;
    does: string;
    choices: readonly string[];
  }[];
  /** Fixed words for its arguments. */
  readonly words: readonly string[];
  readonly takesSession: boolean;
}

const shells = { bash, zsh, fish } as const;

export function completionCommand(parent: Command): void {
  const command = parent
    .command("completion")
    .summary("print a completion script for your shell")
    // The words that completion offers; what is taken is parseShell's to say.
    .addArgument(new Argument("<SHELL>").choices(Object.keys(shells)).argParser(parseShell));
  withExamples(command, [
    ['eval "$(cotty completion bash)"', "in ~/.bashrc"],
    ['eval "$(cotty completion zsh)"', "in ~/.zshrc, after compinit"],
    ["cotty completion fish > ~/.config/fish/completions/cotty.fish", ""],
  ]);
  withServer(command).action(async (shell: keyof typeof shells | "sessions") => {
    if (shell === "sessions") await printSessions(command);
    else data(shells[shell](tree(parent)));
  });
}

/** `sessions` is what the scripts ask for, and no shell: not named where a person reads. */
function parseShell(word: string): string {
  if (word === "sessions" || Object.hasOwn(shells, word)) return word;
  throw new InvalidArgumentError("Give bash, zsh or fish.");
}

/** `ID:NAME` per line; nothing at all when nobody answers: a Tab is no place for errors. */
async function printSessions(command: Command): Promise<void> {
  try {
    const { sessions } = await remoteOf(command).api.listSessions();
    for (const one of sessions) {
      const name = "name" in one ? plain(one.name).replace(/[:\\]/g, " ") : "";
      data(`${one.id}:${name}`);
    }
  } catch {
    // Not running, or not for us.
  }
}

function tree(program: Command, path: readonly string[] = []): Known[] {
  return program.commands.flatMap((command) => {
    const own = [...path, command.name()];
    const help = command.createHelp();
    const flags = help
      .visibleOptions(command)
      .filter(({ long }) => long)
      .map((option) => ({
        long: option.long as string,
        ...(option.short ? { short: option.short } : {}),
        does: option.description,
        choices: option.argChoices ?? [],
      }));
    const takesSession = command.registeredArguments.some(({ description }) =>
      description.includes(sessionHelp),
    );
    const words = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
    const subcommands = help
      .visibleCommands(command)
      .map((child) => child.name())
      .filter((name) => name !== "help");
    const summary = command.summary() || command.description();
    return [
      {
        path: own,
        summary,
        subcommands,
        flags,
        words: words.filter((word) => word !== "sessions"),
        takesSession,
      },
      ...tree(command, own),
    ];
  });
}

function bash(known: readonly Known[]): string {
  const cases = known.map(({ path, subcommands, flags, words, takesSession }) => {
    const all = [...subcommands, ...words].join(" ");
    const given = flags.flatMap(({ long, short }) => (short ? [long, short] : [long])).join(" ");
    return `    "${path.join(" ")}") words="${all}"; flags="${given}"; sessions=${takesSession ? 1 : 0} ;;`;
  });
  const top = known.filter(({ path }) => path.length === 1).map(({ path }) => path[0]);
  const parents = known
    .filter(({ subcommands }) => subcommands.length > 0)
    .map(({ path }) => path[0]);
  return `# bash completion for cotty: eval "$(cotty completion bash)"
_cotty() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" path="\${COMP_WORDS[1]}" words="" flags="" sessions=0
  if (( COMP_CWORD == 1 )); then
    COMPREPLY=($(compgen -W "${top.join(" ")} --help --version" -- "$cur"))
    return
  fi
  case " ${parents.join(" ")} " in
    *" $path "*) (( COMP_CWORD > 2 )) && path="$path \${COMP_WORDS[2]}" ;;
  esac
  case "$path" in
${cases.join("\n")}
  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$flags --help" -- "$cur"))
    return
  fi
  (( sessions )) && words="$words $(cotty completion sessions 2>/dev/null | cut -d: -f1)"
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  [[ \${#COMPREPLY[@]} -eq 0 ]] && COMPREPLY=($(compgen -f -- "$cur"))
}
complete -F _cotty cotty`;
}

function zsh(known: readonly Known[]): string {
  const described = (word: string, does: string) => quoted(`${word.replace(/:/g, "\\:")}:${does}`);
  const top = known.filter(({ path }) => path.length === 1);
  const commands = top.map(({ path, summary }) => described(path[0] as string, summary)).join(" ");
  const parents = top
    .filter(({ subcommands }) => subcommands.length > 0)
    .map(({ path }) => path[0]);
  const cases = known.map(({ path, subcommands, flags, words, takesSession }) => {
    const given = flags.map(({ long, does }) => described(long, does)).join(" ");
    const all = [...subcommands, ...words].map(quoted).join(" ");
    return `    ${quoted(path.join(" "))}) flags=(${given}); words_=(${all}); sessions=${takesSession ? 1 : 0} ;;`;
  });
  return `#compdef cotty
# zsh completion for cotty: eval "$(cotty completion zsh)"
_cotty() {
  local -a commands flags words_ ids
  local path_="$words[2]" sessions=0
  if (( CURRENT == 2 )); then
    commands=(${commands})
    _describe command commands
    return
  fi
  if [[ " ${parents.join(" ")} " == *" $path_ "* ]] && (( CURRENT > 3 )); then
    path_="$path_ $words[3]"
  fi
  case "$path_" in
${cases.join("\n")}
  esac
  if [[ "$PREFIX" == -* ]]; then
    _describe -o option flags
    return
  fi
  if (( sessions )); then
    ids=(\${(f)"$(cotty completion sessions 2>/dev/null)"})
    (( $#ids )) && _describe session ids
  fi
  (( $#words_ )) && compadd -a words_
  (( $#words_ || sessions )) || _files
}
if [[ "$funcstack[1]" == "_cotty" ]]; then _cotty "$@"; else compdef _cotty cotty; fi`;
}

function fish(known: readonly Known[]): string {
  const lines = known.flatMap(({ path, summary, flags, words, takesSession }) => {
    const [first = "", second] = path;
    const under =
      second === undefined ? "__fish_use_subcommand" : `__fish_seen_subcommand_from ${first}`;
    const within = path.map((word) => `__fish_seen_subcommand_from ${word}`).join("; and ");
    const at = (condition: string, rest: string) =>
      `complete -c cotty -n ${quoted(condition)} ${rest}`;
    return [
      at(under, `-f -a ${quoted(path.at(-1) ?? "")} -d ${quoted(summary)}`),
      ...flags.map(({ long, short, does, choices }) => {
        const short_ = short ? ` -s ${short.slice(1)}` : "";
        const values = choices.length > 0 ? ` -x -a ${quoted(choices.join(" "))}` : "";
        return at(within, `-l ${long.slice(2)}${short_}${values} -d ${quoted(does)}`);
      }),
      ...(words.length > 0 ? [at(within, `-f -a ${quoted(words.join(" "))}`)] : []),
      ...(takesSession
        ? [at(within, `-f -a "(cotty completion sessions 2>/dev/null | string replace : \\t)"`)]
        : []),
    ];
  });
  return `# fish completion for cotty\n${lines.join("\n")}`;
}

/** For all three shells: nothing inside single quotes means anything but a single quote. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
