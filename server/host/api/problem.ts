// The one place where a refusal or a fault becomes an answer (HT1). Faults tell the caller an id and the log the rest (T136).
import {
  type ErrorCode,
  errorTable,
  type Problem,
  TermError,
  toProblem,
} from "#lib/protocol/errors.ts";

/** What the API needs of a log; pino's logger is one. */
export interface ApiLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export const problemType = "application/problem+json";

/** TermErrors as they are; anything else is logged with its stack and becomes INTERNAL. */
export function problemOf(error: unknown, requestId: string, log: ApiLog): Problem {
  if (error instanceof TermError) return toProblem(error, requestId);
  log.error({ err: error, request: requestId }, "a request failed");
  return toProblem(
    new TermError("INTERNAL", "the server met an error that it did not expect"),
    requestId,
  );
}

/** Headers of a problem's answer beyond its type: when to come back. */
export function problemHeaders(problem: Problem): Record<string, string> {
  return {
    "content-type": problemType,
    "cache-control": "no-store",
    ...(problem.retry_after_ms === undefined
      ? {}
      : { "retry-after": String(Math.ceil(problem.retry_after_ms / 1000)) }),
  };
}

export function problemResponse(
  problem: Problem,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { ...problemHeaders(problem), ...headers },
  });
}

/** The close code with which a refusal ends an attach socket: its own, or for those that have none, the frame's fault. */
export function closeCodeOf(code: ErrorCode): number {
  const row: { close?: number } = errorTable[code];
  return row.close ?? 4400;
}
