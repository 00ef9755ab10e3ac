// Operations on whose hands are on the keyboard (OP5). Each goes through the actor's port; nothing is decided here.
import { TermError } from "#lib/protocol/errors.ts";
import type { Handlers } from "./operation-handlers.ts";

export const sharingHandlers = {
  readLease: ({ core, actor, params }) => core.port(actor, params.id).lease(),
  changeLease: ({ core, actor, params, body }) => core.port(actor, params.id).keyboard(body.action),
  setAccess: ({ core, actor, params, body }) => core.port(actor, params.id).setAccess(body.level),
  requestHuman: ({ core, actor, params, body }) =>
    core.port(actor, params.id).requestHuman(body.reason),
  readSessionAudit: ({ core, actor, params, query }) => {
    // Refuses what is not there; the audit of sessions that are gone is read with `read_audit`.
    core.port(actor, params.id);
    return core.audit({ ...query, session: params.id });
  },
  listWrites: ({ core, actor, params, query }) => core.port(actor, params.id).listWrites(query),
  readAgentView: ({ core, actor, params }) => ({ view: core.port(actor, params.id).agentView() }),
  readAudit: ({ core, actor, query }) => {
    // A credential for some sessions alone learns nothing of the others.
    if (actor.sessions) throw new TermError("FORBIDDEN", `${actor.name} is limited to sessions`);
    return core.audit(query);
  },
} satisfies Handlers;
