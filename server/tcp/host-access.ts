// The host's API and attach socket as one actor uses them from web's side of the wire: what a connection of the line service is a client of.
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import WebSocket from "ws";
import { type ApiClient, createApiClient } from "#lib/client/api-client.ts";
import type { OpenSocket, SocketLike } from "#lib/client/socket-like.ts";
import type { Actor } from "#lib/protocol/actor.ts";
import { type Problem, problemSchema } from "#lib/protocol/errors.ts";
import type { HostEndpoint } from "#server/state/host-endpoint.ts";

/** Stands for the host in addresses that never leave this machine. */
const inside = "http://host.invalid";
export const insideSocket = "ws://host.invalid";

/** A problem document is short; more is none. */
const problemBytes = 64 * 1024;

export function hostApi(host: HostEndpoint, actor: Actor): ApiClient {
  return createApiClient({
    baseUrl: inside,
    fetch: async (address, init) => {
      const { pathname, search } = new URL(String(address));
      const reply = await host.request(init?.method ?? "GET", pathname + search, {
        actor,
        ...(init?.body == null ? {} : { body: JSON.parse(String(init.body)) }),
        ...(init?.signal ? { signal: init.signal } : {}),
      });
      const hasBody = reply.status !== 204 && reply.status !== 304;
      return new Response(hasBody ? reply.text : null, { status: reply.status });
    },
  });
}

/** `refused`: the host answered the handshake with a no, which a WebSocket alone does not tell. */
export function hostSocket(
  host: HostEndpoint,
  actor: Actor,
  refused: (problem: Problem) => void,
): OpenSocket {
  return (url, protocols) => {
    const socket = new WebSocket(url, protocols, {
      headers: host.headers(actor, randomUUID()),
      followRedirects: false,
      perMessageDeflate: false,
      createConnection: () => connect(host.socketPath),
    });
    socket.on("unexpected-response", (request, reply) => {
      void problemOf(reply).then((problem) => {
        if (problem) refused(problem);
        request.destroy();
        socket.close();
      });
    });
    // Every error is followed by a close; without a listener it would end the process.
    socket.on("error", () => {});
    return socket as unknown as SocketLike;
  };
}

async function problemOf(reply: IncomingMessage): Promise<Problem | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of reply as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes > problemBytes) return undefined;
      parts.push(part);
    }
    return problemSchema.safeParse(JSON.parse(Buffer.concat(parts).toString("utf8"))).data;
  } catch {
    // Cut off, or no JSON: no reason is known.
    return undefined;
  }
}
