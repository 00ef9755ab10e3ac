// The TCP listener: one server with strict parsing and hard timeouts, and exactly one listener for requests and one for upgrades
// (T31, T130, T134). What cannot be parsed is answered here; everything else goes to the doors.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Socket } from "node:net";
import type { ErrorCode } from "#lib/protocol/errors.ts";
import { randomId } from "#lib/protocol/ids.ts";
import { limits } from "#lib/protocol/limits.ts";
import { refuseSocket } from "./answer.ts";
import type { Doors } from "./doors.ts";
import type { SocketCaps } from "./gate/socket-caps.ts";

export interface WebTimeouts {
  readonly headersMs: number;
  readonly requestMs: number;
  readonly connectionCheckMs: number;
}

export interface TlsFiles {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

export function openListener(tls: TlsFiles | null, timeouts: Partial<WebTimeouts> = {}): Server {
  const http = {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: timeouts.headersMs ?? limits.headersMs,
    requestTimeout: timeouts.requestMs ?? limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: timeouts.connectionCheckMs ?? limits.connectionCheckMs,
    // The gate answers for a missing Host, with the headers every answer has.
    requireHostHeader: false,
    insecureHTTPParser: false,
    noDelay: true,
  };
  const server = tls
    ? createTlsServer({
        ...http,
        ...tls,
        minVersion: "TLSv1.2",
        handshakeTimeout: limits.handshakeMs,
      })
    : createServer(http);
  server.maxConnections = limits.connections;
  // All headers are looked at: Node's own cap would hide the rest, and with it a doubled one.
  server.maxHeadersCount = 0;
  return server;
}

export function wireListener(
  server: Server,
  caps: SocketCaps<Socket>,
  doors: () => Doors | null,
): void {
  // With TLS the sockets that requests know are the ones of this event.
  const opened = server.listenerCount("secureConnection") > 0 ? "secureConnection" : "connection";
  server.on(opened, (socket: Socket) => {
    caps.opened(socket);
    socket.once("close", () => caps.closed(socket));
  });
  // A parse error behind a request that is being answered must not be written into that answer.
  const answers = new WeakMap<Socket, Set<ServerResponse>>();
  const isAnswering = (socket: Socket) =>
    Array.from(answers.get(socket) ?? []).some((response) => response.headersSent);
  const judged = (request: IncomingMessage, response: ServerResponse, expects: boolean) => {
    const { socket } = request;
    const running = answers.get(socket) ?? new Set();
    answers.set(socket, running.add(response));
    response.once("close", () => running.delete(response));
    const open = doors();
    if (open) open.request(request, response, expects);
    else socket.destroy();
  };
  server.on("request", (request, response) => judged(request, response, false));
  server.on("checkContinue", (request, response) => judged(request, response, true));
  server.on("upgrade", (request, socket, head) => {
    const open = doors();
    // Sent behind a request whose answer is still due: its bytes would overtake that answer.
    if (open && !answers.get(request.socket)?.size) open.upgrade(request, socket, head);
    else socket.destroy();
  });
  server.on("connect", (_request, socket) => {
    socket.on("error", () => socket.destroy());
    const detail = "CONNECT is not served";
    refuseSocket(socket, { code: "METHOD_NOT_ALLOWED", detail, allow: [] }, randomId(16));
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET") {
      socket.destroy();
      return;
    }
    // One answer is enough, and what of it is written already arrives.
    if (!socket.writable || isAnswering(socket as Socket)) {
      (socket as Socket).destroySoon();
      return;
    }
    const code = clientErrors[error.code ?? ""] ?? "BAD_HEADERS";
    refuseSocket(socket, { code, detail: "the request could not be read" }, randomId(16));
  });
}

const clientErrors: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: "HEADERS_TOO_LARGE",
  ERR_HTTP_REQUEST_TIMEOUT: "REQUEST_TIMEOUT",
};
