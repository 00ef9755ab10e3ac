// The operations that web answers itself, because they make or end credentials (SE3): login, logout, ticket, tokens, health.
import type { IncomingMessage, ServerResponse } from "node:http";
import { limits } from "#lib/protocol/limits.ts";
import { loginSchema, ticketSchema } from "#lib/protocol/login.ts";
import {
  type CredentialStore,
  exchangeLoginCode,
  revokeCredential,
} from "#server/state/credential-store.ts";
import { type Answerable, sendJson } from "./answer.ts";
import type { AuditReports } from "./audit-reports.ts";
import type { FailureLimiter } from "./gate/failure-limiter.ts";
import type { Caller } from "./gate/gate.ts";
import { clearLoginCookie, setLoginCookie } from "./gate/login-cookie.ts";
import type { Tickets } from "./gate/tickets.ts";
import { readOwnBody } from "./own-body.ts";
import type { Revocation } from "./revocation.ts";
import { answerTokens } from "./token-operations.ts";
import type { WebLog } from "./web-log.ts";

export interface OwnParts {
  readonly store: CredentialStore;
  readonly tickets: Tickets;
  readonly limiter: FailureLimiter;
  readonly revocation: Revocation;
  readonly cookieName: string;
  readonly scheme: "http" | "https";
  readonly audit: AuditReports;
  readonly log: WebLog;
}

export interface OwnCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly caller: Caller;
  readonly peer: string;
  /** Of the request, without its query. */
  readonly pathname: string;
  readonly requestId: string;
}

/** null: answered. Anything else is to be refused with it. */
export async function answerOwn(
  name: string,
  call: OwnCall,
  parts: OwnParts,
): Promise<Answerable | null> {
  switch (name) {
    case "health":
      sendJson(call.response, 200, { ok: true });
      return null;
    case "login":
      return login(call, parts);
    case "logout":
      return logout(call, parts);
    case "create_ticket":
      return ticket(call, parts);
    case "create_token":
    case "list_tokens":
    case "revoke_token":
      return answerTokens(name, call, parts);
    default:
      throw new Error(`invariant: web has no answer for operation ${name}`);
  }
}

async function login(call: OwnCall, parts: OwnParts): Promise<Answerable | null> {
  const { request, response, peer } = call;
  const body = await readOwnBody(request, loginSchema);
  if ("code" in body) return body;
  // Asked again: others may have failed while this body was on its way.
  const limited = parts.limiter.check(peer, "code");
  if (limited) return limited;
  const made = exchangeLoginCode(parts.store, body.value.code);
  if (!made) {
    parts.limiter.failed(peer, "code");
    parts.log("warn", "a login code was refused: unknown, used or expired", { peer });
    const outcome = "LOGIN_CODE_INVALID";
    const what = `code from ${peer}`;
    parts.audit.refused({
      act: "login",
      actor: null,
      session: null,
      outcome,
      what,
      request: call.requestId,
    });
    return { code: "LOGIN_CODE_INVALID", detail: "this link is unknown, used or expired" };
  }
  parts.limiter.succeeded(peer, "code");
  parts.log("info", "a browser signed in", { credential: made.record.id, peer });
  const { id, name } = made.record;
  parts.audit.record({
    act: "login",
    actor: { kind: "human", id, name },
    session: null,
    outcome: "done",
    what: `from ${peer}`,
    request: call.requestId,
  });
  sendJson(
    response,
    200,
    { key: made.key },
    { "set-cookie": setLoginCookie(parts.cookieName, made.cookie, parts.scheme) },
  );
  return null;
}

async function logout(call: OwnCall, parts: OwnParts): Promise<Answerable | null> {
  const { caller, response } = call;
  if (caller.via !== "login")
    return { code: "FORBIDDEN", detail: "a token is ended by revoking it, not by logging out" };
  revokeCredential(parts.store, caller.actor.id);
  const { kind, id, name } = caller.actor;
  const actor = { kind, id, name };
  parts.audit.record({
    act: "logout",
    actor,
    session: null,
    outcome: "done",
    request: call.requestId,
  });
  parts.revocation.check();
  sendJson(response, 204, undefined, {
    "set-cookie": clearLoginCookie(parts.cookieName, parts.scheme),
  });
  return null;
}

async function ticket(call: OwnCall, parts: OwnParts): Promise<Answerable | null> {
  const { request, response, caller } = call;
  if (caller.via === "nobody") throw new Error("invariant: the gate let nobody make a ticket");
  const body = await readOwnBody(request, ticketSchema);
  if ("code" in body) return body;
  const made = parts.tickets.issue({
    principal: { via: caller.via, id: caller.actor.id },
    session: body.value.session,
    readonly: body.value.readonly ?? false,
    origin: request.headers.origin ?? null,
  });
  if (made === null) return { code: "TOO_MANY_SOCKETS", detail: "too many unused tickets" };
  sendJson(response, 200, { ticket: made, expires_in_ms: limits.ticketMs });
  return null;
}
