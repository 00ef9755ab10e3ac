// One table of everything that can be refused: code -> HTTP status -> WebSocket close code (HT1, AT7). RFC 9457.
import * as z from "zod/mini";

interface ErrorRow {
  status: number;
  /** Where a refusal on an attach socket ends the socket. */
  close?: number;
  title: string;
  /** One imperative sentence, read by people and language models. */
  hint: string;
}

function row(status: number, title: string, hint: string, close?: number): ErrorRow {
  return close === undefined ? { status, title, hint } : { status, title, hint, close };
}

export const errorTable = {
  BAD_REQUEST: row(
    400,
    "Bad request",
    "Correct the fields named in errors and send the request again.",
    4400,
  ),
  BAD_HEADERS: row(
    400,
    "Bad headers",
    "Send each of Host, Origin and Authorization at most once, and a plain path.",
  ),
  BAD_CWD: row(
    400,
    "Bad working directory",
    "Give an existing directory that may be entered, or leave cwd out.",
  ),
  BAD_COMMAND: row(
    400,
    "Bad command",
    "Give a program that exists and may be executed, or leave command out for the shell.",
  ),
  BAD_PROFILE: row(
    400,
    "Unknown profile",
    "Use one of the names in the detail, or list them with GET /api/v1/profiles.",
  ),
  BAD_SIZE: row(400, "Bad size", "Give whole numbers within the limits named in the detail."),
  UNKNOWN_KEY: row(
    400,
    "Unknown key",
    "Use a key name from the documentation, or send the bytes as raw.",
  ),
  LINE_TOO_LONG: row(
    413,
    "Line too long for the terminal",
    "Send lines of at most 4,095 bytes, or put the text into a file and type its name.",
  ),
  UNAUTHENTICATED: row(
    401,
    "Sign-in needed",
    "Send Authorization: Bearer TOKEN; make one with `cotty token create --role agent --name NAME`.",
    4401,
  ),
  LOGIN_CODE_INVALID: row(
    401,
    "Link used or expired",
    "Run `cotty open` on the server's machine for a new link.",
  ),
  /** The credential is good, and stays so: it was only shown too long ago for this. */
  REAUTH: row(
    401,
    "Fresh sign-in needed",
    "Run `cotty open` on the server's machine, open its link in this browser, and try again.",
  ),
  FORBIDDEN: row(403, "Not allowed", "Use a credential whose role allows this.", 4403),
  HOST_NOT_ALLOWED: row(
    403,
    "Host not allowed",
    "Open the address that cotty printed, or start it with --allow-host NAME.",
    4403,
  ),
  ORIGIN_NOT_ALLOWED: row(
    403,
    "Origin not allowed",
    "Call from the page's own origin, or with a bearer token and no Origin header.",
    4403,
  ),
  READ_ONLY: row(
    403,
    "Read-only",
    "Use a credential that may write, and attach without readonly; where a person lets agents only look, ask with request_human.",
  ),
  SEALED: row(
    403,
    "Agents are disconnected from this session",
    "Work in another session; a person alone can reconnect agents to this one.",
    4403,
  ),
  LEASE_DENIED: row(
    409,
    "A person has the keyboard",
    'Wait for retry_after_ms or with POST wait and {"for":[{"keyboard":true}]}; do not type meanwhile.',
  ),
  LEASE_LOST: row(
    409,
    "A person took the keyboard meanwhile",
    "Read the screen again before you type; delivered says how much of this request was typed, the rest was dropped.",
  ),
  DRAFT_PENDING: row(
    409,
    "A person has unsent text on the line",
    "Wait until it is sent, or ask the person; when the keyboard is yours again, say if_draft clear or keep.",
  ),
  NO_PASSWORD_ASKED: row(
    409,
    "No password is asked for",
    "Look at the screen before you answer; nothing was typed.",
  ),
  HUMAN_REQUIRED: row(
    409,
    "A person has to answer a password prompt",
    "Do not ask for the password; wait with through_credential and go on when it was answered.",
  ),
  HUMAN_BUSY: row(
    409,
    "Another person is typing",
    "Press the key again within two seconds to take the keyboard.",
  ),
  TOO_MANY_WAITS: row(
    429,
    "Too many waits",
    "End other waits, or wait for several sessions at once with POST /wait.",
  ),
  BAD_PATTERN: row(
    400,
    "Bad regular expression",
    "Correct the pattern named in the detail, or wait for a literal text.",
  ),
  COMMAND_NOT_FOUND: row(
    404,
    "No such command",
    "List the commands with GET …/commands; older ones have left the journal.",
  ),
  NOT_FOUND: row(404, "Not found", "Check the path against the documentation."),
  SESSION_NOT_FOUND: row(
    404,
    "No such session",
    "List the sessions with GET /api/v1/sessions.",
    4404,
  ),
  TOKEN_NOT_FOUND: row(404, "No such token", "List the tokens with GET /api/v1/tokens."),
  METHOD_NOT_ALLOWED: row(405, "Method not allowed", "Use one of the methods in the Allow header."),
  SESSION_EXITED: row(409, "Session has exited", "Read its screen, or create a new session."),
  MOUSE_NOT_REPORTED: row(
    409,
    "The program cannot receive this mouse event",
    "Read reason and modes; use keys, or an event that these modes report.",
  ),
  IDEMPOTENCY_MISMATCH: row(
    422,
    "Idempotency key used for something else",
    "Use a new Idempotency-Key for every new request; repeat one only with the same request.",
  ),
  IDEMPOTENCY_BUSY: row(
    409,
    "The first request is still running",
    "Wait for retry_after_ms, then send the same request with the same Idempotency-Key again.",
  ),
  TERMINALS_DISABLED: row(
    503,
    "Terminals are turned off",
    "Start the server without --no-terminal.",
  ),
  TERMINALS_UNAVAILABLE: row(
    503,
    "This machine cannot start terminals",
    "Read the detail; run `npm i node-pty` where no prebuilt binary fits.",
  ),
  TOO_LARGE: row(413, "Too large", "Send less at a time.", 4400),
  URI_TOO_LONG: row(414, "Address too long", "Send the data in the body."),
  UNSUPPORTED_MEDIA_TYPE: row(
    415,
    "Unsupported media type",
    "Send Content-Type: application/json without Content-Encoding.",
  ),
  HEADERS_TOO_LARGE: row(431, "Headers too large", "Send fewer or shorter headers."),
  TOO_MANY_ATTEMPTS: row(
    429,
    "Too many failed attempts",
    "Wait for retry_after_ms, then try again.",
    4429,
  ),
  TOO_MANY_SESSIONS: row(
    429,
    "Too many sessions",
    "End a session, or start the server with a higher --max-sessions.",
  ),
  TOO_MANY_TOKENS: row(429, "Too many tokens", "Revoke tokens that are no longer used."),
  TOO_MANY_VIEWERS: row(429, "Too many viewers", "Close another view of this session.", 4429),
  TOO_MANY_SOCKETS: row(
    429,
    "Too many connections",
    "Close other connections of this credential.",
    4429,
  ),
  TOO_FAST: row(
    429,
    "Too fast",
    "Wait for retry_after_ms and send fewer requests or messages per second; put several items into one input.",
    4429,
  ),
  INPUT_BACKLOG: row(429, "Input is not being read", "Wait for the program to read, or send C-c."),
  REQUEST_TIMEOUT: row(408, "Request too slow", "Send the whole request within 30 s."),
  SLOW_VIEWER: row(408, "Viewer too slow", "Read faster and acknowledge what was drawn.", 4408),
  SERVER_REPLACED: row(409, "Server replaced", "Reload the page.", 4409),
  INTERNAL: row(500, "Internal error", "Report the instance id; it is in the server's log.", 1011),
  PTY_SPAWN_FAILED: row(
    503,
    "The terminal could not be started",
    "Read the detail; free some resources and try again.",
  ),
  HOST_LOST: row(
    503,
    "The terminal host is not running",
    "Wait a moment; start it again with `cotty start`.",
    1012,
  ),
} as const satisfies Record<string, ErrorRow>;

