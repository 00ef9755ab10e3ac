// Inside of a Cotty terminal nobody can tell a person from the agent that types there. What only people may decide about agents is refused there
// when it would be in the name of the person at this machine (AC1). Whoever means to get around it can, as the same user (docs/security.md).
import { type Access, accessSchema, type LeaseAction } from "#lib/protocol/lease.ts";
import { CliError, exitCodes } from "./exit.ts";
import type { Remote } from "./remote.ts";

/** A program of a Cotty terminal, and no token that says who asks. */
export function isUnknownHand(remote: Pick<Remote, "isLocal">): boolean {
  return remote.isLocal && Boolean(process.env.COTTY_SESSION);
}

/** Agents could do more than before. */
export function raises(from: Access, to: Access): boolean {
  // From everything to nothing.
  const levels = accessSchema.options;
  return levels.indexOf(to) < levels.indexOf(from);
}

/** What takes the keyboard from people, gives it to agents, or lets agents see what was covered. The rest asks for less or for somebody. */
export const decidesForPeople: Readonly<Record<LeaseAction["action"], boolean>> = {
  take_over: true,
  hold: true,
  hand_back: true,
  clear_line: true,
  ask: false,
  dismiss: false,
  treat_as_secret: false,
  not_a_password: true,
};

/** `what`: in the words of the command, to be refused. */
export function refusedInside(what: string): CliError {
  return new CliError(
    exitCodes.auth,
    `${what} is for people, and inside of a Cotty terminal an agent may be typing`,
    "Do it in the dashboard or in a terminal that is not Cotty's, or say who you are with COTTY_TOKEN.",
  );
}
