import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { newSessionId } from "#lib/protocol/ids.ts";
import { limits } from "#lib/protocol/limits.ts";
import { isCredentialLive, revokeCredential, verifyToken } from "#server/state/credential-store.ts";
import { FakeClock } from "#server/testing/fake-clock.ts";
import { type HostDouble, startHostDouble } from "#server/testing/host-double.ts";
import { closedWith, startTestWeb, type TestWeb, upgradeStatus } from "#server/testing/test-web.ts";
import { HostLink } from "./host-link.ts";
import { OpenConnections } from "./open-connections.ts";
import { Revocation } from "./revocation.ts";
import { silentLog } from "./web-log.ts";

const session = newSessionId();
let host: HostDouble;
let test: TestWeb;

beforeAll(async () => {
  host = await startHostDouble();
  test = await startTestWeb({ host });
});
afterAll(async () => {
  await test.dispose();
  await host.dispose();
});
afterEach(() => {
  host.intercept = null;
});

const idOf = (token: string) => verifyToken(test.store, token)?.id ?? "";

describe("revocation", () => {
  it("[T43] [SE4] a revoked token's sockets and running replies are gone within a second, others stay", async () => {
    const token = test.token({ role: "agent" });
    const id = idOf(token);
    const sockets = Array.from({ length: 60 }, () => test.attach(session, token));
    const bystander = test.attach(session, test.agentToken);
    await Promise.all([...sockets, bystander].map(upgradeStatus));
    host.intercept = (request, response) => {
      if (request.url?.startsWith("/internal")) return false;
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(": open\n\n");
      return true;
    };
    const stream = await test.call("GET", "/sessions", { token });
    const cut = stream.text().then(
      () => "whole",
      () => "cut",
    );
    const closed = Promise.all(sockets.map(closedWith));
    const started = performance.now();
    expect(revokeCredential(test.store, id)).toBe(true);
    const codes = new Set((await closed).map(({ code }) => code));
    expect(await cut).toBe("cut");
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(codes).toEqual(new Set([4401]));
    expect(host.disconnects).toContain(id);
    expect(bystander.readyState).toBe(bystander.OPEN);
    expect((await test.call("GET", "/sessions", { token })).status).toBe(401);
  });

  it("[T43] sockets of a revoked token end although the host does not answer", async () => {
    const token = test.token({ role: "viewer" });
    const socket = test.attach(session, token);
    await upgradeStatus(socket);
    host.intercept = (request) => request.url === "/internal/disconnect";
    const closed = closedWith(socket);
    revokeCredential(test.store, idOf(token));
    expect(await closed).toEqual({ code: 4401, reason: "UNAUTHENTICATED" });
  });

  it("[SE3] logout closes the login's sockets", async () => {
    const login = await test.login();
    const socket = test.attachPage(session, login, await test.ticket(login, session));
    await upgradeStatus(socket);
    const closed = closedWith(socket);
    const reply = await test.call("POST", "/logout", { headers: login.headers });
    expect(reply.status).toBe(204);
    expect((await closed).code).toBe(4401);
  });

  it("[T42] what an expired credential holds open ends at the next look, half a second later at most", () => {
    const clock = new FakeClock();
    const store = { folder: host.dir.credentials, clock };
    const connections = new OpenConnections();
    const ended: number[] = [];
    const token = test.token({ role: "agent", ttlMs: 0 });
    // The token's own clock is the system's; in this store's time it has ended as well.
    const id = /^cot_agt_([a-z2-7]{16})/.exec(token)?.[1] ?? "";
    connections.add({ via: "token", id }, { kind: "socket", end: (code) => ended.push(code) });
    clock.advance(Date.now() - clock.now());
    expect(isCredentialLive(store, "token", id)).toBe(false);
    const revocation = new Revocation(store, connections, new HostLink(host.dir), silentLog, clock);
    revocation.start();
    clock.advance(limits.revocationCheckMs);
    clock.advance(300);
    revocation.dispose();
    expect(ended).toEqual([4401]);
    expect(clock.pending).toBe(0);
  });
});
