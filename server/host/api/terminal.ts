// Operations on what a session shows and takes (OP2, first part).
import type { Handlers } from "./operation-handlers.ts";

export const terminalHandlers = {
  readScreen: ({ core, actor, params, query }) => core.port(actor, params.id).readScreen(query),
  writeInput: async ({ core, actor, params, body, request }) => {
    const { input, gap_ms: gapMs, if_draft: ifDraft, note } = body;
    return core.port(actor, params.id).write(input, { gapMs, ifDraft, note, request });
  },
  sendMouse: ({ core, actor, params, body }) => ({
    reports: core.port(actor, params.id).mouse(body),
  }),
} satisfies Handlers;
