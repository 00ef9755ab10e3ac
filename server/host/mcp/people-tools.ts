// Tools by which an agent turns to the people who share its terminals.
import * as z from "zod/mini";
import { needSchema, requestHumanSchema } from "#lib/protocol/lease.ts";
import { requestHuman } from "#lib/protocol/operations/sharing.ts";
import { sessionArgument } from "./session-tools.ts";
import { tool } from "./tool.ts";

export const terminalRequestHuman = tool({
  name: "terminal_request_human",
  title: "Call a person",
  description:
    "Ask a person to look at a session, with the reason in a few words. Use it when you cannot go on alone: a password, a decision that " +
    "is not yours, a prompt that you do not understand. It is shown until somebody types there or dismisses it; it does not wait.\n" +
    'Example: {"id":"…","reason":"The deploy asks which region to use."}.',
  operation: requestHuman,
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  input: z.strictObject({
    id: sessionArgument,
    reason: requestHumanSchema.shape.reason.check(
      z.describe("For people; at most 140 characters."),
    ),
  }),
  output: z.object({ id: z.string(), need: z.nullable(needSchema) }),
  async run(api, { id, reason }, signal) {
    const { need } = await api.requestHuman({ params: { id }, body: { reason }, signal });
    return { structured: { id, need }, text: `people are asked to look at ${id}` };
  },
});
