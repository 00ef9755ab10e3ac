// As much of `fetch` as a client needs, over node:http, for the host's Unix socket and for TCP alike. Waits as long as it takes (Node's own
// fetch gives up after five minutes without headers), follows no redirect, and streams the answer's body.
import { request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { Readable } from "node:stream";
import type { Answer, Send } from "#lib/client/call.ts";

/** Asked at every request: a host that was started again has another key. */
export type Route = () => { socketPath?: string; headers: Record<string, string> };

export function nodeFetch(route: Route): Send {
  return async (address, asked) => {
    const { socketPath, headers: own } = route();
    const url = new URL(address);
    const body = asked.body === undefined ? undefined : Buffer.from(asked.body);
    const headers: Record<string, string> = { ...asked.headers, ...own };
    if (body) headers["content-length"] = String(body.length);
    const isTls = url.protocol === "https:";
    const options: RequestOptions & { servername?: string } = {
      method: asked.method ?? "GET",
      headers,
      // Plain HTTP has no use for it, and Node would look for an IPv6 address in the host's name, with an expression that takes long to build.
      ...(isTls ? {} : { servername: "" }),
      // One connection per request; kept alive in name only (see server/state/host-endpoint.ts).
      agent: false,
      ...(asked.signal ? { signal: asked.signal } : {}),
      ...(socketPath === undefined ? {} : { socketPath }),
    };
    headers.connection = "keep-alive";
    // TLS takes long to load, and this machine's host speaks none.
    const send = isTls ? (await import("node:https")).request : httpRequest;
    return new Promise((resolve, reject) => {
      const outgoing = send(url, options, (incoming) => resolve(answerOf(incoming)));
      outgoing.once("error", reject);
      outgoing.end(body);
    });
  };
}

function answerOf(incoming: IncomingMessage): Answer {
  const status = incoming.statusCode ?? 502;
  const hasBody = status !== 204 && status !== 304;
  if (!hasBody) incoming.resume();
  let stream: ReadableStream<Uint8Array> | null = null;
  return {
    status,
    ok: status >= 200 && status < 300,
    headers: {
      get: (name) => {
        const value = incoming.headers[name.toLowerCase()];
        return typeof value === "string" ? value : null;
      },
    },
    get body() {
      if (hasBody) stream ??= Readable.toWeb(incoming) as ReadableStream<Uint8Array>;
      return stream;
    },
    text: async () => {
      if (!hasBody) return "";
      const parts: Uint8Array[] = [];
      for await (const part of incoming) parts.push(part);
      return new TextDecoder().decode(Buffer.concat(parts));
    },
  };
}
