import { describe, expect, it } from "vitest";
import { newSessionId } from "#lib/protocol/ids.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { GateDouble } from "#server/testing/gate-double.ts";
import {
  facts,
  gateDouble,
  ownersLogin,
  gatePort as P,
  upgradeFacts,
} from "#server/testing/gate-double.ts";
import type { RequestFacts } from "./request-facts.ts";

const list = "/api/v1/sessions";
const session = newSessionId();
const attach = `${list}/${session}/attach`;
const own = `http://localhost:${P}`;
const bearer = { authorization: "Bearer owner" };
const json = { "content-type": "application/json", "content-length": "2" };
const page = { cookie: `cotty_${P}=cookie`, "x-cotty-key": "key", origin: own };

/** "pass", or code and step of the refusal. */
function verdict(double: GateDouble, given: RequestFacts): string {
  const judged = double.gate.judge(given);
  return judged.pass ? "pass" : judged.refusal.code;
}
const judge = (given: RequestFacts) => verdict(gateDouble(), given);

describe("header sanity", () => {
  it("[T03] [T16] [T33] two Hosts, Origins or Authorizations are 400, whichever comes first", () => {
    const evil = `evil.example:${P}`;
    for (const host of [
      [`localhost:${P}`, evil],
      [evil, `localhost:${P}`],
      [`localhost:${P}`, `localhost:${P}`],
    ])
      expect(judge(facts("GET", list, { ...bearer, host }))).toBe("BAD_HEADERS");
    expect(judge(facts("GET", list, { ...bearer, origin: [own, own] }))).toBe("BAD_HEADERS");
    expect(judge(facts("GET", list, { authorization: ["Bearer owner", "Bearer x"] }))).toBe(
      "BAD_HEADERS",
    );
    expect(judge(facts("GET", list, { ...page, "x-cotty-key": ["key", "x"] }))).toBe("BAD_HEADERS");
  });

  it("[T04] a missing Host, an absolute address and OPTIONS * are refused", () => {
    expect(judge(facts("GET", list, { host: undefined }))).toBe("BAD_HEADERS");
    expect(judge(facts("GET", "http://evil.example/api/v1/sessions", bearer))).toBe("BAD_HEADERS");
    expect(judge(facts("GET", `${own}/health`, bearer))).toBe("BAD_HEADERS");
    expect(judge(facts("OPTIONS", "*"))).toBe("METHOD_NOT_ALLOWED");
    expect(judge(facts("GET", "health"))).toBe("BAD_HEADERS");
  });

  it("[T132] an address over 4 KiB is 414", () => {
    const target = (length: number) => `/health?${"a".repeat(length - "/health?".length)}`;
    expect(judge(facts("GET", target(limits.urlBytes)))).toBe("pass");
    expect(judge(facts("GET", target(limits.urlBytes + 1)))).toBe("URI_TOO_LONG");
  });
});

