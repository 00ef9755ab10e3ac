// A host without terminals, on the real Unix socket with the real records: counts what reaches it, so that a test can prove that
// nothing did. Answers operations with their declared status and echoes what an attached viewer sends.
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type WebSocket, WebSocketServer } from "ws";
import { type Actor, actorHeader, decodeActor, hostKeyHeader } from "#lib/protocol/actor.ts";
import { attachProtocol } from "#lib/protocol/attach.ts";
import { TermError, toProblem } from "#lib/protocol/errors.ts";
import { randomId } from "#lib/protocol/ids.ts";
import { hostProtocol, writeHostRecord } from "#server/state/host-record.ts";
import { writePrivateFile } from "#server/state/private-file.ts";
import { ownIdentity } from "#server/state/process-identity.ts";
import { openStateDir, type StateDir } from "#server/state/state-dir.ts";

export interface HostCall {
  readonly kind: "request" | "upgrade";
  readonly method: string;
  readonly path: string;
  readonly actor: Actor | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export interface HostDouble {
  readonly dir: StateDir;
  /** Everything but `/internal`. */
  readonly calls: HostCall[];
  readonly sockets: ReadonlySet<WebSocket>;
  /** Bodies of `POST /internal/disconnect`. */
  readonly disconnects: string[];
  /** Takes a request away from the double; true when it did. */
  intercept: ((request: IncomingMessage, response: ServerResponse) => boolean) | null;
  /** What happens with a new viewer; by default it is echoed. */
  onAttach: ((socket: WebSocket, request: IncomingMessage) => void) | null;
  /** Ends as a killed process does: sockets cut, records left behind. */
  kill(): Promise<void>;
  /** Comes back with a new key. */
  revive(): Promise<void>;
  dispose(): Promise<void>;
}

export async function startHostDouble(): Promise<HostDouble> {
  const root = mkdtempSync(join(tmpdir(), "cotty-web-"));
  chmodSync(root, 0o700);
  const dir = openStateDir(root);
  const calls: HostCall[] = [];
  const disconnects: string[] = [];
  const sockets = new Set<WebSocket>();
  const principals = new Map<WebSocket, string>();
  let key = "";
  let stopServer = async () => {};

  const double: HostDouble = {
    dir,
    calls,
    sockets,
    disconnects,
    intercept: null,
    onAttach: null,
    kill: () => stopServer(),
    revive: start,
    async dispose() {
      await stopServer();
      rmSync(root, { recursive: true, force: true });
    },
  };

  function note(kind: HostCall["kind"], request: IncomingMessage, body: string): HostCall {
    const value = request.headers[actorHeader];
    const { method = "", url: path = "", headers } = request;
    const actor = typeof value === "string" ? decodeActor(value) : undefined;
    const call = { kind, method, path, actor, headers, body };
    if (!path.startsWith("/internal")) calls.push(call);
    return call;
  }

  /** As the host does: a session that the actor may not know of does not exist. */
  function isForeign(call: HostCall): boolean {
    const session = /\/sessions\/([^/?]+)/.exec(call.path)?.[1];
    const own = call.actor?.sessions;
    return session !== undefined && own !== undefined && !own.includes(session);
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.headers[hostKeyHeader] !== key) return problem(response, "UNAUTHENTICATED");
    if (double.intercept?.(request, response)) return;
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const call = note("request", request, Buffer.concat(parts).toString("utf8"));
    if (call.path === "/internal/disconnect") {
      const { actor } = JSON.parse(call.body) as { actor: string };
      disconnects.push(actor);
      for (const [socket, id] of principals) if (id === actor) socket.close(4401, "unauthorised");
      response.writeHead(204).end();
    } else if (isForeign(call)) problem(response, "SESSION_NOT_FOUND");
    else {
      response.writeHead(200, {
        "content-type": "application/json",
        "x-powered-by": "double",
        "access-control-allow-origin": "*",
      });
      response.end(JSON.stringify({ method: call.method, body: call.body }));
    }
  }

  async function start(): Promise<void> {
    key = randomId(52);
    const server = createServer((request, response) => {
      answer(request, response).catch(() => response.destroy());
    });
    const open = new Set<Socket>();
    server.on("connection", (socket) => {
      open.add(socket);
      socket.on("error", () => {});
      socket.once("close", () => open.delete(socket));
    });
    const upgrades = new WebSocketServer({
      noServer: true,
      handleProtocols: (offered) => (offered.has(attachProtocol) ? attachProtocol : false),
    });
    server.on("upgrade", (request, socket, head) => {
      const call = note("upgrade", request, "");
      if (request.headers[hostKeyHeader] !== key || isForeign(call)) {
        const body = JSON.stringify(toProblem(new TermError("SESSION_NOT_FOUND", "none"), "1"));
        socket.end(`HTTP/1.1 404 Not Found\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
        return;
      }
      upgrades.handleUpgrade(request, socket, head, (viewer) => {
        sockets.add(viewer);
        principals.set(viewer, call.actor?.id ?? "");
        viewer.on("error", () => {});
        viewer.once("close", () => {
          sockets.delete(viewer);
          principals.delete(viewer);
        });
        if (double.onAttach) double.onAttach(viewer, request);
        else viewer.on("message", (data, isBinary) => viewer.send(data, { binary: isBinary }));
      });
    });
    rmSync(dir.hostSocket, { force: true });
    await new Promise<void>((resolve) => server.listen(dir.hostSocket, resolve));
    writePrivateFile(dir.hostKey, `${key}\n`);
    writeHostRecord(dir, { ...ownIdentity(), version: "0.0.0", protocol: hostProtocol });
    stopServer = async () => {
      for (const socket of open) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    };
  }

  await start();
  return double;
}

function problem(response: ServerResponse, code: "UNAUTHENTICATED" | "SESSION_NOT_FOUND"): void {
  const body = toProblem(new TermError(code, "refused by the double"), "1");
  response.writeHead(body.status, { "content-type": "application/problem+json" });
  response.end(JSON.stringify(body));
}
