// Tokens over the API, through a whole web server's sockets: who may, from which page, and what a revoked one still opens.
import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import type { Clock } from "#lib/base/clock.ts";
import { systemClock } from "#lib/base/clock.ts";
import { pageKeyHeader } from "#lib/protocol/actor.ts";
import { limits } from "#lib/protocol/limits.ts";
import { createdTokenSchema, type TokenInfo, tokenInfoSchema } from "#lib/protocol/tokens.ts";
import {
  createLoginCode,
  createToken,
  exchangeLoginCode,
  revokeCredential,
} from "#server/state/credential-store.ts";
import { type HostDouble, startHostDouble } from "#server/testing/host-double.ts";
import { startTestWeb, type TestLogin, type TestWeb } from "#server/testing/test-web.ts";

let host: HostDouble;
let test: TestWeb;
let login: TestLogin;
let aheadMs = 0;
const clock: Clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
beforeAll(async () => {
  host = await startHostDouble();
  test = await startTestWeb({ host, clock });
  login = await test.login();
});
afterAll(async () => {
  await test.dispose();
  await host.dispose();
});

const asPage = (method: string, path: string, body?: unknown) =>
  test.call(method, path, { headers: login.headers, ...(body === undefined ? {} : { body }) });
async function made(body: object = {}) {
  const reply = await asPage("POST", "/tokens", { name: "bot", role: "agent", ...body });
  expect(reply.status).toBe(201);
  return createdTokenSchema.parse(await reply.json());
}
async function listed(): Promise<TokenInfo[]> {
  const reply = await asPage("GET", "/tokens");
  expect(reply.status).toBe(200);
  return z.array(tokenInfoSchema).parse(((await reply.json()) as { tokens: unknown }).tokens);
}
const codeOf = async (reply: Response) => ((await reply.json()) as { code: string }).code;

describe("tokens at the dashboard", () => {
  it("[SE4] a token is made, shown once, opens what its role may, and is ended at once by revoking it", async () => {
    const before = systemClock.now();
    const agent = await made({ name: "  my bot " });
    expect(agent).toMatchObject({ name: "my bot", role: "agent", expires_at: null });
    expect(agent).toMatchObject({ sessions: null, last_used_at: null });
    expect(Date.parse(agent.created_at)).toBeGreaterThanOrEqual(before - 1);
    expect(agent.token).toMatch(/^cot_agt_[a-z2-7]{16}_[a-z2-7]{52}$/);
    const viewer = await made({ role: "viewer" });
    expect(viewer.token).toMatch(/^cot_vwr_/);
    expect(JSON.stringify(await listed())).not.toContain(agent.token.slice(-52));

    const call = (token: string) => test.call("GET", "/sessions", { token });
    expect((await call(agent.token)).status).toBe(200);
    expect((await asPage("DELETE", `/tokens/${agent.id}`)).status).toBe(204);
    expect((await call(agent.token)).status).toBe(401);
    expect((await call(viewer.token)).status).toBe(200);
    expect((await listed()).map(({ id }) => id)).not.toContain(agent.id);
    const again = await asPage("DELETE", `/tokens/${agent.id}`);
    expect([again.status, await codeOf(again)]).toEqual([404, "TOKEN_NOT_FOUND"]);
  });

  it("[SE4] the first call with a token shows at once, later ones once a minute", async () => {
    const { id, token, created_at } = await made();
    const lastUse = async () => (await listed()).find((one) => one.id === id)?.last_used_at;
    expect(await lastUse()).toBeNull();
    await test.call("GET", "/sessions", {
      token: `${token.slice(0, -1)}${token.endsWith("x") ? "y" : "x"}`,
    });
    expect(await lastUse()).toBeNull();
    await test.call("GET", "/sessions", { token });
    const first = await lastUse();
    expect(Date.parse(first ?? "")).toBeGreaterThan(Date.parse(created_at));
    aheadMs += 30_000;
    await test.call("GET", "/sessions", { token });
    expect(await lastUse()).toBe(first);
    aheadMs += 31_000;
    await test.call("GET", "/sessions", { token });
    expect(Date.parse((await lastUse()) ?? "")).toBeGreaterThanOrEqual(
      Date.parse(first ?? "") + 60_000,
    );
  });

  it("[SE4] a token may be told to end by itself", async () => {
    const { id, token, expires_at, created_at } = await made({ expires_in_ms: 60_000 });
    expect(Date.parse(expires_at ?? "")).toBe(Date.parse(created_at) + 60_000);
    expect((await test.call("GET", "/sessions", { token })).status).toBe(200);
    aheadMs += 60_001;
    expect((await test.call("GET", "/sessions", { token })).status).toBe(401);
    expect((await listed()).map((one) => one.id)).not.toContain(id);
  });
});

