// Gate step 4: every path and method there is, generated from the operation table, so that a route cannot exist without a row (T30).
// What is not here is 404 or 405 before anybody asks who the caller is.

import { attachRoute } from "#lib/protocol/operations/attach-route.ts";
import { apiBase, type Operation } from "#lib/protocol/operations/operation.ts";
import { mcpRoute, operations } from "#lib/protocol/operations/table.ts";
import type { Action } from "#lib/protocol/roles.ts";
import { type Refusal, refusal } from "./refusal.ts";
import { type RequestFacts, single } from "./request-facts.ts";

export type Route =
  | { readonly kind: "operation"; readonly action: Action; readonly operation: Operation }
  | { readonly kind: "attach"; readonly action: Action; readonly session: string }
  | { readonly kind: "mcp"; readonly action: Action }
  | { readonly kind: "health"; readonly action: "public" }
  /** What describes this server to programs; which one is told by its path. */
  | { readonly kind: "document"; readonly action: "public" }
  | { readonly kind: "asset"; readonly action: "public"; readonly isPage: boolean }
  /** Development only: everything that is not ours is asked of Next. */
  | { readonly kind: "next"; readonly action: "public"; readonly isPage: boolean };

export interface Matched {
  readonly route: Route;
  readonly pathname: string;
  /** With its question mark, or empty. */
  readonly search: string;
}

/** What the site folder holds, as the gate needs it. */
export interface SitePaths {
  kindOf(pathname: string): "page" | "file" | null;
}

interface Row {
  readonly segments: readonly (string | null)[];
  readonly operation: Operation;
}

const step = "route";
/** Generated, so no file of the site (OP6). */
export const documentPaths: ReadonlySet<string> = new Set(["/openapi.json", "/llms.txt"]);
const parameter = /^[A-Za-z0-9_-]{1,64}$/;
/** One reading of a path only: no escapes, no backslash, no semicolon, no empty or dot segments (T135). */
const plainPath = /^(?:\/[A-Za-z0-9_~!$'()*+,=:@[\]-][A-Za-z0-9._~!$'()*+,=:@[\]-]*)*\/?$/;

export class RouteTable {
  private readonly rows: readonly Row[];
  private readonly attach: readonly (string | null)[];

  constructor(
    private readonly site: SitePaths,
    private readonly options: { readonly dev: boolean },
  ) {
    this.rows = (Object.values(operations) as Operation[]).map((operation) => ({
      segments: segmentsOf(apiBase + operation.path),
      operation,
    }));
    this.attach = segmentsOf(apiBase + attachRoute.path);
  }

  match(facts: RequestFacts): Matched | Refusal {
    const question = facts.target.indexOf("?");
    const pathname = question < 0 ? facts.target : facts.target.slice(0, question);
    const search = question < 0 ? "" : facts.target.slice(question);
    const isNextPath = this.options.dev && !isOurs(pathname) && !pathname.includes("\\");
    if (!isNextPath && !plainPath.test(pathname)) return notFound();
    const route =
      facts.kind === "upgrade"
        ? this.upgradeRoute(facts, pathname)
        : this.requestRoute(facts, pathname);
    return "code" in route ? route : { route, pathname, search };
  }

  private upgradeRoute(facts: RequestFacts, pathname: string): Route | Refusal {
    // Exactly the one that Next answers: it would leave any other hanging (B105).
    if (this.options.dev && pathname === "/_next/hmr")
      return { kind: "next", action: "public", isPage: false };
    const parameters = matchSegments(this.attach, pathname);
    if (!parameters) return notFound();
    if (facts.method !== "GET")
      return refusal(step, "METHOD_NOT_ALLOWED", "a socket is opened with GET", { allow: ["GET"] });
    const { headers } = facts;
    if (single(headers, "upgrade")?.toLowerCase() !== "websocket")
      return refusal(step, "BAD_REQUEST", "Upgrade must be websocket");
    if (single(headers, "sec-websocket-version") !== "13")
      return refusal(step, "BAD_REQUEST", "Sec-WebSocket-Version must be 13");
    if (!/^[A-Za-z0-9+/]{22}==$/.test(single(headers, "sec-websocket-key") ?? ""))
      return refusal(step, "BAD_REQUEST", "Sec-WebSocket-Key is missing or malformed");
    return { kind: "attach", action: attachRoute.action, session: parameters[0] ?? "" };
  }

  private requestRoute(facts: RequestFacts, pathname: string): Route | Refusal {
    const { method } = facts;
    if (pathname === "/health")
      return readOnly(method, () => ({ kind: "health", action: "public" }));
    if (documentPaths.has(pathname))
      return readOnly(method, () => ({ kind: "document", action: "public" }));
    if (pathname === mcpRoute.path) return mcp(method);
    if (isOurs(pathname)) return this.operationRoute(method, pathname);
    const found = this.site.kindOf(pathname);
    if (found)
      return readOnly(method, () => ({
        kind: "asset",
        action: "public",
        isPage: found === "page",
      }));
    if (this.options.dev)
      return readOnly(method, () => ({
        kind: "next",
        action: "public",
        isPage: !/^\/_next\/|^\/__next/.test(pathname),
      }));
    return notFound();
  }

  private operationRoute(method: string, pathname: string): Route | Refusal {
    const here = this.rows.filter((row) => matchSegments(row.segments, pathname));
    // A GET answers HEAD too.
    const wanted = method === "HEAD" ? "GET" : method;
    const row = here.find(({ operation }) => operation.method === wanted);
    if (row) return { kind: "operation", action: row.operation.action, operation: row.operation };
    if (here.length > 0) {
      const allow = here.flatMap(({ operation }) =>
        operation.method === "GET" ? ["GET", "HEAD"] : [operation.method],
      );
      return refusal(step, "METHOD_NOT_ALLOWED", `${method} is not served here`, { allow });
    }
    if (matchSegments(this.attach, pathname))
      return refusal(step, "BAD_REQUEST", "this address is opened as a WebSocket");
    return notFound();
  }
}

/** Paths that belong to the API and its neighbours whatever the site folder holds. */
function isOurs(pathname: string): boolean {
  return /^\/(?:api|mcp|internal)(?:[/;%]|$)/.test(pathname);
}

function mcp(method: string): Route | Refusal {
  if (method === mcpRoute.method) return { kind: "mcp", action: mcpRoute.action };
  // What the transport's revisions ask for before they do without a stream, and for sessions that there are not here.
  return refusal(step, "METHOD_NOT_ALLOWED", `${method} is not served here`, {
    allow: [mcpRoute.method],
  });
}

function readOnly(method: string, route: () => Route): Route | Refusal {
  if (method === "GET" || method === "HEAD") return route();
  return refusal(step, "METHOD_NOT_ALLOWED", `${method} is not served here`, {
    allow: ["GET", "HEAD"],
  });
}

function notFound(): Refusal {
  return refusal(step, "NOT_FOUND", "nothing is served at this address");
}

function segmentsOf(path: string): (string | null)[] {
  return path.split("/").map((segment) => (segment.startsWith("{") ? null : segment));
}

/** The values of the parameters, or null when the path is another one. */
function matchSegments(segments: readonly (string | null)[], pathname: string): string[] | null {
  const given = pathname.split("/");
  if (given.length !== segments.length) return null;
  const parameters: string[] = [];
  for (const [at, wanted] of segments.entries()) {
    const segment = given[at] ?? "";
    if (wanted !== null ? segment !== wanted : !parameter.test(segment)) return null;
    if (wanted === null) parameters.push(segment);
  }
  return parameters;
}
