// A request that passed the gate, piped to the host and its answer piped back, both with backpressure. Headers cross by allow-list in
// both directions, so what a client invents (x-cotty-*, x-middleware-*, forwarded) has no way in (T45).

import type { ServerResponse } from "node:http";
import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { type Clock, systemClock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import { type Actor, requestIdHeader } from "#lib/protocol/actor.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { HostEndpoint } from "#server/state/host-endpoint.ts";
import { announcesBody, sendRefusal } from "./answer.ts";
import { unsaidType } from "./gate/content.ts";
import { type HostLink, hostLost } from "./host-link.ts";
import { securityHeaders } from "./security-headers.ts";

const requestHeaders = [
  "accept",
  "accept-language",
  "content-type",
  "content-length",
  "idempotency-key",
  "if-match",
  "if-none-match",
  "last-event-id",
  "mcp-method",
  "mcp-name",
  "mcp-protocol-version",
  "range",
  "user-agent",
];
const replyHeaders = [
  "accept-ranges",
  "allow",
  "cache-control",
  "content-disposition",
  "content-language",
  "content-length",
  "content-range",
  "content-type",
  "etag",
  "idempotent-replayed",
  "last-modified",
  "location",
  "retry-after",
  "vary",
  // The id under which the audit names what was done.
  requestIdHeader,
  "x-accel-buffering",
];

export interface Piped {
  readonly actor: Actor;
  readonly requestId: string;
}

/** A body that is whole before anything is sent to the host: it goes in one write, and can be sent again where nothing of it arrived. */
const wholeBodyBytes = 16 * 1_024;

export class HostPipe implements Disposable {
  private readonly agent = new Agent({ keepAlive: true, maxFreeSockets: 32 });
  private lastHost: HostEndpoint | null = null;

  constructor(
    private readonly link: HostLink,
    private readonly clock: Clock = systemClock,
  ) {}

  dispose(): void {
    this.agent.destroy();
  }

  forward(request: IncomingMessage, response: ServerResponse, piped: Piped): void {
    if (!announcesBody(request)) this.send(request, response, piped, "none");
    else if (Number(request.headers["content-length"]) <= wholeBodyBytes)
      whenWhole(request, (body) => this.send(request, response, piped, body));
    else this.send(request, response, piped, "streamed");
  }

  private send(request: IncomingMessage, response: ServerResponse, piped: Piped, body: Body): void {
    const host = this.link.current();
    if (!host) {
      lost(request, response, piped);
      return;
    }
    if (host !== this.lastHost) {
      // They lead to the one before.
      for (const kept of Object.values(this.agent.freeSockets).flat()) kept?.destroy();
      this.lastHost = host;
    }
    this.attempt(host, request, response, piped, body, false);
  }

  private attempt(
    host: HostEndpoint,
    request: IncomingMessage,
    response: ServerResponse,
    piped: Piped,
    body: Body,
    isRetry: boolean,
  ): void {
    const outgoing = httpRequest({
      socketPath: host.socketPath,
      method: request.method,
      path: request.url,
      // A kept connection may be closing at the other end; what cannot be sent again gets a connection of its own.
      agent: body === "streamed" || isRetry ? false : this.agent,
      headers: {
        ...pick(request.headers, requestHeaders),
        ...(request.headers["content-type"] === unsaidType
          ? { "content-type": "application/json" }
          : {}),
        host: "host.invalid",
        // Never "close": Node ends a body with one more, empty write, and on a connection that the host has closed by then it
        // would fail and hide an answer that is there, of an act that was done.
        connection: "keep-alive",
        ...host.headers(piped.actor, piped.requestId),
      },
    });
    const cancel = () => outgoing.destroy();
    response.once("close", cancel);
    outgoing.on("response", (reply) => this.answer(reply, outgoing, response));
    outgoing.on("error", (error) => {
      response.off("close", cancel);
      if (response.headersSent || response.destroyed) response.destroy();
      else if (outgoing.reusedSocket && !isRetry && mayRepeat(body, error))
        this.attempt(host, request, response, piped, body, true);
      else {
        this.link.forget();
        lost(request, response, piped);
      }
    });
    if (body === "streamed") sendBody(request, response, outgoing, piped, this.clock);
    else if (body === "none") outgoing.end();
    else outgoing.end(body);
  }

  private answer(reply: IncomingMessage, outgoing: ClientRequest, response: ServerResponse): void {
    if (response.headersSent || response.destroyed) {
      // The body was cut at the limit, or the client has gone.
      outgoing.destroy();
      return;
    }
    response.writeHead(reply.statusCode ?? 502, {
      ...securityHeaders(),
      "cache-control": "no-store",
      ...pick(reply.headers, replyHeaders),
    });
    let stalled: Disposable | null = null;
    reply.on("data", (chunk: Buffer) => {
      // Ended from here meanwhile.
      if (response.writableEnded || response.write(chunk)) return;
      reply.pause();
      stalled ??= this.clock.after(limits.stalledReplyMs, () => response.destroy());
    });
    response.on("drain", () => {
      stalled?.dispose();
      stalled = null;
      reply.resume();
    });
    response.once("close", () => stalled?.dispose());
    reply.once("end", () => response.end());
    // The host went away in the middle: a cut reply must not look like a whole one.
    reply.once("error", () => response.destroy());
  }
}

type Body = "none" | "streamed" | Buffer;

/**
 * An act must never be carried out twice. The system refused the one write that head and body went in, so nothing of them arrived; after any
 * other fault the host may have read them.
 */
function mayRepeat(body: Body, error: NodeJS.ErrnoException): boolean {
  return body === "none" || error.code === "EPIPE";
}

/** Not called when the client breaks off before the body's end: then nothing was asked. */
function whenWhole(request: IncomingMessage, then: (body: Buffer) => void): void {
  const parts: Buffer[] = [];
  request.on("data", (chunk: Buffer) => parts.push(chunk));
  request.once("end", () => then(Buffer.concat(parts)));
  request.once("error", () => {});
}

function sendBody(
  request: IncomingMessage,
  response: ServerResponse,
  outgoing: ClientRequest,
  piped: Piped,
  clock: Clock,
): void {
  let bytes = 0;
  request.on("data", (chunk: Buffer) => {
    if (outgoing.destroyed) return;
    bytes += chunk.length;
    if (bytes > limits.bodyBytes) {
      request.pause();
      const detail = `the body is longer than ${limits.bodyBytes} bytes`;
      sendRefusal(request, response, { code: "TOO_LARGE", detail }, piped.requestId, clock);
      outgoing.destroy();
    } else if (!outgoing.write(chunk)) {
      request.pause();
      outgoing.once("drain", () => request.resume());
    }
  });
  request.once("end", () => outgoing.end());
  request.once("error", () => outgoing.destroy());
}

function lost(request: IncomingMessage, response: ServerResponse, piped: Piped): void {
  sendRefusal(request, response, hostLost, piped.requestId);
}

function pick(headers: IncomingMessage["headers"], names: readonly string[]) {
  const picked: Record<string, string | string[]> = {};
  for (const name of names) {
    const value = headers[name];
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}
