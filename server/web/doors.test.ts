import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { encodeActor } from "#lib/protocol/actor.ts";
import { problemSchema } from "#lib/protocol/errors.ts";
import { newSessionId } from "#lib/protocol/ids.ts";
import { limits } from "#lib/protocol/limits.ts";
import { apiBase } from "#lib/protocol/operations/operation.ts";
import { createLoginCode, listLogins } from "#server/state/credential-store.ts";
import { type HostDouble, startHostDouble } from "#server/testing/host-double.ts";
import { rawHttp } from "#server/testing/raw-http.ts";
import { closedWith, startTestWeb, type TestWeb, upgradeStatus } from "#server/testing/test-web.ts";

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
  host.calls.length = 0;
  host.intercept = null;
  host.onAttach = null;
});

describe("login", () => {
  it("[SE3] a one-time code opens a login once; the second use is refused and logged", async () => {
    const { code } = createLoginCode(test.store, { name: "Olga" });
    const post = () =>
      test.call("POST", "/login", { headers: { origin: test.origin }, body: { code } });
    const first = await post();
    expect(first.status).toBe(200);
    expect(first.headers.getSetCookie()[0]).toMatch(
      new RegExp(
        `^cotty_${test.tcpPort}=cot_web_[a-z2-7_]+; Max-Age=604800; Path=/; HttpOnly; SameSite=Strict$`,
      ),
    );
    const second = await post();
    expect(second.status).toBe(401);
    expect(problemSchema.parse(await second.json()).code).toBe("LOGIN_CODE_INVALID");
    expect(test.log.some((line) => line.includes("login code was refused"))).toBe(true);
  });

  it("[SE3] of a hundred concurrent uses of one code exactly one signs in", async () => {
    const { code } = createLoginCode(test.store, { name: "Olga" });
    const before = listLogins(test.store).length;
    const { exchangeLoginCode } = await import("#server/state/credential-store.ts");
    const results = await Promise.all(
      Array.from({ length: 100 }, async () => exchangeLoginCode(test.store, code)),
    );
    expect(results.filter((made) => made !== null)).toHaveLength(1);
    expect(listLogins(test.store)).toHaveLength(before + 1);
  });

  it("[T40] a cookie without the page's key opens nothing, on no route and no socket", async () => {
    const login = await test.login();
    const reads = ["/sessions", `/sessions/${session}`, `/sessions/${session}/screen`, "/me"];
    for (const path of reads) {
      const reply = await test.call("GET", path, { headers: { cookie: login.cookie } });
      expect(reply.status, path).toBe(401);
    }
    const write = await test.call("POST", "/sessions", {
      headers: { cookie: login.cookie, origin: test.origin },
      body: {},
    });
    expect(write.status).toBe(401);
    const { default: WebSocket } = await import("ws");
    const socket = new WebSocket(
      `ws://${test.host}${apiBase}/sessions/${session}/attach`,
      ["cotty.v1"],
      {
        origin: test.origin,
        headers: { cookie: login.cookie },
      },
    );
    expect(await upgradeStatus(socket)).toBe(401);
    expect(host.calls).toEqual([]);
    const whole = await test.call("GET", "/sessions", { headers: login.headers });
    expect(whole.status).toBe(200);
  });

  it("[T41] a cookie that was planted before the login is not honoured after it", async () => {
    const planted = `cotty_${test.tcpPort}=cot_web_${"a".repeat(16)}_${"b".repeat(52)}`;
    const login = await test.login();
    const twins = await test.call("GET", "/sessions", {
      headers: { ...login.headers, cookie: `${planted}; ${login.cookie}` },
    });
    expect(twins.status).toBe(401);
  });

  it("[SE3] logout ends the login at once", async () => {
    const login = await test.login();
    const out = await test.call("POST", "/logout", { headers: login.headers });
    expect(out.status).toBe(204);
    expect(out.headers.getSetCookie()[0]).toContain("Max-Age=0");
    expect((await test.call("GET", "/sessions", { headers: login.headers })).status).toBe(401);
  });

  it("[T23] a login from another origin is refused", async () => {
    const { code } = createLoginCode(test.store, { name: "Olga" });
    const reply = await test.call("POST", "/login", {
      headers: { origin: "http://evil.example" },
      body: { code },
    });
    expect(reply.status).toBe(403);
  });
});

