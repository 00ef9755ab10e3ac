// How web says no, and its few own answers: problem documents over HTTP and over a socket that was to be upgraded (HT1, T136).
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { type Clock, systemClock } from "#lib/base/clock.ts";
import { shortGuide } from "#lib/protocol/documents/guide.ts";
import { type ErrorCode, errorTable, TermError, toProblem } from "#lib/protocol/errors.ts";
import { discoveryLinks } from "./documents.ts";
import { securityHeaders } from "./security-headers.ts";

export interface Answerable {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly retryAfterMs?: number;
  readonly allow?: readonly string[];
  readonly errors?: readonly { path: string; message: string }[];
}

/** Time in which a client that is still sending can read why it should stop. */
const lingerMs = 300;

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const text = body === undefined ? "" : JSON.stringify(body);
  response.writeHead(status, {
    ...securityHeaders(),
    ...(text === "" ? {} : { "content-type": "application/json" }),
    ...(status === 204 ? {} : { "content-length": Buffer.byteLength(text) }),
    "cache-control": "no-store",
    ...headers,
  });
  response.end(response.req.method === "HEAD" ? undefined : text);
}

/** Answers a refusal. The rest of an unread body is not read: the connection is closed after a moment instead. */
export function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  refused: Answerable,
  requestId: string,
  clock: Clock = systemClock,
): void {
  const { status, headers, body } = render(refused, requestId);
  const isUnread = !request.complete && announcesBody(request);
  const isHead = request.method === "HEAD";
  // After a head of doubtful meaning nobody knows where the next request would begin (T134).
  const isLast = isUnread || refused.code === "BAD_HEADERS";
  response.writeHead(status, { ...headers, ...(isLast ? { connection: "close" } : {}) });
  if (!isUnread) {
    response.end(isHead ? undefined : body);
    return;
  }
  // A head without a body would wait for the end.
  if (isHead) response.flushHeaders();
  else response.write(body);
  // Ending at once would close a socket with unread bytes in it, and the reset could overtake this answer.
  const timer = clock.after(lingerMs, () => response.end());
  response.once("close", () => timer.dispose());
}

/** The same answer where there is no response object: a refused upgrade, an unparsable request. Closes the socket. */
export function refuseSocket(socket: Duplex, refused: Answerable, requestId: string): void {
  if (socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = render(refused, requestId);
  const head = Object.entries({ ...headers, connection: "close" })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
  socket.once("finish", () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${head}\r\n${body}`);
}

function render(refused: Answerable, requestId: string) {
  const { retryAfterMs, errors } = refused;
  const error = new TermError(refused.code, refused.detail, {
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(errors === undefined ? {} : { errors }),
  });
  // Whoever has no credential may have nothing but this address: tell how to go on (OP6).
  const isStranger = errorTable[refused.code].status === 401;
  const problem = toProblem(error, requestId);
  const body = JSON.stringify(isStranger ? { ...problem, guide: shortGuide } : problem);
  const headers: Record<string, string> = {
    ...securityHeaders(),
    "content-type": "application/problem+json",
    "content-length": String(Buffer.byteLength(body)),
    "cache-control": "no-store",
  };
  if (refused.allow) headers.allow = refused.allow.join(", ");
  if (retryAfterMs !== undefined) headers["retry-after"] = String(Math.ceil(retryAfterMs / 1000));
  if (isStranger) {
    headers["www-authenticate"] = "Bearer";
    headers.link = discoveryLinks;
  }
  return { status: errorTable[refused.code].status, headers, body };
}

/** Whether a body comes behind the head. */
export function announcesBody(request: IncomingMessage): boolean {
  const length = request.headers["content-length"];
  return (
    request.headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0")
  );
}