describe("Host", () => {
  const good = [`localhost:${P}`, `LOCALHOST:${P}`, `127.0.0.1:${P}`, `[::1]:${P}`];
  const lookAlikes = [
    "localhost",
    "localhost.evil.com",
    `localhost.evil.com:${P}`,
    `127.0.0.1.nip.io:${P}`,
    `localhost.:${P}`,
    `0.0.0.0:${P}`,
    `127.1:${P}`,
    `2130706433:${P}`,
    `[::ffff:127.0.0.1]:${P}`,
    `[0:0:0:0:0:0:0:1]:${P}`,
    `::1:${P}`,
    `localhost:${P + 1}`,
    `localhost:0${P}`,
    `localhost:${P}/`,
    `localhost:${P} `,
    ` localhost:${P}`,
    `localhost:${P},evil.com`,
    `a@localhost:${P}`,
    `localhost:`,
    `localhost:99999`,
    `lоcalhost:${P}`,
    `localhost。:${P}`,
    "",
    "x".repeat(10_240),
    `evil.com:${P}`,
  ];

  it("[T05] only the exact names pass, on pages, assets, the API, unknown paths and upgrades", () => {
    for (const host of good) {
      expect(judge(facts("GET", "/", { host })), host).toBe("pass");
      expect(judge(facts("GET", list, { ...bearer, host })), host).toBe("pass");
      expect(judge(upgradeFacts(attach, { ...bearer, host })), host).toBe("pass");
    }
    const double = gateDouble();
    for (const host of lookAlikes) {
      for (const path of [
        "/",
        "/_next/static/chunks/x.js",
        "/favicon.ico",
        "/nope",
        list,
        "/health",
      ])
        expect(verdict(double, facts("GET", path, { ...bearer, host })), `${host} ${path}`).toBe(
          "HOST_NOT_ALLOWED",
        );
      expect(verdict(double, upgradeFacts(attach, { ...bearer, host })), host).toBe(
        "HOST_NOT_ALLOWED",
      );
    }
    expect(double.lookUps).toBe(0);
  });

  it("[T02] a rebound name is refused although its Origin agrees with it", () => {
    const rebound = { ...page, host: `evil.example:${P}`, origin: `http://evil.example:${P}` };
    const double = gateDouble();
    expect(verdict(double, facts("GET", list, rebound))).toBe("HOST_NOT_ALLOWED");
    expect(verdict(double, upgradeFacts(attach, rebound))).toBe("HOST_NOT_ALLOWED");
    expect(double.lookUps).toBe(0);
  });

  it("[T05] --allow-host adds a name with our port and the scheme's own, or exactly the port it names", () => {
    const double = gateDouble({ allowHosts: ["Cotty.Example", "box.lan:8443"], scheme: "https" });
    const passes = (host: string) => verdict(double, facts("GET", "/health", { host })) === "pass";
    expect(
      ["cotty.example", `cotty.example:${P}`, "cotty.example:443", "box.lan:8443"].map(passes),
    ).toEqual([true, true, true, true]);
    expect(["cotty.example:80", "box.lan", `box.lan:${P}`, "a.cotty.example"].map(passes)).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(() => gateDouble({ allowHosts: ["*"] })).toThrow("--allow-host");
    expect(() => gateDouble({ allowHosts: ["http://x"] })).toThrow("--allow-host");
  });

  it("[T06] forwarded headers change nothing", () => {
    const forwarded = {
      "x-forwarded-host": `localhost:${P}`,
      forwarded: `host=localhost:${P}`,
      "x-real-ip": "127.0.0.1",
    };
    expect(judge(facts("GET", list, { ...bearer, ...forwarded, host: "evil.example" }))).toBe(
      "HOST_NOT_ALLOWED",
    );
  });
});

describe("paths and methods", () => {
  it("[T135] what is not a listed path is 404, a listed path with another method 405 with Allow", () => {
    const paths = [
      "/nope",
      "/api",
      "/api/",
      "/api/v1",
      "/api/v2/sessions",
      `${list}/`,
      "//api/v1/sessions",
      "/api/v1//sessions",
      "/api/v1/./sessions",
      "/x/../api/v1/sessions",
      "/api%2fv1/sessions",
      "/api/v1/sessions%00",
      "/api/v1/sessions;x",
      "/api\\v1\\sessions",
      "/internal/status",
      "/internal/disconnect",
      "/.env",
      "/_next/static/../../package.json",
      "/s/%2e%2e/",
      "/API/V1/sessions",
    ];
    for (const path of paths) {
      const judged = gateDouble().gate.judge(facts("GET", path, bearer));
      expect(judged.pass ? "pass" : judged.refusal.code, path).toBe("NOT_FOUND");
    }
    const refused = gateDouble().gate.judge(facts("OPTIONS", list));
    expect(refused).toMatchObject({ refusal: { allow: ["POST", "GET", "HEAD"] } });
    for (const method of ["POST", "PUT", "DELETE", "TRACE", "PROPFIND", "get"])
      expect(judge(facts(method, "/health")), method).toBe("METHOD_NOT_ALLOWED");
    expect(judge(facts("POST", "/", json))).toBe("METHOD_NOT_ALLOWED");
  });

  it("[T46] a server action is refused before any page is asked", () => {
    expect(judge(facts("POST", "/", { "next-action": "x", ...json }))).toBe("METHOD_NOT_ALLOWED");
    const dev = gateDouble({ dev: true });
    expect(verdict(dev, facts("POST", "/", { "next-action": "x" }))).toBe("METHOD_NOT_ALLOWED");
  });

  it("[T47] development paths exist in development only, for our own origin only", () => {
    for (const path of ["/_next/hmr", "/_next/mcp", "/__nextjs_original-stack-frames"]) {
      expect(judge(facts("GET", path)), path).toBe("NOT_FOUND");
      expect(judge(upgradeFacts(path)), path).toBe("NOT_FOUND");
    }
    const dev = gateDouble({ dev: true });
    expect(verdict(dev, upgradeFacts("/_next/hmr", { origin: own }))).toBe("pass");
    expect(verdict(dev, upgradeFacts("/_next/hmr", { origin: "http://evil.example" }))).toBe(
      "ORIGIN_NOT_ALLOWED",
    );
    expect(verdict(dev, upgradeFacts("/_next/whatever", { origin: own }))).toBe("NOT_FOUND");
    expect(verdict(dev, facts("GET", "/_next/mcp", { origin: "http://evil.example" }))).toBe(
      "ORIGIN_NOT_ALLOWED",
    );
    // Next's own MCP server would take it and answers no question of ours about who asks.
    expect(verdict(dev, facts("POST", "/_next/mcp", { origin: own, ...json }))).toBe(
      "METHOD_NOT_ALLOWED",
    );
  });
});