describe("who may", () => {
  it("[T6D] only within five minutes of signing in; listing and ending stay, and a fresh link opens the way again", async () => {
    const old = await test.login();
    const asOld = (method: string, path: string, body?: unknown) =>
      test.call(method, path, { headers: old.headers, ...(body ? { body } : {}) });
    const body = { name: "late", role: "agent" };
    const startedAhead = aheadMs;
    try {
      aheadMs += limits.freshLoginMs - 5_000;
      const { id } = (await (await asOld("POST", "/tokens", body)).json()) as { id: string };
      aheadMs += 6_000;
      const stale = await asOld("POST", "/tokens", body);
      expect([stale.status, await codeOf(stale)]).toEqual([401, "REAUTH"]);
      // Told before the body is looked at, and before the tokens are counted.
      expect(await codeOf(await asOld("POST", "/tokens", { nonsense: true }))).toBe("REAUTH");
      expect((await asOld("GET", "/tokens")).status).toBe(200);
      expect((await asOld("DELETE", `/tokens/${id}`)).status).toBe(204);
      const fresh = await test.login();
      const made = await test.call("POST", "/tokens", { headers: fresh.headers, body });
      expect(made.status).toBe(201);
      // The clock was put back: how fresh a login is cannot be told.
      aheadMs = startedAhead - 60_000;
      expect(await codeOf(await asOld("POST", "/tokens", body))).toBe("REAUTH");
    } finally {
      aheadMs = startedAhead;
    }
  });

  it("[T49] no bearer token makes, lists or ends tokens, not even an owner's", async () => {
    const { id } = await made();
    for (const token of [test.ownerToken, test.agentToken, test.token({ role: "viewer" })]) {
      const body = { name: "x", role: "agent" };
      expect((await test.call("POST", "/tokens", { token, body })).status).toBe(403);
      expect((await test.call("GET", "/tokens", { token })).status).toBe(403);
      expect((await test.call("DELETE", `/tokens/${id}`, { token })).status).toBe(403);
    }
    expect((await listed()).map((one) => one.id)).toContain(id);
  });

  it("[T49] a signed-in viewer may not", async () => {
    const { code } = createLoginCode(test.store, { name: "Vera", role: "viewer" });
    const made = exchangeLoginCode(test.store, code);
    if (!made) throw new Error("the code did not open a login");
    const cookieName = login.cookie.split("=")[0];
    const headers = {
      cookie: `${cookieName}=${made.cookie}`,
      [pageKeyHeader]: made.key,
      origin: test.origin,
    };
    for (const [method, path] of [
      ["GET", "/tokens"],
      ["DELETE", "/tokens/aaaa"],
    ] as const)
      expect((await test.call(method, path, { headers })).status).toBe(403);
  });

  it("[SE2] the cookie alone, a page without an origin and a foreign page make nothing", async () => {
    const count = (await listed()).length;
    const body = { name: "x", role: "agent" };
    const { origin: _, ...noOrigin } = login.headers;
    const wrong: [Record<string, string>, number][] = [
      [{ cookie: login.cookie, origin: test.origin }, 401],
      [noOrigin, 403],
      [{ ...login.headers, origin: "http://evil.example" }, 403],
      [{ ...login.headers, origin: "null" }, 403],
      [{ ...login.headers, "sec-fetch-site": "cross-site" }, 403],
      [{ ...login.headers, "content-type": "text/plain" }, 415],
    ];
    for (const [headers, status] of wrong)
      expect((await test.call("POST", "/tokens", { headers, body })).status).toBe(status);
    expect(await listed()).toHaveLength(count);
  });

  it("[SE4] revoking a token by its id ends no login, and a login's id is no token's", async () => {
    const [file = ""] = readdirSync(test.store.folder).filter((name) => /^login-/.test(name));
    const id = /login-(\w+)\./.exec(file)?.[1];
    expect((await asPage("DELETE", `/tokens/${id}`)).status).toBe(404);
    expect((await asPage("GET", "/tokens")).status).toBe(200);
  });
});

describe("what is refused", () => {
  it("[HT2] owners' tokens, odd names, unknown fields and times out of range are 400 and make nothing", async () => {
    const count = (await listed()).length;
    const bodies = [
      {},
      { name: "x" },
      { name: "x", role: "owner" },
      { name: " ", role: "agent" },
      { name: "a\u202eb", role: "agent" },
      { name: "x".repeat(limits.nameChars + 1), role: "agent" },
      { name: "x", role: "agent", sessions: [] },
      { name: "x", role: "agent", expires_in_ms: limits.tokenMs.min - 1 },
      { name: "x", role: "agent", expires_in_ms: limits.tokenMs.max + 1 },
    ];
    for (const body of bodies) {
      const reply = await asPage("POST", "/tokens", body);
      expect([reply.status, await codeOf(reply)], JSON.stringify(body)).toEqual([
        400,
        "BAD_REQUEST",
      ]);
    }
    expect(await listed()).toHaveLength(count);
  });

  it("[LM] no more tokens than the limit", async () => {
    const ids: string[] = [];
    for (let count = (await listed()).length; count < limits.tokens; count += 1)
      ids.push(createToken(test.store, { name: "x", role: "agent" }).record.id);
    const reply = await asPage("POST", "/tokens", { name: "one more", role: "agent" });
    expect([reply.status, await codeOf(reply)]).toEqual([429, "TOO_MANY_TOKENS"]);
    revokeCredential(test.store, ids.pop() ?? "");
    await made();
    for (const id of ids) revokeCredential(test.store, id);
  });
});
