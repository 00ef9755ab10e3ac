// A gate with no files, sockets or clock behind it: credentials are words, and every look-up is counted.
import { limits } from "#lib/protocol/limits.ts";
import type { Role } from "#lib/protocol/roles.ts";
import type { LoginRecord, TokenRecord } from "#server/state/credential-record.ts";
import type { Verifier } from "#server/web/gate/authentication.ts";
import { Gate } from "#server/web/gate/gate.ts";
import { HostAllowList } from "#server/web/gate/host-header.ts";
import type { RequestFacts } from "#server/web/gate/request-facts.ts";
import { RouteTable, type SitePaths } from "#server/web/gate/route-table.ts";
import type { TicketGrant } from "#server/web/gate/tickets.ts";
import { FakeClock } from "./fake-clock.ts";

export const gatePort = 7070;

const site: SitePaths = {
  kindOf: (path) =>
    ["/", "/s/", "/welcome/"].includes(path)
      ? "page"
      : path === "/_next/static/chunks/x.js"
        ? "file"
        : null,
};

export function makeToken(role: Role, sessions?: string[]): TokenRecord {
  return {
    kind: "token",
    id: role.padEnd(16, "a"),
    name: role,
    role,
    hash: "0".repeat(64),
    createdAt: 0,
    expiresAt: null,
    ...(sessions ? { sessions } : {}),
  };
}

export const ownersLogin: LoginRecord = {
  kind: "login",
  id: "l".repeat(16),
  name: "Olga",
  role: "owner",
  cookieHash: "0".repeat(64),
  keyHash: "0".repeat(64),
  createdAt: 0,
  expiresAt: limits.loginAbsoluteMs,
};

export interface GateDouble {
  readonly gate: Gate;
  readonly clock: FakeClock;
  /** How often a credential was looked up. */
  lookUps: number;
  sockets: { total: number; own: number };
  readonly grants: Map<string, TicketGrant>;
}

/** Tokens are the names of the roles; the cookie is `cookie`, its key `key`. */
export function gateDouble(
  options: { allowHosts?: string[]; scheme?: "http" | "https"; dev?: boolean } = {},
): GateDouble {
  const clock = new FakeClock();
  const { scheme = "http", allowHosts = [], dev = false } = options;
  const grants = new Map<string, TicketGrant>();
  const count = <T>(found: T): T => {
    double.lookUps += 1;
    return found;
  };
  const roleOf = (token: string) =>
    token === "owner" || token === "agent" || token === "viewer" ? token : null;
  const tokenFor = (token: string) => {
    const role = roleOf(token);
    return role ? makeToken(role) : null;
  };
  const verifier: Verifier = {
    token: (token) => count(tokenFor(token)),
    login: (cookie, key) => count(cookie === "cookie" && key === "key" ? ownersLogin : null),
    loginCookie: (cookie) => count(cookie === "cookie" ? ownersLogin : null),
    tokenById: (id) => count(tokenFor(id.replace(/a*$/, ""))),
    ticket(ticket) {
      const grant = grants.get(ticket) ?? null;
      grants.delete(ticket);
      return count(grant);
    },
  };
  const double: GateDouble = {
    clock,
    grants,
    lookUps: 0,
    sockets: { total: 0, own: 0 },
    gate: new Gate({
      hosts: new HostAllowList(allowHosts, { tcpPort: gatePort, scheme }),
      routes: new RouteTable(site, { dev }),
      verifier,
      sockets: {
        get total() {
          return double.sockets.total;
        },
        of: () => double.sockets.own,
      },
      tcpPort: gatePort,
      scheme,
      clock,
    }),
  };
  return double;
}

/** Facts of a plain request; a header given as undefined is left out, as an array repeated. */
export function facts(
  method: string,
  target: string,
  headers: Record<string, string | string[] | undefined> = {},
  more: Partial<RequestFacts> = {},
): RequestFacts {
  const all = { host: `localhost:${gatePort}`, ...headers };
  return {
    kind: "request",
    method,
    target,
    peer: "127.0.0.1",
    headers: new Map(
      Object.entries(all).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, typeof value === "string" ? [value] : value]],
      ),
    ),
    ...more,
  };
}

export const handshake = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
};

export function upgradeFacts(
  target: string,
  headers: Record<string, string | string[] | undefined> = {},
): RequestFacts {
  return facts("GET", target, { ...handshake, ...headers }, { kind: "upgrade" });
}