describe("Origin and fetch metadata", () => {
  const foreign = [
    "null",
    "http://localhost:5173",
    `https://localhost:${P}`,
    `http://127.0.0.1:${P}`,
    `http://localhost:${P}.evil.com`,
    `http://evil.com/?localhost:${P}`,
    `HTTP://LOCALHOST:${P}`,
    `http://localhost:${P}/`,
    `http://localhost:${P}/path`,
    `http://a@localhost:${P}`,
    `http://localhost:${P} `,
    "http://localhost",
    "",
    "http://evil.com",
    "http://127.0.0.1.nip.example",
    "file://",
  ];

  it("[T11] [T12] [T13] [T14] [T15] a present Origin is exactly ours, for cookies, tokens and sockets", () => {
    for (const origin of foreign) {
      const double = gateDouble();
      const given = [
        facts("GET", list, { ...bearer, origin }),
        facts("POST", list, { ...bearer, ...json, origin }),
        facts("POST", list, { ...page, ...json, origin }),
        facts("POST", "/api/v1/login", { ...json, origin }),
        facts("POST", "/api/v1/ticket", { ...page, ...json, origin }),
        facts("GET", "/", { origin }),
        upgradeFacts(attach, { ...bearer, origin }),
        upgradeFacts(attach, { ...page, origin, "sec-websocket-protocol": "cotty.v1, t" }),
      ];
      for (const one of given)
        expect(verdict(double, one), `${origin} ${one.method} ${one.target}`).toBe(
          "ORIGIN_NOT_ALLOWED",
        );
      expect(double.lookUps).toBe(0);
    }
    expect(judge(facts("POST", list, { ...page, ...json }))).toBe("pass");
  });

  it("[T10] [T17] a cookie without Origin is refused on writes and upgrades; a bearer token without Origin is fine", () => {
    const quiet = { ...page, origin: undefined };
    expect(judge(facts("GET", list, quiet))).toBe("pass");
    expect(judge(facts("POST", list, { ...quiet, ...json }))).toBe("ORIGIN_NOT_ALLOWED");
    expect(judge(facts("DELETE", `${list}/${session}`, quiet))).toBe("ORIGIN_NOT_ALLOWED");
    expect(judge(upgradeFacts(attach, quiet))).toBe("ORIGIN_NOT_ALLOWED");
    expect(judge(upgradeFacts(attach, bearer))).toBe("pass");
    expect(judge(facts("POST", list, { ...bearer, ...json }))).toBe("pass");
  });

  it("[T13] behind TLS the origin is https and plain http is foreign", () => {
    const double = gateDouble({ scheme: "https", allowHosts: ["cotty.example"] });
    const given = (origin: string) =>
      facts("GET", list, { ...bearer, host: "cotty.example", origin });
    expect(verdict(double, given("https://cotty.example"))).toBe("pass");
    expect(verdict(double, given("http://cotty.example"))).toBe("ORIGIN_NOT_ALLOWED");
    expect(verdict(double, given("https://cotty.example:443"))).toBe("ORIGIN_NOT_ALLOWED");
  });

  it("[T19] fetch metadata of another site is refused; its absence proves nothing", () => {
    for (const site of ["cross-site", "same-site", "nonsense"]) {
      expect(judge(facts("GET", list, { ...page, "sec-fetch-site": site })), site).toBe(
        "ORIGIN_NOT_ALLOWED",
      );
      expect(judge(facts("GET", "/", { "sec-fetch-site": site })), site).toBe("ORIGIN_NOT_ALLOWED");
      expect(judge(facts("GET", "/health", { "sec-fetch-site": site }))).toBe("ORIGIN_NOT_ALLOWED");
    }
    expect(judge(facts("GET", list, { ...page, "sec-fetch-site": "same-origin" }))).toBe("pass");
    expect(judge(facts("GET", "/", { "sec-fetch-site": "none" }))).toBe("pass");
    expect(judge(facts("GET", list, { cookie: page.cookie }))).toBe("UNAUTHENTICATED");
  });

  it("[T19] a link from another site may open a page, and only as a whole document", () => {
    const link = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
    expect(judge(facts("GET", "/", { ...link, "sec-fetch-dest": "document" }))).toBe("pass");
    expect(judge(facts("GET", "/", { ...link, "sec-fetch-dest": "iframe" }))).toBe(
      "ORIGIN_NOT_ALLOWED",
    );
    expect(judge(facts("GET", list, { ...page, ...link, "sec-fetch-dest": "document" }))).toBe(
      "ORIGIN_NOT_ALLOWED",
    );
  });
});

