// Which exit code a refusal of the API gets (CL1).
import { type ErrorCode, errorTable } from "#lib/protocol/errors.ts";
import { exitCodes } from "./exit.ts";

const codeOf: Partial<Record<ErrorCode, number>> = {
  SESSION_NOT_FOUND: exitCodes.notFound,
  COMMAND_NOT_FOUND: exitCodes.notFound,
  TOKEN_NOT_FOUND: exitCodes.notFound,
  NOT_FOUND: exitCodes.notFound,
  UNAUTHENTICATED: exitCodes.auth,
  LOGIN_CODE_INVALID: exitCodes.auth,
  REAUTH: exitCodes.auth,
  FORBIDDEN: exitCodes.auth,
  HOST_NOT_ALLOWED: exitCodes.auth,
  ORIGIN_NOT_ALLOWED: exitCodes.auth,
  SEALED: exitCodes.lease,
  READ_ONLY: exitCodes.lease,
  LEASE_DENIED: exitCodes.lease,
  LEASE_LOST: exitCodes.lease,
  DRAFT_PENDING: exitCodes.lease,
  HUMAN_BUSY: exitCodes.lease,
  HUMAN_REQUIRED: exitCodes.humanRequired,
  HOST_LOST: exitCodes.unreachable,
};

/** Exit code of a refusal; what is wrong with the request itself is a matter of usage. */
export function exitCodeOf(code: ErrorCode): number {
  return codeOf[code] ?? (errorTable[code].status === 400 ? exitCodes.usage : exitCodes.failed);
}
