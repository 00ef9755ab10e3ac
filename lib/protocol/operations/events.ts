// Operations by which a client learns what goes on without asking session by session (EV1, CP1).
import * as z from "zod/mini";
import { capsuleSchema } from "../capsule.ts";
import { eventIdSchema, newsTypes, streamEventSchema } from "../events.ts";
import { sessionIdSchema } from "../ids.ts";
import { operation, streamOperation } from "./operation.ts";
import { noBody, none } from "./sessions.ts";

const known: ReadonlySet<string> = new Set(newsTypes);

export const streamEvents = streamOperation({
  name: "stream_events",
  method: "GET",
  path: "/events",
  summary:
    "Everything that happens to sessions, as server-sent events; continues after the Last-Event-ID header or last_event_id.",
  action: "event.read",
  by: "host",
  params: none,
  query: z.strictObject({
    session: z.optional(sessionIdSchema),
    /** Names of events with commas between them. */
    types: z.optional(
      z.string().check(
        z.maxLength(500),
        z.refine((list) => list.split(",").every((type) => known.has(type)), {
          message: `must be names with commas between them, of ${newsTypes.join(", ")}`,
        }),
      ),
    ),
    last_event_id: z.optional(eventIdSchema),
  }),
  body: noBody,
  status: 200,
  reply: streamEventSchema,
  errors: ["SESSION_NOT_FOUND", "TOO_MANY_SOCKETS"],
});

export const readCapsule = operation({
  name: "read_capsule",
  method: "GET",
  path: "/capsule",
  summary:
    "All sessions in one short text, one line each; answers 304 to If-None-Match while nothing changed, and text/plain where Accept asks for it.",
  action: "session.list",
  isConditional: true,
  by: "host",
  params: none,
  query: none,
  body: noBody,
  status: 200,
  reply: capsuleSchema,
  errors: [],
});