describe("tickets", () => {
  it("[T10] a page's socket opens with cookie, own origin and ticket, and only cotty.v1 is answered", async () => {
    const login = await test.login();
    const ticket = await test.ticket(login, session);
    const socket = test.attachPage(session, login, ticket);
    expect(await upgradeStatus(socket)).toBe(101);
    expect(socket.protocol).toBe("cotty.v1");
    expect(host.calls.at(-1)?.headers["sec-websocket-protocol"]).toBe("cotty.v1");
    expect(JSON.stringify(host.calls)).not.toContain(ticket);
    expect(host.calls.at(-1)?.actor).toMatchObject({ kind: "human", role: "owner", name: "Olga" });
  });

  it("[T44] a ticket opens one socket; used again, or with another session, origin or login, it is 401", async () => {
    const login = await test.login();
    const other = await test.login();
    const ticket = await test.ticket(login, session);
    expect(await upgradeStatus(test.attachPage(session, login, ticket))).toBe(101);
    expect(await upgradeStatus(test.attachPage(session, login, ticket))).toBe(401);
    const altered = [
      async () => test.attachPage(newSessionId(), login, await test.ticket(login, session)),
      async () => test.attachPage(session, other, await test.ticket(login, session)),
      async () =>
        test.attachPage(session, login, await test.ticket(login, session, { readonly: true })),
    ];
    for (const open of altered) expect(await upgradeStatus(await open())).toBe(401);
    const noOrigin = test.attachPage(session, login, await test.ticket(login, session), {
      origin: undefined,
    });
    expect(await upgradeStatus(noOrigin)).toBe(403);
  });

  it("[T44] two uses of one ticket at once open exactly one socket, and losing locks nobody out", async () => {
    const login = await test.login();
    const seen = new Set<string>();
    for (let round = 0; round < 20; round += 1) {
      const ticket = await test.ticket(login, session);
      const two = [0, 1].map(() => test.attachPage(session, login, ticket));
      const statuses = await Promise.all(two.map(upgradeStatus));
      for (const socket of two) socket.terminate();
      seen.add(statuses.sort().join(" "));
      if (statuses.includes(429)) break;
    }
    // The losers are failed attempts: after ten of them the limiter answers for tickets, and for tickets only.
    for (const pair of seen) expect(["101 401", "101 429", "429 429"]).toContain(pair);
    expect(seen).toContain("101 401");
    expect((await test.call("GET", "/sessions", { headers: login.headers })).status).toBe(200);
  });
});

describe("answers without a credential", () => {
  it("[T138] health says that it is up, and nothing else", async () => {
    const reply = await test.call("GET", "/health");
    expect([reply.status, await reply.text()]).toEqual([200, '{"ok":true}']);
  });

  it("[T25] none leads anywhere else, whatever the address says", async () => {
    const wishes = [
      "//evil.example",
      "/\\evil.example",
      "/%5Cevil.example",
      "https:///evil.example",
    ];
    for (const wish of [...wishes, "javascript:alert(1)"]) {
      const query = `next=${encodeURIComponent(wish)}`;
      for (const path of [`/?${query}`, `/login?${query}`, `${apiBase}/login?${query}`, wish]) {
        const answer = await test.raw("GET", path);
        expect(answer.status < 300 || answer.status >= 400, path).toBe(true);
        expect(answer.headers.has("location"), path).toBe(false);
      }
    }
  });
});

