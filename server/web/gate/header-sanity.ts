// Gate step 2: requests that mean different things to different readers are refused before anything is read into them (T03, T04, T16, T33).
import { limits } from "#lib/protocol/limits.ts";
import { type Refusal, refusal } from "./refusal.ts";
import type { RequestFacts } from "./request-facts.ts";

const step = "header_sanity";

/** Headers on which a decision rests or that frame the message: two of them are two opinions. */
const atMostOnce = [
  "authorization",
  "origin",
  "cookie",
  "content-type",
  "content-length",
  "content-encoding",
  "transfer-encoding",
  "x-cotty-key",
  "sec-fetch-site",
  "sec-fetch-mode",
  "sec-fetch-dest",
  "sec-websocket-key",
  "sec-websocket-version",
  "upgrade",
];

export function headerSanity(facts: RequestFacts): Refusal | null {
  const { headers, target, method } = facts;
  const hosts = headers.get("host")?.length ?? 0;
  if (hosts !== 1) {
    return refusal(step, "BAD_HEADERS", hosts === 0 ? "Host is missing" : "Host came twice");
  }
  for (const name of atMostOnce) {
    if ((headers.get(name)?.length ?? 0) > 1)
      return refusal(step, "BAD_HEADERS", `${name} came twice`);
  }
  if (headers.has("content-length") && headers.has("transfer-encoding"))
    return refusal(step, "BAD_HEADERS", "Content-Length and Transfer-Encoding came together");
  // Node joins folded lines itself; what it hands over must not hold a line end or NUL.
  for (const [name, values] of headers) {
    if (!isFieldName(name) || values.some((value) => /[\r\n\0]/.test(value)))
      return refusal(step, "BAD_HEADERS", "a header is malformed");
  }
  if (target === "*")
    return refusal(step, "METHOD_NOT_ALLOWED", `${method} * is not served`, { allow: [] });
  if (target.length > limits.urlBytes) {
    return refusal(
      step,
      "URI_TOO_LONG",
      `the address has ${target.length} characters; ${limits.urlBytes} are allowed`,
    );
  }
  if (!target.startsWith("/"))
    return refusal(step, "BAD_HEADERS", "the request target is not a path");
  return null;
}

function isFieldName(name: string): boolean {
  return /^[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(name);
}
