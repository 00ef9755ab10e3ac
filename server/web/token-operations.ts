// Tokens for agents, made, listed and ended by a person at the dashboard. A bearer is refused whatever its role: a token that leaked must
// not make itself a successor (T49). Owners' tokens come from `cotty token create` alone.

import type { Actor } from "#lib/protocol/actor.ts";
import type { AuditAct } from "#lib/protocol/audit.ts";
import { limits } from "#lib/protocol/limits.ts";
import { createTokenSchema, type TokenInfo } from "#lib/protocol/tokens.ts";
import type { TokenRecord } from "#server/state/credential-record.ts";
import { createToken, listTokenUses, revokeToken } from "#server/state/credential-store.ts";
import { type Answerable, sendJson } from "./answer.ts";
import { readOwnBody } from "./own-body.ts";
import type { OwnCall, OwnParts } from "./own-operations.ts";

/** Of the acts above, what the audit is told. Listing is none. */
const auditWords: Partial<Record<TokenOperation, string>> = {
  create_token: "make one",
  revoke_token: "revoke one",
};

export type TokenOperation = "create_token" | "list_tokens" | "revoke_token";

/** null: answered. Anything else is to be refused with it. */
export async function answerTokens(
  name: TokenOperation,
  call: OwnCall,
  parts: OwnParts,
): Promise<Answerable | null> {
  const refused = await answer(name, call, parts);
  const what = auditWords[name];
  if (refused && what && call.caller.via !== "nobody") {
    const { kind, id, name: who } = call.caller.actor;
    parts.audit.refused({
      act: "token",
      actor: { kind, id, name: who },
      session: null,
      outcome: refused.code,
      what,
      request: call.requestId,
    });
  }
  return refused;
}

async function answer(
  name: TokenOperation,
  call: OwnCall,
  parts: OwnParts,
): Promise<Answerable | null> {
  if (call.caller.via !== "login")
    return {
      code: "FORBIDDEN",
      detail:
        "tokens are managed by a person who is signed in to the dashboard, or with `cotty token`",
    };
  switch (name) {
    case "create_token":
      return create(call, call.caller, parts);
    case "list_tokens":
      return list(call, parts);
    case "revoke_token":
      return revoke(call, call.caller.actor, parts);
  }
}

async function create(
  call: OwnCall,
  by: { readonly actor: Actor; readonly since: number },
  parts: OwnParts,
): Promise<Answerable | null> {
  const age = parts.store.clock.now() - by.since;
  // Below zero the machine's clock was put back: nobody knows how old that is.
  if (age < 0 || age > limits.freshLoginMs)
    return {
      code: "REAUTH",
      detail: `a token is made within ${limits.freshLoginMs / 60_000} minutes of signing in`,
    };
  const body = await readOwnBody(call.request, createTokenSchema);
  if ("code" in body) return body;
  const count = listTokenUses(parts.store).length;
  if (count >= limits.tokens)
    return { code: "TOO_MANY_TOKENS", detail: `there are ${count} tokens already` };
  const { name, role, expires_in_ms: ttlMs } = body.value;
  const { token, record } = createToken(parts.store, {
    name,
    role,
    ...(ttlMs === undefined ? {} : { ttlMs }),
  });
  parts.log("info", "a token was made", { credential: record.id, role, by: by.actor.id });
  parts.audit.record(tokenAct(by.actor, `made ${role} token ${record.id} (${name})`, call));
  sendJson(call.response, 201, { ...info(record, null), token });
  return null;
}

async function list(call: OwnCall, parts: OwnParts): Promise<null> {
  const tokens = listTokenUses(parts.store).map(({ record, lastUsedAt }) =>
    info(record, lastUsedAt),
  );
  sendJson(call.response, 200, { tokens });
  return null;
}

async function revoke(call: OwnCall, by: Actor, parts: OwnParts): Promise<Answerable | null> {
  const id = call.pathname.slice(call.pathname.lastIndexOf("/") + 1);
  if (!revokeToken(parts.store, id))
    return { code: "TOKEN_NOT_FOUND", detail: `there is no token ${JSON.stringify(id)}` };
  parts.log("info", "a token was revoked", { credential: id, by: by.id });
  parts.audit.record(tokenAct(by, `revoked token ${id}`, call));
  parts.revocation.check();
  sendJson(call.response, 204, undefined);
  return null;
}

function tokenAct({ kind, id, name }: Actor, what: string, { requestId }: OwnCall): AuditAct {
  const actor = { kind, id, name };
  return {
    act: "token",
    actor,
    session: null,
    outcome: "done",
    what: what.slice(0, 200),
    request: requestId,
  };
}

function info(record: TokenRecord, lastUsedAt: number | null): TokenInfo {
  const { id, name, role, sessions, createdAt, expiresAt } = record;
  return {
    id,
    name,
    role,
    sessions: sessions ?? null,
    created_at: iso(createdAt),
    expires_at: expiresAt === null ? null : iso(expiresAt),
    last_used_at: lastUsedAt === null ? null : iso(lastUsedAt),
  };
}

function iso(wallMs: number): string {
  return new Date(wallMs).toISOString();
}
