// Operations that wait (OP4, OP7). They hold their request for as long as it takes; when it is gone, so is the wait.
import { idempotencyHeader } from "./idempotency.ts";
import type { Handlers } from "./operation-handlers.ts";

export const waitingHandlers = {
  waitSession: ({ core, actor, params, body, signal }) =>
    core.port(actor, params.id).wait(body, signal()),
  waitMany: ({ core, actor, body, signal }) => core.waitMany(actor, body, signal()),
  // With a key it goes on without its connection: who sends it again wants the reply of the first.
  act: ({ core, actor, params, body, request, header, signal }) =>
    core
      .port(actor, params.id)
      .act(body, { request }, header(idempotencyHeader) === undefined ? signal() : undefined),
} satisfies Handlers;