describe("authentication and authorisation", () => {
  it("[T34] a token in the address is never looked at", () => {
    const double = gateDouble();
    for (const path of [
      `${list}?token=owner`,
      `${list}?access_token=owner`,
      `${list}?token[]=owner`,
    ])
      expect(verdict(double, facts("GET", path))).toBe("UNAUTHENTICATED");
    expect(double.lookUps).toBe(0);
  });

  it("[T33] malformed credentials are 401 without a look-up or an exception", () => {
    const double = gateDouble();
    const malformed = [
      "",
      "Bearer",
      "Bearer ",
      "Basic owner",
      "Bearer a b",
      `Bearer ${"x".repeat(8_000)}`,
    ];
    for (const [at, authorization] of malformed.entries())
      expect(
        verdict(double, facts("GET", list, { authorization }, { peer: `10.0.0.${at}` })),
        authorization.slice(0, 20),
      ).toBe("UNAUTHENTICATED");
    expect(double.lookUps).toBe(0);
  });

  it("[T60] a viewer may look and an agent may type; neither more", () => {
    const as = (role: string) => ({ authorization: `Bearer ${role}` });
    expect(judge(facts("POST", `${list}/${session}/input`, { ...as("viewer"), ...json }))).toBe(
      "FORBIDDEN",
    );
    expect(judge(facts("GET", `${list}/${session}/screen`, as("viewer")))).toBe("pass");
    expect(judge(upgradeFacts(attach, as("viewer")))).toBe("pass");
    expect(judge(facts("POST", `${list}/${session}/input`, { ...as("agent"), ...json }))).toBe(
      "pass",
    );
  });

  it("[T10] a ticket stands for the key, needs the cookie of its login, and is gone after one use", () => {
    const double = gateDouble();
    const grant = {
      principal: { via: "login", id: ownersLogin.id },
      session,
      readonly: false,
      origin: own,
    } as const;
    const given = (cookie: string | undefined) =>
      upgradeFacts(attach, { cookie, origin: own, "sec-websocket-protocol": "cotty.v1, t1" });
    double.grants.set("t1", grant);
    expect(verdict(double, given(page.cookie))).toBe("pass");
    expect(verdict(double, given(page.cookie))).toBe("UNAUTHENTICATED");
    double.grants.set("t1", grant);
    expect(verdict(double, given(undefined))).toBe("UNAUTHENTICATED");
    expect(double.grants.size).toBe(0);
  });

  it("[T55] quotas are judged before the upgrade", () => {
    const double = gateDouble();
    double.sockets.own = limits.socketsPerPrincipal;
    expect(verdict(double, upgradeFacts(attach, bearer))).toBe("TOO_MANY_SOCKETS");
    double.sockets = { own: 0, total: limits.socketsTotal };
    expect(verdict(double, upgradeFacts(attach, bearer))).toBe("TOO_MANY_SOCKETS");
    expect(verdict(double, facts("GET", list, bearer))).toBe("pass");
  });
});

