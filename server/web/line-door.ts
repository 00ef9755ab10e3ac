// The gate's answers for the line service: the same tokens, the same count of failures, the same places, the same revocation as for requests.
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { Actor } from "#lib/protocol/actor.ts";
import type { LineDoor, LineRefusal } from "#server/tcp/line-door.ts";
import type { AuditReports } from "./audit-reports.ts";
import { tokenPrincipal, type Verifier } from "./gate/authentication.ts";
import type { FailureLimiter } from "./gate/failure-limiter.ts";
import { checkQuota } from "./gate/quota.ts";
import type { HostLink } from "./host-link.ts";
import { closeCodes, type OpenConnections } from "./open-connections.ts";

export interface LineDoorParts {
  readonly verifier: Pick<Verifier, "token">;
  readonly limiter: FailureLimiter;
  readonly connections: OpenConnections;
  readonly link: HostLink;
  readonly audit: Pick<AuditReports, "refused">;
}

export function webLineDoor({
  verifier,
  limiter,
  connections,
  link,
  audit,
}: LineDoorParts): LineDoor {
  const refused = (outcome: string, peer: string) =>
    audit.refused({
      act: "login",
      actor: null,
      session: null,
      outcome,
      what: `token from ${peer.slice(0, 64)}`,
      request: null,
    });
  return {
    identify(token, peer): Actor | LineRefusal {
      const limited = limiter.check(peer, "token");
      if (limited) {
        refused(limited.code, peer);
        return limited;
      }
      const record = verifier.token(token);
      if (!record) {
        limiter.failed(peer, "token");
        refused("UNAUTHENTICATED", peer);
        return { code: "UNAUTHENTICATED", detail: "the token is unknown, revoked or expired" };
      }
      limiter.succeeded(peer, "token");
      return tokenPrincipal(record).actor;
    },
    hold(actor, end): Disposable | LineRefusal {
      const full = checkQuota(connections, actor.id);
      if (full) return full;
      const place = connections.add(
        { via: "token", id: actor.id },
        {
          kind: "socket",
          end: (code) => end(code === closeCodes.restarting ? "restarting" : "revoked"),
        },
      );
      return place;
    },
    host: () => link.current(),
  };
}
