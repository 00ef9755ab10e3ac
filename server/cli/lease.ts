// `cotty lease`: who has a session's keyboard, and for people taking it and giving it back (LS6).
import { Argument, type Command } from "commander";
import type { Lease, LeaseAction, Politeness } from "#lib/protocol/lease.ts";
import { withExamples } from "./examples.ts";
import { decidesForPeople, isUnknownHand, refusedInside } from "./inside.ts";
import { remoteOf, withServer } from "./remote.ts";
import { sessionArgument, sessionHelp, sessionIdOf } from "./session-argument.ts";
import { data, plain } from "./terminal-output.ts";

const actions: Readonly<Record<string, LeaseAction["action"] | null>> = {
  show: null,
  take: "take_over",
  hold: "hold",
  back: "hand_back",
  clear: "clear_line",
  ask: "ask",
  dismiss: "dismiss",
  secret: "treat_as_secret",
  "not-secret": "not_a_password",
};

export function leaseCommand(parent: Command): void {
  const command = parent
    .command("lease")
    .summary("show, take or give back the keyboard")
    .description(
      "Show who may type, or change it (people only): take the keyboard until it is given back, hold one that typing took, give it back, ask another person for it, clear the unsent line, dismiss an agent's call, or correct the detection of passwords.",
    )
    .argument(sessionArgument, sessionHelp)
    .addArgument(
      new Argument("[ACTION]", "what to do").choices(Object.keys(actions)).default("show"),
    )
    .option("--json", "as JSON");
  withExamples(command, [
    ["cotty lease ID", "who has it, why, until when"],
    ["cotty lease ID take", "agents wait until you give it back"],
    ["cotty lease ID back", "to the agents"],
  ]);
  withServer(command).action(async (wanted: string, word: string) => {
    const remote = remoteOf(command);
    const { api } = remote;
    const action = actions[word] ?? null;
    if (action !== null && decidesForPeople[action] && isUnknownHand(remote))
      throw refusedInside(`\`lease ${word}\``);
    const params = { id: await sessionIdOf(api, wanted) };
    const lease =
      action === null
        ? await api.readLease({ params })
        : await api.changeLease({ params, body: { action } });
    data(command.opts().json ? JSON.stringify(lease) : inWords(lease));
  });
}

/** What another person's keys do. */
const othersKeys: Readonly<Record<Politeness, string>> = {
  polite: "",
  immediate: "; another person's first key takes it",
  ask: "; another person's keys do not take it: ask, or take",
};

function inWords(lease: Lease): string {
  const who =
    lease.holder === "agent"
      ? "agents may type"
      : `${lease.actor ? plain(lease.actor) : "a person"} has the keyboard (${lease.cause})`;
  const until =
    lease.remaining_ms === null ? "" : `, for ${(lease.remaining_ms / 1_000).toFixed(1)} s more`;
  const draft = lease.draft ? "; unsent text is on the line" : "";
  const keys = lease.politeness === null ? "" : othersKeys[lease.politeness];
  return who + until + draft + keys;
}
