// Tokens, browser logins and login codes over one folder, shared by web and the CLI without a lock (SE3, SE4).
// Verifies and expires; knows nothing about HTTP, limits on guessing, or who may do what.
import type { Clock } from "#lib/base/clock.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { Role } from "#lib/protocol/roles.ts";
import {
  createCredentialFile,
  listCredentialFiles,
  readCredentialFile,
  removeCredentialFile,
  type StoredCredential,
  touchCredentialFile,
} from "./credential-file.ts";
import {
  type CodeRecord,
  type CredentialKind,
  type CredentialRecord,
  codeRecordSchema,
  type LoginRecord,
  loginRecordSchema,
  type TokenRecord,
  tokenRecordSchema,
} from "./credential-record.ts";
import {
  codeId,
  cookieId,
  isCredentialId,
  isPageKey,
  matchesHash,
  newCode,
  newCookie,
  newCredentialId,
  newPageKey,
  newToken,
  secretHash,
  tokenId,
} from "./credential-secret.ts";

/** A use is noted at most this often, a token's first one at once: one write per credential and minute is enough for an idle time of hours. */
const touchEveryMs = 60_000;

export interface CredentialStore {
  readonly folder: string;
  readonly clock: Clock;
}

export function createToken(
  store: CredentialStore,
  wish: { role: Role; name: string; sessions?: readonly string[]; ttlMs?: number },
): { token: string; record: TokenRecord } {
  const id = newCredentialId();
  const token = newToken(wish.role, id);
  const now = store.clock.now();
  const record = tokenRecordSchema.parse({
    kind: "token",
    id,
    name: wish.name,
    role: wish.role,
    ...(wish.sessions ? { sessions: [...wish.sessions] } : {}),
    hash: secretHash(token),
    createdAt: Math.floor(now),
    expiresAt: wish.ttlMs === undefined ? null : Math.floor(now + wish.ttlMs),
  });
  createCredentialFile(store.folder, record);
  return { token, record };
}

/** The token's record, or null. An expired one is removed when seen, so that a clock set back does not revive it (C-C1). */
export function verifyToken(store: CredentialStore, presented: string): TokenRecord | null {
  const id = tokenId(presented);
  const stored = id && readCredentialFile(store.folder, "token", id);
  if (!stored || !matchesHash(presented, stored.record.hash)) return null;
  if (!isTokenLive(store, stored.record)) return null;
  noteTokenUse(store, stored);
  return stored.record;
}

/** A file that was never touched has its creation for its time; whoever waits for the first call sees that at once. */
function noteTokenUse(store: CredentialStore, { record, usedAt }: StoredCredential<TokenRecord>) {
  const now = store.clock.now();
  if (!isUsed(record, usedAt))
    touchCredentialFile(store.folder, "token", record.id, Math.max(now, record.createdAt + 1));
  else if (now - usedAt >= touchEveryMs) touchCredentialFile(store.folder, "token", record.id, now);
}

/** The file's time is kept in a float of seconds: it may be off by some microseconds. */
function isUsed(record: TokenRecord, usedAt: number): boolean {
  return usedAt - record.createdAt > 0.5;
}

function isTokenLive(store: CredentialStore, record: TokenRecord): boolean {
  if (record.expiresAt === null || record.expiresAt > store.clock.now()) return true;
  removeCredentialFile(store.folder, "token", record.id);
  return false;
}

/** A one-time code for `cotty open` (120 s). */
export function createLoginCode(
  store: CredentialStore,
  wish: { name: string; role?: Role },
): { code: string; record: CodeRecord } {
  const id = newCredentialId();
  const code = newCode(id);
  const now = Math.floor(store.clock.now());
  const record = codeRecordSchema.parse({
    kind: "code",
    id,
    name: wish.name,
    role: wish.role ?? "owner",
    hash: secretHash(code),
    createdAt: now,
    expiresAt: now + limits.loginCodeMs,
  });
  createCredentialFile(store.folder, record);
  return { code, record };
}

/** Trades a code for a login. null: unknown, used, expired; of two callers exactly one gets the login. */
export function exchangeLoginCode(
  store: CredentialStore,
  presented: string,
): { cookie: string; key: string; record: LoginRecord } | null {
  const id = codeId(presented);
  const stored = id && readCredentialFile(store.folder, "code", id);
  if (!stored || !matchesHash(presented, stored.record.hash)) return null;
  if (!removeCredentialFile(store.folder, "code", stored.record.id)) return null;
  const now = Math.floor(store.clock.now());
  if (stored.record.expiresAt <= now) return null;
  const loginId = newCredentialId();
  const cookie = newCookie(loginId);
  const key = newPageKey();
  const record = loginRecordSchema.parse({
    kind: "login",
    id: loginId,
    name: stored.record.name,
    role: stored.record.role,
    cookieHash: secretHash(cookie),
    keyHash: secretHash(key),
    createdAt: now,
    expiresAt: now + limits.loginAbsoluteMs,
  });
  createCredentialFile(store.folder, record);
  return { cookie, key, record };
}

