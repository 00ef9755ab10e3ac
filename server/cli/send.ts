// `cotty send`: types keys and text into a session (CL3), and on request waits for what comes of it.
import { text as readAll } from "node:stream/consumers";
import { type Command, Option } from "commander";
import type { InputItem } from "#lib/protocol/input.ts";
import { parseSpan, parseWhole } from "./arguments.ts";
import { withExamples } from "./examples.ts";
import { CliError, exitCodes } from "./exit.ts";
import { remoteOf, withServer } from "./remote.ts";
import { sessionArgument, sessionHelp, sessionIdOf } from "./session-argument.ts";
import { data, print } from "./terminal-output.ts";
import { itemsOf } from "./typing.ts";
import { exitOfVerdict, tellVerdict } from "./verdict.ts";

interface Wishes {
  literal?: true;
  paste?: true;
  stdin?: true;
  wait?: number | true;
  note?: string;
  ifDraft?: "clear" | "keep";
  gap?: number;
  json?: true;
}

export function sendCommand(parent: Command): void {
  const command = parent
    .command("send")
    .summary("type keys and text")
    .description(
      "Type into a session, all of it or nothing. Words that name keys (Enter, C-c, Up) are keys, the rest is text as it stands.",
    )
    .argument(sessionArgument, sessionHelp)
    .argument("[WORD...]", "texts and keys; put -- in front of one that begins with -")
    .option("-l, --literal", "every word is text, none is a key")
    .option("--paste", "texts arrive as a paste, not as typing")
    .option("--stdin", "the text is standard input, typed before the words")
    .option(
      "--wait [SECONDS]",
      "wait until it is done (default: 30) and print what came",
      parseSpan,
    )
    .option("--note <TEXT>", "shown to people, never typed")
    .addOption(
      new Option("--if-draft <WHAT>", "with a person's unsent text on the line").choices([
        "clear",
        "keep",
      ]),
    )
    .option("--gap <MS>", "pause between text and Enter, in milliseconds", parseWhole)
    .option("--json", "the answer as JSON");
  withExamples(command, [
    ["cotty send ID 'echo hi' Enter", "type a line"],
    ["cotty send ID C-c", "interrupt"],
    ["cotty send -l ID Enter", "the word, not the key"],
    ["cotty send ID make Enter --wait 600", "and exit with make's status"],
    ["cotty send ID --paste --stdin < notes.txt", ""],
  ]);
  withServer(command).action(async (wanted: string, words: string[]) => {
    const wishes = command.opts<Wishes>();
    const typed = itemsOf(words, {
      isLiteral: wishes.literal === true,
      isPaste: wishes.paste === true,
    });
    const piped: InputItem[] = wishes.stdin
      ? [{ text: await readAll(process.stdin), ...(wishes.paste ? { paste: true } : {}) }]
      : [];
    const input = [...piped, ...typed];
    if (input.length === 0)
      throw new CliError(exitCodes.usage, "there is nothing to type", "Give texts or keys.");
    const { api } = remoteOf(command);
    const id = await sessionIdOf(api, wanted);
    const body = {
      input,
      ...(wishes.note === undefined ? {} : { note: wishes.note }),
      ...(wishes.ifDraft === undefined ? {} : { if_draft: wishes.ifDraft }),
      ...(wishes.gap === undefined ? {} : { gap_ms: wishes.gap }),
    };
    if (wishes.wait === undefined) {
      const reply = await api.writeInput({ params: { id }, body });
      if (wishes.json) data(JSON.stringify(reply));
      return;
    }
    const wait = wishes.wait === true ? {} : { timeout_ms: wishes.wait };
    const reply = await api.act({ params: { id }, body: { ...body, wait, read: "delta" } });
    if (wishes.json) data(JSON.stringify(reply));
    else {
      print(reply.delta?.text ?? "");
      tellVerdict(reply.wait);
    }
    // What ran has ended, and its own status is the best answer there is.
    process.exitCode = exitOfVerdict(reply.wait) || (reply.wait.exit_code ?? 0);
  });
}
