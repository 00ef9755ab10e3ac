// SE7, T30: every route and socket x every kind of credential x Host x Origin, over real sockets. The routes come from the table; what
// each role may comes from the rows below, written by hand: a route without a row fails.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Clock, systemClock } from "#lib/base/clock.ts";
import { problemSchema } from "#lib/protocol/errors.ts";
import { newSessionId } from "#lib/protocol/ids.ts";
import { attachRoute } from "#lib/protocol/operations/attach-route.ts";
import { apiBase, type Operation } from "#lib/protocol/operations/operation.ts";
import { mcpRoute, operations } from "#lib/protocol/operations/table.ts";
import { revokeCredential, verifyToken } from "#server/state/credential-store.ts";
import { type HostDouble, startHostDouble } from "#server/testing/host-double.ts";
import { type RawAnswer, rawHttp, rawRequest } from "#server/testing/raw-http.ts";
import { startTestWeb, type TestWeb } from "#server/testing/test-web.ts";

/** Which roles may; "anybody": no credential is needed. */
const rows: Record<string, "anybody" | readonly ("owner" | "agent" | "viewer")[]> = {
  create_session: ["owner", "agent"],
  list_sessions: ["owner", "agent", "viewer"],
  get_session: ["owner", "agent", "viewer"],
  change_session: ["owner", "agent"],
  close_session: ["owner", "agent"],
  resize_session: ["owner", "agent"],
  signal_session: ["owner", "agent"],
  read_screen: ["owner", "agent", "viewer"],
  read_output: ["owner", "agent", "viewer"],
  list_commands: ["owner", "agent", "viewer"],
  get_command: ["owner", "agent", "viewer"],
  read_command_output: ["owner", "agent", "viewer"],
  write_input: ["owner", "agent"],
  send_mouse: ["owner", "agent"],
  read_lease: ["owner", "agent", "viewer"],
  change_lease: ["owner"],
  set_access: ["owner"],
  request_human: ["owner", "agent"],
  read_session_audit: ["owner"],
  list_writes: ["owner"],
  read_agent_view: ["owner"],
  read_audit: ["owner"],
  wait: ["owner", "agent"],
  wait_many: ["owner", "agent"],
  act: ["owner", "agent"],
  explain: ["owner", "agent", "viewer"],
  stream_events: ["owner", "agent", "viewer"],
  read_capsule: ["owner", "agent", "viewer"],
  list_profiles: ["owner", "agent"],
  create_token: ["owner"],
  list_tokens: ["owner"],
  revoke_token: ["owner"],
  health: "anybody",
  login: "anybody",
  logout: ["owner", "agent", "viewer"],
  create_ticket: ["owner", "agent", "viewer"],
  me: ["owner", "agent", "viewer"],
  attach: ["owner", "agent", "viewer"],
  mcp: ["owner", "agent", "viewer"],
};

const session = newSessionId();
const credentials = [
  "none",
  "garbage",
  "malformed",
  "expired",
  "revoked",
  "viewer",
  "agent",
  "owner",
  "wrong object",
] as const;
type Credential = (typeof credentials)[number];
const hosts = ["good", "evil"] as const;
const origins = ["absent", "good", "evil", "null"] as const;

let host: HostDouble;
let test: TestWeb;
/** Added to monotonic time, which is the limiter's; deadlines and expiry keep their own. */
let aheadMs = 0;
const clock: Clock = { ...systemClock, monotonic: () => systemClock.monotonic() + aheadMs };
let tokens: Record<Credential, string | null>;

beforeAll(async () => {
  host = await startHostDouble();
  test = await startTestWeb({ host, clock });
  const revoked = test.token({ role: "owner" });
  revokeCredential(test.store, verifyToken(test.store, revoked)?.id ?? "");
  tokens = {
    none: null,
    garbage: `cot_own_${"a".repeat(16)}_${"b".repeat(52)}`,
    malformed: "x",
    expired: test.token({ role: "owner", ttlMs: 0 }),
    revoked,
    viewer: test.token({ role: "viewer" }),
    agent: test.token({ role: "agent" }),
    owner: test.token({ role: "owner" }),
    "wrong object": test.token({ role: "agent", sessions: [newSessionId()] }),
  };
});
afterAll(async () => {
  await test.dispose();
  await host.dispose();
});

interface RouteCase {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers: readonly string[];
  readonly body: string;
  readonly isOfSession: boolean;
  readonly by: "web" | "host";
}

