// `fetch` over node:http, for the host's Unix socket and for TCP alike. Waits as long as it takes (Node's own fetch gives up after five minutes
// without headers), follows no redirect, and streams the answer's body.
import { request as httpRequest, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { Readable } from "node:stream";

/** Asked at every request: a host that was started again has another key. */
export type Route = () => { socketPath?: string; headers: Record<string, string> };

export function nodeFetch(route: Route): typeof fetch {
  return (input, init = {}) =>
    new Promise((resolve, reject) => {
      const { socketPath, headers: own } = route();
      const url = new URL(String(input));
      const body = init.body == null ? undefined : Buffer.from(String(init.body));
      const headers: Record<string, string> = {
        ...Object.fromEntries(new Headers(init.headers)),
        ...own,
      };
      if (body) headers["content-length"] = String(body.length);
      const options: RequestOptions = {
        method: init.method ?? "GET",
        headers,
        // One connection per request; kept alive in name only (see server/state/host-endpoint.ts).
        agent: false,
        ...(init.signal ? { signal: init.signal } : {}),
        ...(socketPath === undefined ? {} : { socketPath }),
      };
      headers.connection = "keep-alive";
      const send = url.protocol === "https:" ? httpsRequest : httpRequest;
      const outgoing = send(url, options, (incoming) => {
        const status = incoming.statusCode ?? 502;
        const hasBody = status !== 204 && status !== 304;
        if (!hasBody) incoming.resume();
        const answer = new Headers();
        for (const name of ["content-type", "etag", "retry-after"]) {
          const value = incoming.headers[name];
          if (typeof value === "string") answer.set(name, value);
        }
        resolve(
          new Response(hasBody ? (Readable.toWeb(incoming) as ReadableStream<Uint8Array>) : null, {
            status,
            headers: answer,
          }),
        );
      });
      outgoing.once("error", reject);
      outgoing.end(body);
    });
}
