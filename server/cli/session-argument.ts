// Which session a person means: its id, the beginning of one, or its name, where only one fits.
import type { ApiClient } from "#lib/client/api-client.ts";
import { sessionIdSchema } from "#lib/protocol/ids.ts";
import { isSealed, type ListedSession, type SessionInfo } from "#lib/protocol/session.ts";
import { CliError, exitCodes } from "./exit.ts";
import { nearest } from "./nearest.ts";
import { plain } from "./terminal-output.ts";

export const sessionArgument = "<ID>";
export const sessionHelp = "a session's id, the beginning of one, or its name";

/** Throws CliError: nothing fits (3), or more than one (2). A whole id is taken at its word. */
export async function sessionIdOf(api: ApiClient, wanted: string): Promise<string> {
  if (sessionIdSchema.safeParse(wanted).success) return wanted;
  const { sessions } = await api.listSessions();
  const found = pick(sessions, wanted);
  if (found.length === 1) return (found[0] as ListedSession).id;
  const shown = JSON.stringify(plain(wanted).slice(0, 100));
  if (found.length > 1)
    throw new CliError(
      exitCodes.usage,
      `${found.length} sessions fit ${shown}: ${found.slice(0, 5).map(title).join(", ")}`,
      "Give more of the id.",
    );
  throw new CliError(exitCodes.notFound, `there is no session ${shown}`, hint(sessions, wanted));
}

/** An exact name before an id's beginning, and that before a name's: what is whole was meant. */
export function pick(sessions: readonly ListedSession[], wanted: string): ListedSession[] {
  if (wanted === "") return [];
  const named = sessions.filter((one): one is SessionInfo => !isSealed(one));
  for (const fits of [
    named.filter(({ name }) => name === wanted),
    sessions.filter(({ id }) => id.startsWith(wanted)),
    named.filter(({ name }) => name.toLowerCase().startsWith(wanted.toLowerCase())),
  ])
    if (fits.length > 0) return fits;
  return [];
}

function title(one: ListedSession): string {
  return isSealed(one) ? one.id : `${one.id} (${plain(one.name)})`;
}

function hint(sessions: readonly ListedSession[], wanted: string): string {
  if (sessions.length === 0) return "There are no sessions; open one with `cotty new`.";
  const names = sessions.flatMap((one) =>
    isSealed(one) ? [one.id.slice(0, 8)] : [one.name, one.id.slice(0, 8)],
  );
  const near = nearest(wanted, names);
  return near === undefined
    ? "List the sessions with `cotty ls`."
    : `Did you mean ${plain(near)}? List the sessions with \`cotty ls\`.`;
}
