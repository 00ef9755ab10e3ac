// A refused or failed call as its caller reads it: code, what is wrong, what to do. Never a protocol error: those are for broken messages.
import { ApiError } from "#lib/client/api-error.ts";
import { type ErrorCode, type Problem, TermError, toProblem } from "#lib/protocol/errors.ts";

/** Hints of the HTTP API name addresses and headers; who calls tools knows neither. */
export const toolHints: { readonly [Code in ErrorCode]?: string } = {
  BAD_REQUEST: "Correct the arguments named above and call again.",
  BAD_PROFILE: "Use one of the names above, or give a command instead.",
  FORBIDDEN: "Use only the tools that are listed; this credential may look, not act.",
  SESSION_NOT_FOUND: "Call terminal_list and use one of its ids, or open one with terminal_open.",
  SESSION_EXITED:
    "Read its last screen with terminal_snapshot, or open a new one with terminal_open.",
  UNKNOWN_KEY:
    "Use a key name such as Enter, Escape, Up, C-c or F5, or send the characters as text.",
  COMMAND_NOT_FOUND:
    "Call terminal_journal for the commands that are kept; without any, use terminal_output with since.",
  LEASE_DENIED:
    'Call terminal_wait with for [{"keyboard":true}], then look before you type; try nothing else meanwhile.',
  LEASE_LOST: "Call terminal_snapshot before you type: only part of this may have arrived.",
  DRAFT_PENDING:
    'Call terminal_wait with for [{"keyboard":true}]; then terminal_send with if_draft clear or keep.',
  HUMAN_REQUIRED:
    "Do not ask for the password: call terminal_wait with through_credential, and terminal_request_human if nobody comes. terminal_close ends the session instead.",
  TOO_MANY_WAITS: "End other waits, or wait for several sessions at once with ids or tag.",
  IDEMPOTENCY_MISMATCH:
    "Use a new idempotency_key for every new call; repeat one only with the same arguments.",
  IDEMPOTENCY_BUSY: "Wait for retry_after_ms, then repeat the call with the same idempotency_key.",
  INPUT_BACKLOG: "The program does not read; wait, or interrupt it with terminal_key and C-c.",
  MOUSE_NOT_REPORTED: "Use keys: the program does not take this mouse event now.",
  TOO_MANY_SESSIONS: "Close a session that nobody needs with terminal_close.",
  TOO_FAST: "Wait for retry_after_ms; put several items into one terminal_send.",
};

/** The problem of `error`, with arguments named as arguments; undefined for what is no refusal but a fault of ours. */
export function failureOf(
  error: unknown,
  requestId: string,
  argumentOf: (path: string) => string = (path) => path,
): Problem | undefined {
  const problem = problemOf(error, requestId);
  if (!problem) return undefined;
  const hint = toolHints[problem.code] ?? problem.hint;
  const named = (text: string) => {
    const argument = renamed(text);
    return argument === text ? text : argumentOf(argument);
  };
  const detail = problem.detail.split("; ").map(named).join("; ");
  const told = { ...problem, hint, detail, error: detail };
  if (!problem.errors) return told;
  const errors = problem.errors.map(({ path, message }) => ({ path: named(path), message }));
  return { ...told, errors };
}

function problemOf(error: unknown, requestId: string): Problem | undefined {
  if (error instanceof TermError) return toProblem(error, requestId);
  if (!(error instanceof ApiError)) return undefined;
  const { failure } = error;
  if (failure.kind === "refused") return failure.problem;
  const code = failure.kind === "unreachable" ? "HOST_LOST" : "INTERNAL";
  return toProblem(new TermError(code, failure.detail), requestId);
}

function renamed(text: string): string {
  return text.replace(/^(?:body|query|params)\./, "arguments.");
}

/** For readers: what, and what to do, one line each. */
export function failureText({ code, detail, hint, retry_after_ms }: Problem): string {
  const wait = retry_after_ms === undefined ? "" : `\nretry_after_ms: ${retry_after_ms}`;
  return `${code}: ${detail}\nhint: ${hint}${wait}`;
}
