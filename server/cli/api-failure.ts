// A failed call of the API as the CLI tells it: the server's sentence and hint, and the exit code of CL1.
import type { ApiClient } from "#lib/client/api-client.ts";
import { ApiError } from "#lib/client/api-error.ts";
import type { Problem } from "#lib/protocol/errors.ts";
import { CliError, exitCodes } from "./exit.ts";
import { exitCodeOf } from "./refusal-exit.ts";
import { plain } from "./terminal-output.ts";

/** The hints of these name calls of the API; at a command line other words help. */
const hints: Partial<Record<Problem["code"], string>> = {
  SESSION_NOT_FOUND: "List the sessions with `cotty ls`.",
  COMMAND_NOT_FOUND: "List the commands with `cotty journal ID`; older ones have left it.",
  UNAUTHENTICATED:
    "Check COTTY_TOKEN; make a token there with `cotty token create --role owner --name NAME`.",
  FORBIDDEN: "Use a token whose role allows this, or ask its owner.",
  HOST_NOT_ALLOWED: "Use the address that `cotty start` printed, or start it with --allow-host.",
  LEASE_DENIED: "Wait for it with `cotty wait ID --keyboard`; do not type meanwhile.",
  DRAFT_PENDING: "Wait, ask the person, or say --if-draft clear or --if-draft keep.",
  HUMAN_REQUIRED: "Do not ask for the password; wait with `cotty wait ID --through-credential`.",
  UNKNOWN_KEY: "List the names with `cotty keys`, or send it as text with -l.",
  LINE_TOO_LONG: "Send shorter lines, or put the text into a file and type its name.",
  BAD_PROFILE: "Use one of the names in the message.",
  HOST_LOST: "Start it again with `cotty start`.",
  INPUT_BACKLOG: "Wait for the program to read, or interrupt it with `cotty send ID C-c`.",
  TOO_MANY_SESSIONS: "End one with `cotty kill ID`, or start cotty with a higher --max-sessions.",
};

export function cliError(error: ApiError, where: string): CliError {
  const { failure } = error;
  switch (failure.kind) {
    case "refused":
      return refusal(failure.problem);
    case "unreachable":
      return new CliError(
        exitCodes.unreachable,
        `cotty at ${where} does not answer: ${plain(failure.detail)}`,
        "Start it with `cotty start`, or check --url and COTTY_URL.",
      );
    case "unreadable":
      return new CliError(
        exitCodes.failed,
        plain(failure.detail),
        "Use the same version of cotty here and there.",
      );
  }
}

function refusal(problem: Problem): CliError {
  const fields = problem.errors?.map(({ path, message }) => `${path} ${message}`) ?? [];
  const detail = [problem.detail, ...fields.filter((field) => !problem.detail.includes(field))];
  return new CliError(
    exitCodeOf(problem.code),
    plain(`${detail.join("; ")} (${problem.code})`),
    plain(hints[problem.code] ?? problem.hint),
  );
}

/** The same client, whose refusals are CliErrors. */
export function unlessRefused(api: ApiClient, where: string): ApiClient {
  const calls = Object.entries(api).map(([name, call]) => {
    const told = async (input: never) => {
      try {
        return await (call as (input: never) => Promise<unknown>)(input);
      } catch (error) {
        throw error instanceof ApiError ? cliError(error, where) : error;
      }
    };
    return [name, told];
  });
  return Object.fromEntries(calls) as ApiClient;
}
