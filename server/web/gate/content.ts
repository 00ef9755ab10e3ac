// Gate step 10 (T17, T132, T133): a body is JSON, plain, and not too long. Judged from the head; the body is not read yet.
// What a page can be made to send must say exactly application/json. No page can be made to send a token, so with one curl's own default
// is taken for what it is: nobody said a type (decision 009).
import * as z from "zod/mini";
import { limits } from "#lib/protocol/limits.ts";
import type { Principal } from "./authentication.ts";
import { type Refusal, refusal } from "./refusal.ts";
import { type RequestFacts, single } from "./request-facts.ts";
import type { Route } from "./route-table.ts";

const step = "content";

/** What curl says of `-d` when it is not told otherwise. */
export const unsaidType = "application/x-www-form-urlencoded";

export function checkContent(
  facts: RequestFacts,
  route: Route,
  via: Principal["via"] | "nobody",
): Refusal | null {
  const { headers } = facts;
  if (headers.has("content-encoding"))
    return refusal(step, "UNSUPPORTED_MEDIA_TYPE", "encoded bodies are not read");
  const length = single(headers, "content-length");
  const hasBody = headers.has("transfer-encoding") || (length !== undefined && length !== "0");
  const wantsBody =
    route.kind === "mcp" ||
    (route.kind === "operation" && !(route.operation.body instanceof z.ZodMiniUndefined));
  const isProgram = via === "token" && route.kind === "operation";
  const isFit = isProgram ? isProgramsType(facts, hasBody) : isExactlyJson(facts);
  if ((hasBody || wantsBody) && !isFit)
    return refusal(step, "UNSUPPORTED_MEDIA_TYPE", "Content-Type must be application/json");
  // With a GET it would be dropped on the way, and whoever wrote it believe that it was read.
  const isRead = facts.method === "GET" || facts.method === "HEAD";
  if (hasBody && (isRead || (route.kind !== "operation" && route.kind !== "mcp")))
    return refusal(step, "BAD_REQUEST", "no body is taken here");
  if (length !== undefined && Number(length) > limits.bodyBytes) {
    return refusal(
      step,
      "TOO_LARGE",
      `the body has ${length.slice(0, 20)} bytes; ${limits.bodyBytes} are allowed`,
    );
  }
  return null;
}

/** A browser may send the variants across sites without asking. */
function isExactlyJson({ headers }: RequestFacts): boolean {
  return single(headers, "content-type") === "application/json";
}

function isProgramsType({ headers }: RequestFacts, hasBody: boolean): boolean {
  if (!headers.has("content-type")) return !hasBody;
  const type = single(headers, "content-type") ?? "";
  return type === unsaidType || /^application\/json *(?:; *charset="?utf-8"?)?$/i.test(type);
}