describe("content", () => {
  it("[T17] [B113] only exactly application/json is a body, on every write", () => {
    const types = [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/json;charset=utf-8",
      "application/json; charset=x",
      "text/plain, application/json",
      "APPLICATION/JSON",
      undefined,
    ];
    for (const type of types) {
      const headers = { ...page, ...json, "content-type": type };
      for (const path of [
        list,
        `${list}/${session}/input`,
        `${list}/${session}/resize`,
        "/api/v1/logout",
      ])
        expect(judge(facts("POST", path, headers)), `${type} ${path}`).toBe(
          "UNSUPPORTED_MEDIA_TYPE",
        );
      expect(judge(facts("DELETE", `${list}/${session}`, headers))).toBe("UNSUPPORTED_MEDIA_TYPE");
    }
    expect(judge(facts("POST", "/api/v1/logout", page))).toBe("pass");
  });

  it("[T17] with a token, which no page can be made to send, curl's default type and no body are JSON too; nothing else is", () => {
    const given = (type: string | undefined, length = "2") =>
      judge(facts("POST", list, { ...bearer, "content-type": type, "content-length": length }));
    for (const type of [
      "application/json",
      "application/json; charset=utf-8",
      'Application/JSON;charset="UTF-8"',
      "application/x-www-form-urlencoded",
    ])
      expect(given(type), type).toBe("pass");
    expect(given(undefined, "0")).toBe("pass");
    for (const type of [
      undefined,
      "text/plain",
      "multipart/form-data; boundary=x",
      "application/json; charset=latin1",
      "application/x-www-form-urlencoded; charset=utf-8",
      "text/plain, application/json",
    ])
      expect(given(type), type).toBe("UNSUPPORTED_MEDIA_TYPE");
    const mcp = { ...bearer, "content-type": "application/x-www-form-urlencoded" };
    expect(judge(facts("POST", "/mcp", { ...mcp, "content-length": "2" }))).toBe(
      "UNSUPPORTED_MEDIA_TYPE",
    );
  });

  it("[HT2] a body of a GET is refused, not dropped", () => {
    const given = { ...bearer, ...json };
    expect(judge(facts("GET", list, given))).toBe("BAD_REQUEST");
    expect(judge(facts("HEAD", list, given))).toBe("BAD_REQUEST");
    expect(judge(facts("GET", list, { ...given, "content-length": "0" }))).toBe("pass");
  });

  it("[B113] method override headers change nothing", () => {
    const given = { ...bearer, "x-http-method-override": "DELETE", "x-method-override": "DELETE" };
    const judged = gateDouble().gate.judge(facts("GET", `${list}/${session}`, given));
    expect(judged).toMatchObject({ pass: true, route: { operation: { name: "get_session" } } });
  });

  it("[T132] [T133] encoded bodies are 415, announced lengths over the limit 413, before a byte is read", () => {
    const sized = (length: string) => ({ ...bearer, ...json, "content-length": length });
    expect(judge(facts("POST", list, sized(String(limits.bodyBytes))))).toBe("pass");
    expect(judge(facts("POST", list, sized(String(limits.bodyBytes + 1))))).toBe("TOO_LARGE");
    expect(judge(facts("POST", list, sized("9".repeat(400))))).toBe("TOO_LARGE");
    expect(judge(facts("POST", list, { ...sized("2"), "content-encoding": "gzip" }))).toBe(
      "UNSUPPORTED_MEDIA_TYPE",
    );
  });
});
