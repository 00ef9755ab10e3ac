// Gate step 7 (SE3, SE4): from what a request carries to an actor. Bearer token; cookie and page key; for sockets a bearer token or a
// ticket. Nothing in an address is ever looked at (T34).
import type { Actor } from "#lib/protocol/actor.ts";
import { pageKeyHeader } from "#lib/protocol/actor.ts";
import { attachProtocol } from "#lib/protocol/attach.ts";
import type { LoginRecord, TokenRecord } from "#server/state/credential-record.ts";
import type { Guess } from "./failure-limiter.ts";
import { cookieNamed } from "./login-cookie.ts";
import { type HeaderFacts, type RequestFacts, single } from "./request-facts.ts";
import type { Matched } from "./route-table.ts";
import type { TicketGrant } from "./tickets.ts";

/** Where credentials are looked up; the real one is the credential store and the tickets. */
export interface Verifier {
  token(presented: string): TokenRecord | null;
  login(cookie: string, key: string): LoginRecord | null;
  loginCookie(cookie: string): LoginRecord | null;
  tokenById(id: string): TokenRecord | null;
  ticket(presented: string): TicketGrant | null;
}

/** What a request carries, not yet looked up. */
export type Presented =
  | { readonly kind: "nothing" }
  /** Something is missing or malformed; there is nothing to look up. */
  | { readonly kind: "malformed"; readonly guess: Guess; readonly why: string }
  | { readonly kind: "bearer"; readonly token: string }
  | { readonly kind: "login"; readonly cookie: string; readonly key: string }
  | { readonly kind: "ticket"; readonly ticket: string; readonly cookie: string | undefined };

/** `via`: the credential file behind the actor; a ticket's is its maker's. */
export type Principal =
  | { readonly actor: Actor; readonly via: "token" }
  /** `since`: when the person signed in, wall time. */
  | { readonly actor: Actor; readonly via: "login"; readonly since: number };

export function presented(
  facts: RequestFacts,
  cookieName: string,
  { route }: Pick<Matched, "route">,
): Presented {
  const { headers } = facts;
  const authorization = single(headers, "authorization");
  if (authorization !== undefined) {
    const match = /^bearer +([\x21-\x7e]{1,200})$/i.exec(authorization.slice(0, 300));
    return match?.[1]
      ? { kind: "bearer", token: match[1] }
      : { kind: "malformed", guess: "token", why: "Authorization is not a bearer token" };
  }
  // A page has the API; here a browser's login opens nothing, so no page can be made to speak MCP (MC1).
  if (route.kind === "mcp") return { kind: "nothing" };
  const cookie = cookieNamed(headers, cookieName);
  if (facts.kind === "upgrade") {
    const ticket = offeredTicket(headers);
    if (ticket !== undefined) return { kind: "ticket", ticket, cookie };
    return { kind: "nothing" };
  }
  const key = single(headers, pageKeyHeader);
  if (cookie !== undefined && key !== undefined) return { kind: "login", cookie, key };
  return { kind: "nothing" };
}

/** The value beside `cotty.v1` in the list of subprotocols. */
function offeredTicket(headers: HeaderFacts): string | undefined {
  const offered = (headers.get("sec-websocket-protocol") ?? [])
    .flatMap((line) => line.split(","))
    .map((value) => value.trim());
  return offered.length === 2 && offered[0] === attachProtocol ? offered[1] : undefined;
}

export function guessOf(what: Presented): Guess | null {
  switch (what.kind) {
    case "nothing":
      return null;
    case "malformed":
      return what.guess;
    case "bearer":
      return "token";
    case "login":
    case "ticket":
      return what.kind;
  }
}

/** The principal, or the sentence that says why there is none. */
export function authenticate(
  what: Presented,
  facts: RequestFacts,
  matched: Matched,
  verifier: Verifier,
): Principal | string {
  switch (what.kind) {
    case "nothing":
      return missing(facts, matched);
    case "malformed":
      return what.why;
    case "bearer": {
      const record = verifier.token(what.token);
      return record ? tokenPrincipal(record) : "the token is unknown, revoked or expired";
    }
    case "login": {
      const record = verifier.login(what.cookie, what.key);
      return record ? loginPrincipal(record) : "the login is unknown, ended or expired";
    }
    case "ticket":
      return byTicket(what, facts, matched, verifier) ?? "the ticket is unknown, used or expired";
  }
}

function missing(facts: RequestFacts, { route }: Matched): string {
  if (facts.kind === "upgrade") return "this socket needs a bearer token or a ticket";
  if (route.kind === "mcp") return "MCP needs a bearer token";
  return "this call needs a bearer token, or a login's cookie and key";
}

function byTicket(
  what: Extract<Presented, { kind: "ticket" }>,
  facts: RequestFacts,
  { route, search }: Matched,
  verifier: Verifier,
): Principal | null {
  const grant = verifier.ticket(what.ticket);
  if (!grant || route.kind !== "attach" || route.session !== grant.session) return null;
  if ((single(facts.headers, "origin") ?? null) !== grant.origin) return null;
  if (grant.readonly && new URLSearchParams(search).get("readonly") !== "1") return null;
  switch (grant.principal.via) {
    case "token": {
      const record = verifier.tokenById(grant.principal.id);
      return record && tokenPrincipal(record);
    }
    case "login": {
      // The ticket stands for the page's key; the cookie of the same login is still needed (T10, T40).
      const record = what.cookie === undefined ? null : verifier.loginCookie(what.cookie);
      return record?.id === grant.principal.id ? loginPrincipal(record) : null;
    }
  }
}

/** An owner's token has a person's powers and types as a person; every other token is a program's. */
export function tokenPrincipal(record: TokenRecord): Principal {
  const actor: Actor = {
    kind: record.role === "owner" ? "human" : "agent",
    id: record.id,
    name: record.name,
    role: record.role,
    ...(record.sessions ? { sessions: record.sessions } : {}),
  };
  return { actor, via: "token" };
}

function loginPrincipal(record: LoginRecord): Principal {
  const { id, name, role, createdAt } = record;
  return { actor: { kind: "human", id, name, role }, via: "login", since: createdAt };
}
