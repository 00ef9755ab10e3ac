// `fetch` for requests that may be answered after a day (waits): Node's own gives up when no headers came for five minutes. JSON in and out, no
// redirects.
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";

export const patientFetch: typeof fetch = (input, init = {}) =>
  new Promise((resolve, reject) => {
    const url = new URL(String(input));
    const send = url.protocol === "https:" ? httpsRequest : httpRequest;
    const body = init.body == null ? undefined : Buffer.from(String(init.body));
    const headers = Object.fromEntries(new Headers(init.headers));
    if (body) headers["content-length"] = String(body.length);
    const outgoing = send(
      url,
      { method: init.method ?? "GET", headers, ...(init.signal ? { signal: init.signal } : {}) },
      (incoming) => {
        const parts: Buffer[] = [];
        incoming.on("data", (part: Buffer) => parts.push(part));
        incoming.once("error", reject);
        incoming.once("end", () => {
          const status = incoming.statusCode ?? 502;
          const hasBody = status !== 204 && status !== 304;
          resolve(new Response(hasBody ? Buffer.concat(parts) : null, { status }));
        });
      },
    );
    outgoing.once("error", reject);
    outgoing.end(body);
  });