/** Close codes after which a client must not try again by itself (AT7). */
export const finalCloseCodes: ReadonlySet<number> = new Set([4400, 4401, 4403, 4404]);

export type ErrorCode = keyof typeof errorTable;

export const errorCodes = Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]];

/**
 * Body of every error answer, `application/problem+json`. `error` repeats `detail` for small clients. Some codes carry members of
 * their own (RFC 9457, 3.2), e.g. `reason` and `modes` of a refused mouse event.
 */
export const problemSchema = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  instance: z.string(),
  code: z.enum(errorCodes),
  error: z.string(),
  hint: z.string(),
  retry_after_ms: z.optional(z.int()),
  errors: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
});
export type Problem = z.infer<typeof problemSchema>;

export interface FieldError {
  /** Dotted path into the body, query or params, e.g. `body.cols` or `body.input.2`. */
  path: string;
  message: string;
}

/** A refusal on its way to a transport. Thrown by ports and operation handlers, mapped to a status or close code once. */
export class TermError extends Error {
  override readonly name = "TermError";
  constructor(
    readonly code: ErrorCode,
    /** A sentence that names the thing and the offending value. */
    detail: string,
    readonly extra: {
      retryAfterMs?: number;
      errors?: readonly FieldError[];
      /** Members of the problem document that only this code has; snake_case. They cannot replace the common ones. */
      members?: Readonly<Record<string, unknown>>;
    } = {},
  ) {
    super(detail);
  }
}

/** `instance` is the request id. */
export function toProblem(error: TermError, instance: string): Problem {
  const { status, title, hint } = errorTable[error.code];
  return {
    ...error.extra.members,
    type: `https://cotty.invalid/errors/${error.code.toLowerCase().replaceAll("_", "-")}`,
    title,
    status,
    detail: error.message,
    instance,
    code: error.code,
    error: error.message,
    hint,
    ...(error.extra.retryAfterMs === undefined
      ? {}
      : { retry_after_ms: Math.ceil(error.extra.retryAfterMs) }),
    ...(error.extra.errors === undefined ? {} : { errors: [...error.extra.errors] }),
  };
}