describe("the pipe", () => {
  it("[HO4] [T45] what passed reaches the host as one actor, without anything the client invented", async () => {
    const reply = await test.call("POST", `/sessions/${session}/input`, {
      token: test.agentToken,
      body: { input: [{ text: "hi" }] },
      headers: {
        "x-cotty-actor": "forged",
        "x-cotty-host-key": "forged",
        "x-middleware-subrequest": "middleware",
        "x-forwarded-for": "127.0.0.1",
        cookie: "a=b",
      },
    });
    expect(reply.status).toBe(200);
    expect(await reply.json()).toMatchObject({ body: '{"input":[{"text":"hi"}]}' });
    const call = host.calls[0];
    expect(call?.actor).toMatchObject({ kind: "agent", role: "agent" });
    expect(
      Object.keys(call?.headers ?? {})
        .filter((name) => /^x-/.test(name))
        .sort(),
    ).toEqual(["x-cotty-actor", "x-cotty-host-key", "x-cotty-request-id"]);
    for (const name of ["cookie", "authorization"]) expect(call?.headers).not.toHaveProperty(name);
  });

  it("[HO4] [SE5] the host's own key, read from the state directory, opens nothing over TCP", async () => {
    const key = readFileSync(host.dir.hostKey, "utf8").trim();
    const actor = encodeActor({ kind: "human", id: "x", name: "x", role: "owner" });
    const headers = { "x-cotty-host-key": key, "x-cotty-actor": actor };
    expect((await test.call("GET", "/sessions", { headers })).status).toBe(401);
    expect((await test.call("GET", "/sessions", { headers, token: key })).status).toBe(401);
    expect((await fetch(`${test.origin}/internal/status`, { headers })).status).toBe(404);
    expect(host.calls).toEqual([]);
  });

  it("[SE6] the host's answers carry the security headers and nothing outside the allow-list", async () => {
    const reply = await test.call("GET", "/sessions", { token: test.agentToken });
    expect(reply.headers.get("x-content-type-options")).toBe("nosniff");
    expect(reply.headers.get("x-powered-by")).toBeNull();
    expect(reply.headers.get("access-control-allow-origin")).toBeNull();
  });

  it("[T132] a body over the limit is cut: announced before it is read, chunked at the limit", async () => {
    const announced = await rawHttp(
      test.tcpPort,
      `POST ${apiBase}/sessions HTTP/1.1\r\nHost: ${test.host}\r\nAuthorization: Bearer ${test.ownerToken}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${limits.bodyBytes + 1}\r\n\r\n`,
    );
    expect(announced.status).toBe(413);
    expect(host.calls).toEqual([]);
    const chunk = `10000\r\n${" ".repeat(65_536)}\r\n`;
    const chunked = await rawHttp(
      test.tcpPort,
      `POST ${apiBase}/sessions HTTP/1.1\r\nHost: ${test.host}\r\nAuthorization: Bearer ${test.ownerToken}\r\n` +
        `Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(17)}`,
    );
    expect(chunked.status).toBe(413);
    expect(problemSchema.parse(JSON.parse(chunked.body)).code).toBe("TOO_LARGE");
    expect(host.calls).toEqual([]);
  });

  it("a client that waits for 100 Continue is judged first and then asked for its body", async () => {
    const head = (token: string) =>
      `POST ${apiBase}/sessions HTTP/1.1\r\nHost: ${test.host}\r\nAuthorization: Bearer ${token}\r\n` +
      "Content-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n";
    const refused = await rawHttp(test.tcpPort, head("wrong"));
    expect(refused.status).toBe(401);
    const passed = await rawHttp(test.tcpPort, `${head(test.ownerToken)}{}`);
    expect(passed.status).toBe(200);
  });

  it("a client that goes away frees what it waited for at the host", async () => {
    const freed = new Promise<void>((resolve) => {
      host.intercept = (_request, response) => {
        response.once("close", () => resolve());
        return true;
      };
    });
    const abort = new AbortController();
    const waiting = fetch(`${test.origin}${apiBase}/sessions`, {
      headers: { authorization: `Bearer ${test.ownerToken}` },
      signal: abort.signal,
    }).catch(() => null);
    await expect.poll(() => test.web.connections.all().length).toBeGreaterThan(0);
    abort.abort();
    await waiting;
    await freed;
  });

  it("a reply that the host breaks off never looks whole", async () => {
    host.intercept = (_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write("{");
      setImmediate(() => response.destroy());
      return true;
    };
    const reply = await test.call("GET", "/sessions", { token: test.ownerToken });
    await expect(reply.text()).rejects.toThrow();
  });
});

