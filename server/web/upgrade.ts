// An upgrade that passed the gate: the handshake is repeated towards the host, then bytes are piped both ways with backpressure, so
// acknowledgements run end to end between viewer and host. The ticket never goes further than here (T53).
import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type Clock, systemClock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { Actor } from "#lib/protocol/actor.ts";
import { attachProtocol } from "#lib/protocol/attach.ts";
import { limits } from "#lib/protocol/limits.ts";
import { refuseSocket } from "./answer.ts";
import { type HostLink, hostLost } from "./host-link.ts";
import type { OpenConnections, OpenPrincipal } from "./open-connections.ts";
import { securityHeaders } from "./security-headers.ts";
import { SocketPair } from "./socket-pair.ts";

export interface PassedUpgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** Bytes that came with the handshake. */
  readonly head: Buffer;
  readonly actor: Actor;
  readonly via: OpenPrincipal["via"];
  readonly requestId: string;
}

/** The host is on the same machine; one that has not answered a handshake by then is stuck. */
const handshakeMs = limits.handshakeMs;

/** One for all: a request without would make its own, and each open socket would keep it. */
const agent = new Agent({ keepAlive: false });

export function forwardUpgrade(
  passed: PassedUpgrade,
  link: HostLink,
  connections: OpenConnections,
  clock: Clock = systemClock,
): void {
  const { request, socket, head, actor, via, requestId } = passed;
  const host = link.current();
  if (!host) {
    refuseSocket(socket, hostLost, requestId);
    return;
  }
  let pair: SocketPair | null = null;
  // Counted from here on: a handshake that is under way holds a place too.
  const place = connections.add(
    { via, id: actor.id },
    {
      kind: "socket",
      end: (code, reason) => (pair ? pair.end(code, reason) : socket.destroy()),
    },
  );
  const outgoing = httpRequest({
    socketPath: host.socketPath,
    method: "GET",
    path: request.url,
    agent,
    headers: {
      host: "host.invalid",
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": request.headers["sec-websocket-key"],
      ...(offersProtocol(request) ? { "sec-websocket-protocol": attachProtocol } : {}),
      ...host.headers(actor, requestId),
    },
  });
  // Let go of once it is answered: the listeners below live as long as the socket.
  let pending: ClientRequest | null = outgoing;
  let isAnswered = false;
  const deadline: Disposable = clock.after(handshakeMs, () => pending?.destroy(new Error("late")));
  socket.on("error", () => socket.destroy());
  socket.once("close", () => {
    deadline.dispose();
    place.dispose();
    pending?.destroy();
  });
  outgoing.on("upgrade", (reply, hostSocket, hostHead) => {
    isAnswered = true;
    pending = null;
    deadline.dispose();
    if (socket.destroyed) {
      hostSocket.destroy();
      return;
    }
    socket.write(switching(reply));
    pair = new SocketPair(socket as Socket, hostSocket as Socket, clock);
    pair.start(head, hostHead);
  });
  outgoing.on("response", (reply) => {
    isAnswered = true;
    deadline.dispose();
    relayRefusal(reply, socket);
  });
  outgoing.on("error", () => {
    if (isAnswered) return;
    pending = null;
    deadline.dispose();
    link.forget();
    refuseSocket(socket, hostLost, requestId);
  });
  outgoing.end();
}

function offersProtocol(request: IncomingMessage): boolean {
  const offered = String(request.headers["sec-websocket-protocol"] ?? "").split(",");
  return offered.some((value) => value.trim() === attachProtocol);
}

/** The 101 is written anew: only what the handshake needs comes from the host. */
function switching(reply: IncomingMessage): string {
  const lines = [
    "HTTP/1.1 101 Switching Protocols",
    "upgrade: websocket",
    "connection: Upgrade",
    `sec-websocket-accept: ${String(reply.headers["sec-websocket-accept"] ?? "")}`,
  ];
  if (reply.headers["sec-websocket-protocol"] === attachProtocol)
    lines.push(`sec-websocket-protocol: ${attachProtocol}`);
  for (const [name, value] of Object.entries(securityHeaders())) lines.push(`${name}: ${value}`);
  return `${lines.join("\r\n")}\r\n\r\n`;
}

/** The host's own no (no such session, too many viewers) with the headers every answer has. Bounded: it is a problem document. */
function relayRefusal(reply: IncomingMessage, socket: Duplex): void {
  const parts: Buffer[] = [];
  let bytes = 0;
  reply.on("data", (part: Buffer) => {
    bytes += part.length;
    if (bytes > 64 * 1024) reply.destroy();
    else parts.push(part);
  });
  reply.once("error", () => socket.destroy());
  reply.once("end", () => {
    const body = Buffer.concat(parts);
    const headers = {
      ...securityHeaders(),
      "content-type": String(reply.headers["content-type"] ?? "application/problem+json"),
      "content-length": String(body.length),
      "cache-control": "no-store",
      connection: "close",
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const status = `HTTP/1.1 ${reply.statusCode ?? 502} ${reply.statusMessage ?? ""}`;
    socket.once("finish", () => socket.destroy());
    socket.end(Buffer.concat([Buffer.from(`${[status, ...lines].join("\r\n")}\r\n\r\n`), body]));
  });
}