/** The login of a cookie and its page's key; notes the use. A cookie alone opens nothing (T40). */
export function verifyLogin(
  store: CredentialStore,
  cookie: string,
  key: string,
): LoginRecord | null {
  const stored = isPageKey(key) ? loginOfCookie(store, cookie) : null;
  if (!stored || !matchesHash(key, stored.record.keyHash)) return null;
  const now = store.clock.now();
  if (now - stored.usedAt >= touchEveryMs)
    touchCredentialFile(store.folder, "login", stored.record.id, now);
  return stored.record;
}

/** The login a cookie names. Half of a proof: only for callers that hold the other half, a ticket. */
export function verifyLoginCookie(store: CredentialStore, cookie: string): LoginRecord | null {
  return loginOfCookie(store, cookie)?.record ?? null;
}

function loginOfCookie(
  store: CredentialStore,
  cookie: string,
): StoredCredential<LoginRecord> | null {
  const id = cookieId(cookie);
  const stored = id && readCredentialFile(store.folder, "login", id);
  if (!stored || !matchesHash(cookie, stored.record.cookieHash)) return null;
  return isLoginLive(store, stored.record, stored.usedAt) ? stored : null;
}

function isLoginLive(store: CredentialStore, record: LoginRecord, usedAt: number): boolean {
  const now = store.clock.now();
  if (now < record.expiresAt && now - usedAt < limits.loginIdleMs) return true;
  removeCredentialFile(store.folder, "login", record.id);
  return false;
}

/** A live token by its id: for callers that hold another proof of it, a ticket. */
export function findToken(store: CredentialStore, id: string): TokenRecord | null {
  const stored = isCredentialId(id) ? readCredentialFile(store.folder, "token", id) : null;
  return stored && isTokenLive(store, stored.record) ? stored.record : null;
}

/** Whether the credential with this id still opens something: asked for sockets that are open already (SE4). */
export function isCredentialLive(
  store: CredentialStore,
  kind: CredentialKind,
  id: string,
): boolean {
  switch (kind) {
    case "token": {
      const stored = readCredentialFile(store.folder, "token", id);
      return stored !== null && isTokenLive(store, stored.record);
    }
    case "login": {
      const stored = readCredentialFile(store.folder, "login", id);
      return stored !== null && isLoginLive(store, stored.record, stored.usedAt);
    }
    case "code":
      return false;
  }
}

export function listTokens(store: CredentialStore): TokenRecord[] {
  return listOf(store, "token").map(({ record }) => record);
}

/** Live ones with their last use, to the minute; null: never used. */
export function listTokenUses(
  store: CredentialStore,
): { record: TokenRecord; lastUsedAt: number | null }[] {
  return listOf(store, "token")
    .filter(({ record }) => isTokenLive(store, record))
    .map(({ record, usedAt }) => ({
      record,
      lastUsedAt: isUsed(record, usedAt) ? usedAt : null,
    }));
}

export function listLogins(store: CredentialStore): LoginRecord[] {
  return listOf(store, "login").map(({ record }) => record);
}

/** Oldest first. */
function listOf<K extends "token" | "login">(store: CredentialStore, kind: K) {
  return listCredentialFiles(store.folder)
    .filter((file) => file.kind === kind)
    .flatMap(({ id }) => {
      const stored = readCredentialFile(store.folder, kind, id);
      return stored ? [{ stored, createdAt: (stored.record as CredentialRecord).createdAt }] : [];
    })
    .sort((a, b) => a.createdAt - b.createdAt)
    .map(({ stored }) => stored);
}

/** Ends a token, and nothing else that has this id. False: there was none. */
export function revokeToken(store: CredentialStore, id: string): boolean {
  return isCredentialId(id) && removeCredentialFile(store.folder, "token", id);
}

/** Ends a token or login by id; web cuts its sockets within a second. False: there was none. */
export function revokeCredential(store: CredentialStore, id: string): boolean {
  if (!isCredentialId(id)) return false;
  const token = removeCredentialFile(store.folder, "token", id);
  return removeCredentialFile(store.folder, "login", id) || token;
}

/** Removes what has expired. Called at the start of web and then hourly; expiry itself never depends on it. */
export function sweepCredentials(store: CredentialStore): void {
  for (const { kind, id } of listCredentialFiles(store.folder)) {
    if (kind !== "code") isCredentialLive(store, kind, id);
    else {
      const stored = readCredentialFile(store.folder, "code", id);
      if (stored && stored.record.expiresAt <= store.clock.now())
        removeCredentialFile(store.folder, "code", id);
    }
  }
}