describe("sockets", () => {
  it("[AT1] bytes go both ways untouched, also those that came with the handshake", async () => {
    host.onAttach = (viewer) => {
      viewer.send("first");
      viewer.on("message", (data, isBinary) => viewer.send(data, { binary: isBinary }));
    };
    const socket = test.attach(session, test.agentToken);
    const received: Buffer[] = [];
    socket.on("message", (data) => received.push(data as Buffer));
    expect(await upgradeStatus(socket)).toBe(101);
    const sent = Buffer.alloc(300_000, 7);
    socket.send(sent);
    await expect.poll(() => received.length).toBe(2);
    expect(received[0]?.toString()).toBe("first");
    expect(received[1]?.equals(sent)).toBe(true);
  });

  it("[AT1] a viewer that does not read slows the host down and takes no memory here", async () => {
    let sent = 0;
    host.onAttach = (viewer, request) => {
      const chunk = Buffer.alloc(256 * 1024, 1);
      const more = () => {
        if (viewer.readyState !== viewer.OPEN) return;
        if (request.socket.writableLength < 1024 * 1024 && sent < 400) {
          sent += 1;
          viewer.send(chunk, more);
        } else setTimeout(more, 5);
      };
      more();
    };
    const socket = test.attach(session, test.agentToken);
    await upgradeStatus(socket);
    socket.pause();
    let before = -1;
    await expect
      .poll(
        () => {
          const stuck = sent === before;
          before = sent;
          return stuck;
        },
        { interval: 300, timeout: 10_000 },
      )
      .toBe(true);
    expect(sent).toBeLessThan(100);
    let bytes = 0;
    socket.on("message", (data) => {
      bytes += (data as Buffer).length;
    });
    socket.resume();
    await expect.poll(() => bytes, { timeout: 20_000 }).toBe(400 * 256 * 1024);
  });

  it("[T31] [T50] unknown upgrades, h2c, other methods and old versions are refused and closed at once", async () => {
    const attach = `${apiBase}/sessions/${session}/attach`;
    const shake = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"];
    const key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
    const bearer = `Authorization: Bearer ${test.ownerToken}`;
    const cases: [number, string, string, string[]][] = [
      [404, "GET", `${apiBase}/nope`, [...shake, key, bearer]],
      [404, "GET", "/nope", [...shake, key, bearer]],
      [404, "GET", "/_next/webpack-hmr", [...shake, key, bearer]],
      [
        404,
        "GET",
        "/",
        ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AA"],
      ],
      [405, "POST", attach, [...shake, key, bearer]],
      [400, "GET", attach, [...shake.slice(0, 2), "Sec-WebSocket-Version: 12", key, bearer]],
      [400, "GET", attach, [...shake, bearer]],
      [400, "GET", attach, ["Connection: Upgrade", "Upgrade: h2c", key, bearer]],
      [401, "GET", attach, [...shake, key]],
    ];
    for (const [status, method, path, headers] of cases) {
      const lines = [`${method} ${path} HTTP/1.1`, `Host: ${test.host}`, ...headers];
      const answer = await rawHttp(test.tcpPort, `${lines.join("\r\n")}\r\n\r\n`, {
        waitForCloseMs: 1_000,
      });
      expect(answer.status, lines.join(" | ")).toBe(status);
      expect(answer.isClosed).toBe(true);
      expect(answer.elapsedMs).toBeLessThan(500);
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    }
    expect(host.calls).toEqual([]);
    expect(test.web.server.listenerCount("upgrade")).toBe(1);
    expect(test.web.server.listenerCount("request")).toBe(1);
  });

  it("[T58] the host's own refusal of a socket arrives with its status and our headers", async () => {
    const token = test.token({ role: "agent", sessions: [newSessionId()] });
    const answer = await rawHttp(
      test.tcpPort,
      `GET ${apiBase}/sessions/${session}/attach HTTP/1.1\r\nHost: ${test.host}\r\nConnection: Upgrade\r\n` +
        `Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n` +
        `Authorization: Bearer ${token}\r\n\r\n`,
    );
    expect(answer.status).toBe(404);
    expect(answer.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  });

  it("[T55] a principal's 65th socket is 429 before the upgrade, and a closed one frees its place", async () => {
    const token = test.token({ role: "agent" });
    const sockets = Array.from({ length: limits.socketsPerPrincipal }, () =>
      test.attach(session, token),
    );
    expect(new Set(await Promise.all(sockets.map(upgradeStatus)))).toEqual(new Set([101]));
    const calls = host.calls.length;
    expect(await upgradeStatus(test.attach(session, token))).toBe(429);
    expect(host.calls).toHaveLength(calls);
    const gone = closedWith(sockets[0] as (typeof sockets)[0]);
    sockets[0]?.close();
    await gone;
    await expect
      .poll(() => upgradeStatus(test.attach(session, token)), { timeout: 1_000 })
      .toBe(101);
    for (const socket of sockets) socket.terminate();
  });
});
