// A running Cotty as a program's own: calls, attachments and events of one server, with one token.
import WebSocket from "ws";
import { type Clock, systemClock } from "#lib/base/clock.ts";
import { type ApiClient, createApiClient } from "#lib/client/api-client.ts";
import { AttachClient } from "#lib/client/attach-client.ts";
import type { AttachTarget } from "#lib/client/attach-target.ts";
import type { ApiClientOptions } from "#lib/client/call.ts";
import { EventStream } from "#lib/client/event-stream.ts";
import { noPage } from "#lib/client/page-signals.ts";
import type { OpenSocket, SocketLike } from "#lib/client/socket-like.ts";

export interface Connection {
  /** One method per operation; throws ApiError. */
  readonly api: ApiClient;
  /** A viewer that comes back by itself; not started yet. */
  attach(session: string, target: AttachTarget, options?: { readOnly?: boolean }): AttachClient;
  /** What happens from now on, or after an event that is known; not started yet. */
  events(wish?: { after?: string; session?: string; types?: readonly string[] }): EventStream;
}

export interface ConnectOptions {
  /** As `cotty start` printed it. */
  readonly url: string;
  readonly token: string;
  readonly clock?: Clock;
}

export function connect({ url, token, clock = systemClock }: ConnectOptions): Connection {
  const baseUrl = url.replace(/\/$/, "");
  const headers = { authorization: `Bearer ${token}` };
  const server: ApiClientOptions = { baseUrl, headers: () => headers };
  const openSocket: OpenSocket = (address, protocols) =>
    new WebSocket(address, protocols, {
      headers,
      followRedirects: false,
      perMessageDeflate: false,
    }) as unknown as SocketLike;
  return connection(server, baseUrl.replace(/^http/, "ws"), openSocket, clock);
}

function connection(
  server: ApiClientOptions,
  socketUrl: string,
  openSocket: OpenSocket,
  clock: Clock,
): Connection {
  const page = noPage();
  return {
    api: createApiClient(server),
    attach: (sessionId, target, { readOnly = true } = {}) =>
      new AttachClient({
        sessionId,
        isReadOnly: readOnly,
        socketUrl,
        openSocket,
        authorise: async () => [],
        clock,
        page,
        target,
      }),
    events: (wish = {}) => new EventStream({ server, clock, page, ...wish }),
  };
}
