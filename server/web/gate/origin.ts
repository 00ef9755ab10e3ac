// Gate step 5 (T10-T19): which page, if any, is speaking. A present Origin must be this server's own; `null` never is.
import { cookieNamed } from "./login-cookie.ts";
import { type Refusal, refusal } from "./refusal.ts";
import { type RequestFacts, single } from "./request-facts.ts";
import type { Route } from "./route-table.ts";

const step = "origin";

export function checkOrigin(
  facts: RequestFacts,
  /** The origin of the address this request was sent to (step 3). */
  own: string,
  route: Route,
  cookieName: string,
): Refusal | null {
  const origin = single(facts.headers, "origin");
  // Browsers write origins in one way only, so a string comparison is the exact one: case, slash, path and userinfo all fail.
  if (origin !== undefined && origin !== own)
    return refusal(step, "ORIGIN_NOT_ALLOWED", "a page of another origin may not call this server");
  const fetchSite = single(facts.headers, "sec-fetch-site");
  if (
    fetchSite !== undefined &&
    fetchSite !== "same-origin" &&
    fetchSite !== "none" &&
    !isLinkToPage(facts, route)
  ) {
    return refusal(step, "ORIGIN_NOT_ALLOWED", "the browser says that another site asks");
  }
  const isRead = facts.kind === "request" && (facts.method === "GET" || facts.method === "HEAD");
  const hasCookie = cookieNamed(facts.headers, cookieName) !== undefined;
  const hasBearer = facts.headers.has("authorization");
  if (origin === undefined && !isRead && hasCookie && !hasBearer)
    return refusal(step, "ORIGIN_NOT_ALLOWED", "a call with a cookie needs an Origin");
  return null;
}

/** A link to the dashboard in a mail or chat. Pages hold no data and cannot be framed, so following one gives nothing away. */
function isLinkToPage(facts: RequestFacts, route: Route): boolean {
  return (
    facts.kind === "request" &&
    facts.method === "GET" &&
    (route.kind === "asset" || route.kind === "next") &&
    route.isPage &&
    single(facts.headers, "sec-fetch-mode") === "navigate" &&
    single(facts.headers, "sec-fetch-dest") === "document"
  );
}
