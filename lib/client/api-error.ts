// What a call of the API can fail with, as a value to switch on. Knows no transport.
import type { ErrorCode, Problem } from "#lib/protocol/errors.ts";

export type ApiFailure =
  /** The server answered no; `problem` says why and what to do. */
  | { kind: "refused"; problem: Problem }
  /** Nobody answered, or something that is not Cotty did (a proxy's error page). */
  | { kind: "unreachable"; detail: string }
  /** Cotty answered what this client does not understand: page and server are of different versions. */
  | { kind: "unreadable"; detail: string };

export class ApiError extends Error {
  override readonly name = "ApiError";
  constructor(readonly failure: ApiFailure) {
    super(failure.kind === "refused" ? failure.problem.detail : failure.detail);
  }

  /** Code of a refusal; null when it was none. */
  get code(): ErrorCode | null {
    return this.failure.kind === "refused" ? this.failure.problem.code : null;
  }

  /** HTTP status of a refusal; 0 when it was none. */
  get status(): number {
    return this.failure.kind === "refused" ? this.failure.problem.status : 0;
  }
}
