// The host's door: one HTTP server on a Unix socket that only its owner can open (HO4, T103). Routes requests and upgrades; knows no session.
import { lstatSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { systemClock } from "#lib/base/clock.ts";
import { TermError, toProblem } from "#lib/protocol/errors.ts";
import { limits } from "#lib/protocol/limits.ts";
import { mcpRoute } from "#lib/protocol/operations/table.ts";
import type { AttachSockets } from "./api/attach-sockets.ts";
import { internalBase } from "./api/internal.ts";
import { type ApiLog, problemOf, problemResponse } from "./api/problem.ts";

type Fetch = (request: Request) => Response | Promise<Response>;

export interface DoorOptions {
  readonly socketPath: string;
  readonly api: Fetch;
  readonly mcp: Fetch;
  readonly internal: Fetch;
  readonly sockets: AttachSockets;
  readonly log: ApiLog;
}

export interface Door {
  /** Takes no more connections, lets answers under way finish for a moment, then cuts. Removes the socket. */
  close(): Promise<void>;
}

/** What the kernel keeps of a socket's path (sun_path without its NUL); longer ones are cut silently by some systems. */
const maxSocketPathBytes = process.platform === "darwin" ? 103 : 107;

/** Throws when the path is too long or taken by something that is no socket. The caller holds the lock: an old socket is nobody's. */
export async function openDoor(options: DoorOptions): Promise<Door> {
  const { socketPath, sockets, log } = options;
  checkPath(socketPath);
  const listener = getRequestListener(
    (request) => route(new URL(request.url).pathname, options)(request),
    {
      // The real name was judged by the gate; here it would only be one more way to fail.
      hostname: "host.invalid",
      overrideGlobalObjects: false,
      errorHandler: (error) => problemResponse(problemOf(requestFault(error), "none", log)),
    },
  );
  const server = createServer(
    {
      // Room for the actor's list of sessions beside what a client may send.
      maxHeaderSize: 4 * limits.headerBytes,
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      connectionsCheckingInterval: 2_000,
      // Longer than web keeps its connections: the one who sends closes first, and no request meets a closing socket.
      keepAliveTimeout: 120_000,
    },
    (incoming, outgoing) => void listener(incoming, outgoing),
  );
  server.on("upgrade", (request, socket, head) => sockets.upgrade(request, socket, head));
  server.on("clientError", (error, socket) => refuseBroken(error, socket));
  await listen(server, socketPath);
  server.on("error", (error) => log.error({ err: error }, "the host's socket failed"));
  return { close: () => close(server, socketPath) };
}

function route(pathname: string, { api, mcp, internal }: DoorOptions): Fetch {
  if (pathname === internalBase || pathname.startsWith(`${internalBase}/`)) return internal;
  return pathname === mcpRoute.path ? mcp : api;
}

/** What the adapter throws before any route: a request line that makes no URL. */
function requestFault(error: unknown): unknown {
  return error instanceof Error && error.name === "RequestError"
    ? new TermError("BAD_HEADERS", "the request's address or Host cannot be read")
    : error;
}

function refuseBroken(error: Error & { code?: string }, socket: Duplex): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const code = error.code === "HPE_HEADER_OVERFLOW" ? "HEADERS_TOO_LARGE" : "BAD_HEADERS";
  const problem = toProblem(new TermError(code, "the request cannot be read"), "none");
  const body = JSON.stringify(problem);
  socket.end(
    `HTTP/1.1 ${problem.status} ${problem.title}\r\ncontent-type: application/problem+json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}

function checkPath(socketPath: string): void {
  const length = Buffer.byteLength(socketPath);
  if (length > maxSocketPathBytes) {
    throw new Error(
      `the path of the host's socket has ${length} bytes and may have ${maxSocketPathBytes}; choose a shorter state directory (--state-dir): ${socketPath}`,
    );
  }
  const stat = lstatSync(socketPath, { throwIfNoEntry: false });
  if (!stat) return;
  if (!stat.isSocket()) throw new Error(`${socketPath} is no socket; move it away`);
  rmSync(socketPath, { force: true });
}

function listen(server: Server, socketPath: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    // The name appears in this call, so the mask holds for it alone: there is no moment at which others could connect.
    const mask = process.umask(0o177);
    try {
      server.listen(socketPath, () => {
        server.removeListener("error", reject);
        resolve();
      });
    } finally {
      process.umask(mask);
    }
  });
}

async function close(server: Server, socketPath: string): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const cut = systemClock.after(500, () => server.closeAllConnections());
  await closed;
  cut.dispose();
  rmSync(socketPath, { force: true });
}
