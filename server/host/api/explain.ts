// Why a session is in its phase (OP4).
import type { Handlers } from "./operation-handlers.ts";

export const explainHandlers = {
  explainSession: ({ core, actor, params }) => core.port(actor, params.id).explain(),
} satisfies Handlers;
