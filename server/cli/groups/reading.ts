// The commands under "Waiting and reading back:" in the help, loaded together: one file each would take longer to find than to read.
import { capsuleCommand } from "../capsule.ts";
import { eventsCommand } from "../events.ts";
import { explainCommand } from "../explain.ts";
import { historyCommand } from "../history.ts";
import { journalCommand } from "../journal.ts";
import { outputCommand } from "../output.ts";
import { waitCommand } from "../wait.ts";

export const reading = {
  wait: waitCommand,
  journal: journalCommand,
  output: outputCommand,
  history: historyCommand,
  explain: explainCommand,
  events: eventsCommand,
  capsule: capsuleCommand,
};
