// What the audit is told of a request that the gate refused (AU1): wrong credentials, and acts beyond a role. Pure.
import type { AuditAct } from "#lib/protocol/audit.ts";
import { auditActOf } from "#lib/protocol/operations/audited.ts";
import type { GateVerdict } from "./gate/gate.ts";
import type { RequestFacts } from "./gate/request-facts.ts";

/** null: nobody's act. Requests without any credential are none: browsers and scanners make them all day. */
export function refusedAct(
  { refusal, route, actor, guess }: Extract<GateVerdict, { pass: false }>,
  facts: RequestFacts,
  request: string,
): AuditAct | null {
  const outcome = refusal.code;
  if (outcome === "UNAUTHENTICATED" || outcome === "TOO_MANY_ATTEMPTS") {
    if (guess === null) return null;
    const what = `${guess} from ${facts.peer.slice(0, 64)}`;
    return { act: "login", actor: null, session: null, outcome, what, request };
  }
  if (outcome !== "FORBIDDEN" || !actor || !route) return null;
  const { kind, id, name } = actor;
  return {
    act: route.kind === "operation" ? auditActOf(route.operation.name) : "look",
    actor: { kind, id, name },
    session: /\/sessions\/([A-Za-z0-9_-]{1,64})/.exec(facts.target)?.[1] ?? null,
    outcome,
    what: route.kind === "operation" ? route.operation.name : route.kind,
    request,
  };
}
