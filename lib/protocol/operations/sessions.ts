// Operations on sessions as such (OP1).
import * as z from "zod/mini";
import { eventIdSchema } from "../events.ts";
import { gridSizeSchema } from "../geometry.ts";
import { sessionIdSchema } from "../ids.ts";
import {
  changeSessionSchema,
  createSessionSchema,
  listedSessionSchema,
  sessionInfoSchema,
  signalSchema,
} from "../session.ts";
import { operation } from "./operation.ts";

export const oneSession = z.strictObject({ id: sessionIdSchema });
export const none = z.strictObject({});
export const noBody = z.undefined();
/** What an agent may be told when it acts on a program (LS4, AC1, CR2). */
export const keyboardErrors = ["SEALED", "READ_ONLY", "LEASE_DENIED", "HUMAN_REQUIRED"] as const;

export const createSession = operation({
  name: "create_session",
  method: "POST",
  path: "/sessions",
  summary: "Start a program in a new terminal session; without a command, the user's shell.",
  action: "session.create",
  isIdempotent: true,
  by: "host",
  params: none,
  query: none,
  body: createSessionSchema,
  status: 201,
  reply: sessionInfoSchema,
  errors: [
    "BAD_CWD",
    "BAD_COMMAND",
    "BAD_SIZE",
    "BAD_PROFILE",
    "SEALED",
    "TOO_MANY_SESSIONS",
    "TERMINALS_DISABLED",
    "TERMINALS_UNAVAILABLE",
    "PTY_SPAWN_FAILED",
    "IDEMPOTENCY_MISMATCH",
    "IDEMPOTENCY_BUSY",
  ],
});

export const listSessions = operation({
  name: "list_sessions",
  method: "GET",
  path: "/sessions",
  summary: "All sessions, oldest first; with tag, those that carry it.",
  action: "session.list",
  by: "host",
  params: none,
  query: z.strictObject({ tag: z.optional(z.string()) }),
  body: noBody,
  status: 200,
  reply: z.object({
    /** To agents, of what people sealed: the id and `sealed`. */
    sessions: z.array(listedSessionSchema),
    /** What happens after this list is what `GET /events` tells after this id. A host of an older version gives none. */
    last_event_id: z.optional(eventIdSchema),
  }),
  errors: [],
});

export const getSession = operation({
  name: "get_session",
  method: "GET",
  path: "/sessions/{id}",
  summary: "One session.",
  action: "session.read",
  by: "host",
  params: oneSession,
  query: none,
  body: noBody,
  status: 200,
  reply: sessionInfoSchema,
  errors: ["SESSION_NOT_FOUND", "SEALED"],
});

export const changeSession = operation({
  name: "change_session",
  method: "PATCH",
  path: "/sessions/{id}",
  summary: "Rename a session or set its tags.",
  action: "session.change",
  by: "host",
  params: oneSession,
  query: none,
  body: changeSessionSchema,
  status: 200,
  reply: sessionInfoSchema,
  errors: ["SESSION_NOT_FOUND", "SEALED", "READ_ONLY"],
});

export const closeSession = operation({
  name: "close_session",
  method: "DELETE",
  path: "/sessions/{id}",
  summary:
    "End a session: signal the whole process tree (HUP by default), KILL after 3 s, then forget it.",
  action: "session.close",
  by: "host",
  params: oneSession,
  query: z.strictObject({ signal: z.optional(signalSchema) }),
  body: noBody,
  status: 204,
  reply: z.undefined(),
  errors: ["SESSION_NOT_FOUND", ...keyboardErrors],
});

export const resizeSession = operation({
  name: "resize_session",
  method: "POST",
  path: "/sessions/{id}/resize",
  summary: "Set the size; it holds until a person types from a viewer.",
  action: "session.resize",
  by: "host",
  params: oneSession,
  query: none,
  body: gridSizeSchema,
  status: 200,
  reply: sessionInfoSchema,
  errors: ["SESSION_NOT_FOUND", "SESSION_EXITED", ...keyboardErrors, "BAD_SIZE"],
});

export const signalSession = operation({
  name: "signal_session",
  method: "POST",
  path: "/sessions/{id}/signal",
  summary: "Send a signal to the foreground process group.",
  action: "session.signal",
  by: "host",
  params: oneSession,
  query: none,
  body: z.strictObject({ signal: signalSchema }),
  status: 200,
  reply: sessionInfoSchema,
  errors: ["SESSION_NOT_FOUND", "SESSION_EXITED", ...keyboardErrors],
});
