// Operations on sessions as such (OP1). Each goes through the actor's port; nothing is decided here.
import type { Handlers } from "./operation-handlers.ts";

export const sessionHandlers = {
  createSession: ({ core, actor, body }) => core.create(actor, body),
  listSessions: ({ core, actor, query }) => ({
    sessions: [...core.list(actor, query.tag)],
    last_event_id: core.events.position,
  }),
  getSession: ({ core, actor, params }) => core.port(actor, params.id).info(),
  changeSession: ({ core, actor, params, body }) => core.port(actor, params.id).change(body),
  closeSession: async ({ core, actor, params, query }) => {
    await core.port(actor, params.id).close(query.signal ?? "HUP");
    return undefined;
  },
  resizeSession: ({ core, actor, params, body }) => {
    const port = core.port(actor, params.id);
    port.resize(body);
    return port.info();
  },
  signalSession: ({ core, actor, params, body }) => {
    const port = core.port(actor, params.id);
    port.signal(body.signal);
    return port.info();
  },
} satisfies Handlers;
