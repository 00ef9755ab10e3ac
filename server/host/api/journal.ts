// Operations on output as text and on the commands that the shell announced (OP3).
import type { Handlers } from "./operation-handlers.ts";

export const journalHandlers = {
  readOutput: ({ core, actor, params, query }) => core.port(actor, params.id).readOutput(query),
  listCommands: ({ core, actor, params, query }) => core.port(actor, params.id).listCommands(query),
  getCommand: ({ core, actor, params }) => core.port(actor, params.id).getCommand(params.index),
  readCommandOutput: ({ core, actor, params, query }) =>
    core.port(actor, params.id).readCommandOutput(params.index, query),
} satisfies Handlers;
