// Getting in (SE3): a one-time code for a cookie and a key; a ticket for a socket.
import * as z from "zod/mini";
import { actorSchema } from "./actor.ts";
import { sessionIdSchema } from "./ids.ts";

export const loginSchema = z.strictObject({
  code: z.string().check(z.minLength(1), z.maxLength(200)),
});
export const loginReplySchema = z.object({
  /** To be sent as `X-Cotty-Key` with every call; the cookie alone opens nothing. */
  key: z.string(),
});

export const ticketSchema = z.strictObject({
  session: sessionIdSchema,
  readonly: z.optional(z.boolean()),
});
export const ticketReplySchema = z.object({ ticket: z.string(), expires_in_ms: z.int() });

export const meSchema = z.object({
  actor: actorSchema,
  server: z.object({
    version: z.string(),
    hostname: z.string(),
    cwd: z.string(),
    /** "ready", or why no terminal can be started here. */
    terminals: z.union([
      z.object({
        state: z.literal("ready"),
        /** What the self-test found wrong and could be lived with, as sentences for people. */
        warnings: z.optional(z.readonly(z.array(z.string()))),
      }),
      z.object({ state: z.enum(["disabled", "unavailable"]), reason: z.string() }),
    ]),
    sessions: z.object({ open: z.int(), max: z.int() }),
    default_command: z.array(z.string()),
    /** A sentence for people while acts cannot be kept (AU1). Absent: all is well. */
    audit_warning: z.optional(z.string()),
  }),
});
export type Me = z.infer<typeof meSchema>;
