// Operations on the server as such (OP6, first part). Login, tickets and health are web's.
import type { Handlers } from "./operation-handlers.ts";

export const serverHandlers = {
  me: ({ core, actor }) => ({ actor, server: core.server() }),
} satisfies Handlers;