const json = ["Content-Type: application/json", "Content-Length: 2"];
const routes: RouteCase[] = [
  ...(Object.values(operations) as Operation[]).map((operation): RouteCase => {
    const hasBody = ["POST", "PATCH", "PUT"].includes(operation.method);
    return {
      name: operation.name,
      method: operation.method,
      path: apiBase + operation.path.replace("{id}", session).replace("{index}", "latest"),
      headers: hasBody ? json : [],
      body: hasBody ? "{}" : "",
      isOfSession: operation.path.includes("{id}"),
      by: operation.by,
    };
  }),
  {
    name: "attach",
    method: "GET",
    path: apiBase + attachRoute.path.replace("{id}", session),
    headers: [
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      "Sec-WebSocket-Protocol: cotty.v1",
    ],
    body: "",
    isOfSession: true,
    by: "host",
  },
  {
    name: "mcp",
    method: mcpRoute.method,
    path: mcpRoute.path,
    headers: json,
    body: "{}",
    isOfSession: false,
    by: "host",
  },
];

/** What the rules say, worked out apart from the gate. Statuses over 399 are exact; "passes" is anything the operation itself says. */
function expected(
  route: RouteCase,
  credential: Credential,
  hostName: (typeof hosts)[number],
  origin: (typeof origins)[number],
): number | "passes" {
  if (hostName === "evil") return 403;
  if (origin === "evil" || origin === "null") return 403;
  const row = rows[route.name];
  if (row === "anybody") return "passes";
  if (["none", "garbage", "malformed", "expired", "revoked"].includes(credential)) return 401;
  const role =
    credential === "wrong object" ? "agent" : (credential as "owner" | "agent" | "viewer");
  if (!row?.includes(role)) return 403;
  if (credential === "wrong object" && route.isOfSession) return 404;
  return "passes";
}

async function ask(
  route: RouteCase,
  credential: Credential,
  hostName: (typeof hosts)[number],
  origin: (typeof origins)[number],
): Promise<RawAnswer> {
  const token = tokens[credential];
  const originValue = { absent: "", good: test.origin, evil: "http://evil.example", null: "null" }[
    origin
  ];
  const headers = [
    `Host: ${hostName === "good" ? test.host : `evil.example:${test.tcpPort}`}`,
    ...(token === null ? [] : [`Authorization: Bearer ${token}`]),
    ...(originValue === "" ? [] : [`Origin: ${originValue}`]),
    ...route.headers,
  ];
  return rawHttp(test.tcpPort, rawRequest(route.method, route.path, headers, route.body));
}

describe("the authorisation matrix", () => {
  it("[SE7] every route and socket of the table has a row, and every row a route", () => {
    expect(routes.map(({ name }) => name).sort()).toEqual(Object.keys(rows).sort());
  });

  for (const credential of credentials) {
    it(`[SE7] [T20] [T21] [T30] [T49] with credential "${credential}" every route answers as its row says`, async () => {
      for (const route of routes) {
        for (const hostName of hosts) {
          for (const origin of origins) {
            const name = `${route.name} host=${hostName} origin=${origin}`;
            const want = expected(route, credential, hostName, origin);
            host.calls.length = 0;
            const answer = await ask(route, credential, hostName, origin);
            // Failed attempts of this test must not turn its later answers into 429.
            aheadMs += 60_000;
            if (want === "passes") {
              const isOwnNo = [400, 403].includes(answer.status);
              expect(
                answer.status < 400 || (route.by === "web" && isOwnNo),
                `${name}: ${answer.status}`,
              ).toBe(true);
              if (route.by === "host") expect(host.calls, name).toHaveLength(1);
            } else {
              expect(answer.status, name).toBe(want);
              expect(problemSchema.safeParse(JSON.parse(answer.body)).success, name).toBe(true);
              expect(answer.body.length, name).toBeLessThanOrEqual(1_000);
              expect(host.calls, name).toHaveLength(want === 404 ? 1 : 0);
            }
            checkHeaders(answer, name);
          }
        }
      }
    });
  }

  it("[T01] an evil Host is refused on unknown paths, assets and pages too", async () => {
    for (const path of ["/", "/nope", "/_next/static/x", "/favicon.ico", "/health", "/api/nope"]) {
      const answer = await test.raw("GET", path, ["Host: evil.example"]);
      expect(answer.status, path).toBe(403);
    }
  });
});

function checkHeaders(answer: RawAnswer, name: string): void {
  expect(answer.headers.get("x-content-type-options"), name).toBe("nosniff");
  expect(answer.headers.get("content-security-policy"), name).toContain("frame-ancestors 'none'");
  expect(answer.headers.get("cross-origin-resource-policy"), name).toBe("same-origin");
  expect(answer.headers.get("referrer-policy"), name).toBe("no-referrer");
  for (const header of answer.headers.keys())
    expect(header, name).not.toMatch(/^access-control|^x-powered-by|^server$/);
}
