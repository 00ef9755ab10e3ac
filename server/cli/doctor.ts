// `cotty doctor`: what this machine and this state directory look like, one line each, with what to do where something is wrong.
import type { Command } from "commander";
import type { Finding } from "./examination.ts";
import { withExamples } from "./examples.ts";
import { exitCodes } from "./exit.ts";
import { configOf, withSettings } from "./options.ts";
import { data, paint, plain } from "./terminal-output.ts";

const width = 80;
const indent = 18;

export function doctorCommand(parent: Command): void {
  const command = parent
    .command("doctor")
    .summary("look for problems on this machine")
    .description(
      "Look for problems: versions, terminals, permissions, ports, tokens, the running processes, shell integration. Exits with 1 when something is bad.",
    )
    .option("--json", "as JSON");
  withExamples(command, [
    ["cotty doctor", ""],
    ["cotty doctor --json | jq '.findings[] | select(.level != \"ok\")'", ""],
  ]);
  withSettings(command, ["stateDir", "port", "noShellIntegration"]).action(async () => {
    const config = configOf(command);
    const { examine } = await import("./examination.ts");
    const findings = await examine(config);
    if (command.opts().json) data(JSON.stringify({ findings }));
    else for (const finding of findings) data(line(finding));
    if (findings.some((finding) => finding.level === "bad")) process.exitCode = exitCodes.failed;
  });
}

function line({ level, what, says }: Finding): string {
  const mark = {
    ok: paint("green", "ok  ", process.stdout),
    note: paint("yellow", "note", process.stdout),
    bad: paint("red", "bad ", process.stdout),
  }[level];
  return `${mark}  ${what.padEnd(indent - 8)}  ${wrapped(plain(says))}`;
}

/** A sentence over as many lines as it takes, below its own beginning. */
function wrapped(text: string): string {
  const lines: string[] = [];
  let now = "";
  for (const word of text.split(" ")) {
    if (now !== "" && now.length + 1 + word.length > width - indent) {
      lines.push(now);
      now = word;
    } else now = now === "" ? word : `${now} ${word}`;
  }
  return [...lines, now].join(`\n${" ".repeat(indent)}`);
}
