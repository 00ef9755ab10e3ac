// What a person did with the keyboard, as a model reads it: a line of ours before what programs print.
import type { Handover } from "#lib/protocol/lease.ts";

export function handoverText(handover: Handover | undefined): string[] {
  if (!handover) return [];
  const { since, until, by, commands, cwd_from, cwd_to, lines_of_output, open_program } = handover;
  const ran = (commands ?? [])
    .map(({ command, exit_code }) => `${command ?? "?"} (${exit_code ?? "no exit code"})`)
    .join("; ");
  const parts = [
    commands === null ? "this shell announces no commands" : `ran ${ran || "nothing"}`,
    ...(cwd_from === cwd_to ? [] : [`moved from ${cwd_from} to ${cwd_to}`]),
    `${lines_of_output} ${lines_of_output === 1 ? "line" : "lines"} of output`,
    ...(open_program === null ? [] : [`${open_program} is open`]),
  ];
  return [`handover: ${by.join(", ")} had the keyboard ${since} to ${until}: ${parts.join(", ")}`];
}
