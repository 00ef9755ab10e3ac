// The gate: the one order in which every request and every upgrade is judged (SECURITY.md, "Gate order"); the first failure answers.
// It reads heads only, never a body, and nothing behind it asks again. Step 1, the socket caps, is taken where connections open.
import { type Clock, systemClock } from "#lib/base/clock.ts";
import type { Actor } from "#lib/protocol/actor.ts";
import {
  authenticate,
  guessOf,
  type Principal,
  presented,
  type Verifier,
} from "./authentication.ts";
import { authorise } from "./authorisation.ts";
import { checkContent } from "./content.ts";
import { FailureLimiter, type Guess } from "./failure-limiter.ts";
import { headerSanity } from "./header-sanity.ts";
import { checkHost, type HostAllowList } from "./host-header.ts";
import { loginCookieName } from "./login-cookie.ts";
import { checkOrigin } from "./origin.ts";
import { checkQuota, type SocketCounts } from "./quota.ts";
import { type Refusal, refusal } from "./refusal.ts";
import type { RequestFacts } from "./request-facts.ts";
import type { Matched, Route, RouteTable } from "./route-table.ts";

export type GateVerdict =
  | ({ readonly pass: true; readonly caller: Caller; readonly origin: string } & Matched)
  | {
      readonly pass: false;
      readonly refusal: Refusal;
      readonly route: Route | null;
      /** Who was refused, where that was known; and what was guessed at, where a credential was shown. */
      readonly actor: Actor | null;
      readonly guess: Guess | null;
    };

export type Caller = { readonly via: "nobody" } | Principal;

export interface GateParts {
  readonly hosts: HostAllowList;
  readonly routes: RouteTable;
  readonly verifier: Verifier;
  readonly sockets: SocketCounts;
  readonly tcpPort: number;
  readonly scheme: "http" | "https";
  readonly clock?: Clock;
}

export class Gate {
  readonly limiter: FailureLimiter;
  readonly cookieName: string;

  constructor(private readonly parts: GateParts) {
    this.limiter = new FailureLimiter(parts.clock ?? systemClock);
    this.cookieName = loginCookieName(parts.tcpPort, parts.scheme);
  }

  judge(facts: RequestFacts): GateVerdict {
    const { hosts, routes, sockets } = this.parts;
    const insane = headerSanity(facts);
    if (insane) return no(insane);
    const host = checkHost(facts, hosts);
    if ("code" in host) return no(host);
    const matched = routes.match(facts);
    if ("code" in matched) return no(matched);
    const { route } = matched;
    const foreign = checkOrigin(facts, host.origin, route, this.cookieName);
    if (foreign) return no(foreign, route);

    let caller: Caller = { via: "nobody" };
    if (isLogin(route)) {
      // The code in the body is the credential; who verifies it tells the limiter.
      const limited = this.limiter.check(facts.peer, "code");
      if (limited) return no(limited, route, { guess: "code" });
    } else if (route.action !== "public") {
      const what = presented(facts, this.cookieName, matched);
      const known = this.identify(what, facts, matched);
      if ("code" in known) return no(known, route, { guess: guessOf(what) });
      const forbidden = authorise(known.actor, route);
      if (forbidden) return no(forbidden, route, { actor: known.actor });
      const full = route.kind === "attach" ? checkQuota(sockets, known.actor.id) : null;
      if (full) return no(full, route);
      caller = known;
    }
    const unfit = checkContent(facts, route, caller.via);
    if (unfit) return no(unfit, route);
    return { pass: true, caller, origin: host.origin, ...matched };
  }

  /** Steps 6 and 7: the limiter is asked before the credential is looked at. */
  private identify(
    what: ReturnType<typeof presented>,
    facts: RequestFacts,
    matched: Matched,
  ): Principal | Refusal {
    const guess = guessOf(what);
    const limited = guess && this.limiter.check(facts.peer, guess);
    if (limited) return limited;
    const principal = authenticate(what, facts, matched, this.parts.verifier);
    if (typeof principal === "string") {
      if (guess) this.limiter.failed(facts.peer, guess);
      return refusal("authentication", "UNAUTHENTICATED", principal);
    }
    if (guess) this.limiter.succeeded(facts.peer, guess);
    return principal;
  }
}

export function actorOf(caller: Caller): Actor | null {
  return caller.via === "nobody" ? null : caller.actor;
}

function isLogin(route: Route): boolean {
  return route.kind === "operation" && route.operation.name === "login";
}

function no(
  refused: Refusal,
  route: Route | null = null,
  { actor = null, guess = null }: { actor?: Actor | null; guess?: Guess | null } = {},
): GateVerdict {
  return { pass: false, refusal: refused, route, actor, guess };
}
