// A no of the gate, as a value. Which step said it is for tests and logs; clients see code and detail.
import type { ErrorCode } from "#lib/protocol/errors.ts";

export type GateStep =
  | "socket_caps"
  | "header_sanity"
  | "host"
  | "route"
  | "origin"
  | "limiter"
  | "authentication"
  | "authorisation"
  | "quota"
  | "content";

export interface Refusal {
  readonly step: GateStep;
  readonly code: ErrorCode;
  /** A sentence; never holds a credential or a path of the machine. */
  readonly detail: string;
  readonly retryAfterMs?: number;
  /** Methods for the Allow header of a 405. */
  readonly allow?: readonly string[];
}

export function refusal(
  step: GateStep,
  code: ErrorCode,
  detail: string,
  extra: Pick<Refusal, "retryAfterMs" | "allow"> = {},
): Refusal {
  return { step, code, detail, ...extra };
}
