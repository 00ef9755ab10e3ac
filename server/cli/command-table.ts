// Which command is where, known without loading one: a group of them is loaded when one of it is run, and all of them when they are listed.
import type { Command } from "commander";

/** `isBare`: `cotty` was called without a word that could be a command. */
type AddCommand = (parent: Command, isBare: boolean) => void;

interface Group<Name extends string = string> {
  readonly heading: string;
  /** In the order of the help. */
  readonly names: readonly Name[];
  load(): Promise<Readonly<Record<Name, AddCommand>>>;
}

function group<Name extends string>(
  heading: string,
  names: readonly Name[],
  load: () => Promise<Readonly<Record<NoInfer<Name>, AddCommand>>>,
): Group {
  return { heading, names, load };
}

export const groups: readonly Group[] = [
  group(
    "Sessions:",
    ["new", "run", "ls", "attach", "tui", "kill", "signal"],
    async () => (await import("./groups/sessions.ts")).sessions,
  ),
  group(
    "Typing and looking:",
    ["send", "keys", "mouse", "resize", "screen"],
    async () => (await import("./groups/looking.ts")).looking,
  ),
  group(
    "Waiting and reading back:",
    ["wait", "journal", "output", "history", "explain", "events", "capsule"],
    async () => (await import("./groups/reading.ts")).reading,
  ),
  group(
    "Sharing:",
    ["lease", "access", "token", "audit", "mcp"],
    async () => (await import("./groups/sharing.ts")).sharing,
  ),
  group(
    "The server:",
    ["start", "stop", "open", "host", "doctor", "completion"],
    async () => (await import("./groups/serving.ts")).serving,
  ),
];

/** The one command that `words` (without `cotty` itself) can only mean; undefined: all may be listed. */
export function meantCommand(words: readonly string[]): string | undefined {
  const [first] = words;
  if (first === undefined) return "start";
  // Flags in front are those of a bare `cotty`, unless they ask for the list or end the flags.
  if (first.startsWith("-"))
    return words.some((word) => ["-h", "--help", "--"].includes(word)) ? undefined : "start";
  // The scripts that it prints name all commands; what they ask for at each Tab does not.
  if (first === "completion" && words[1] !== "sessions") return undefined;
  return groups.some(({ names }) => names.includes(first)) ? first : undefined;
}
