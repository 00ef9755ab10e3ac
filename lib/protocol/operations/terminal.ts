// Operations on what a session shows and takes (OP2, first part).
import * as z from "zod/mini";
import { writeReplySchema } from "../input.ts";
import { mouseEventSchema } from "../mouse.ts";
import { screenQuerySchema, screenReplySchema } from "../screen.ts";
import { writeSchema } from "../wait.ts";
import { operation } from "./operation.ts";
import { keyboardErrors, noBody, none, oneSession } from "./sessions.ts";

export const readScreen = operation({
  name: "read_screen",
  method: "GET",
  path: "/sessions/{id}/screen",
  summary:
    "The screen as text, one string per row, or with since and view=compact only what changed; readable after exit until the session is closed.",
  action: "screen.read",
  by: "host",
  params: oneSession,
  query: screenQuerySchema,
  body: noBody,
  status: 200,
  reply: screenReplySchema,
  errors: ["SESSION_NOT_FOUND", "SEALED"],
});

export const writeInput = operation({
  name: "write_input",
  method: "POST",
  path: "/sessions/{id}/input",
  summary: "Type an ordered batch of text, keys and raw characters; all of it or nothing.",
  action: "input.write",
  isIdempotent: true,
  by: "host",
  params: oneSession,
  query: none,
  body: writeSchema,
  status: 200,
  reply: writeReplySchema,
  errors: [
    "SESSION_NOT_FOUND",
    "SESSION_EXITED",
    ...keyboardErrors,
    "LEASE_LOST",
    "DRAFT_PENDING",
    "HUMAN_BUSY",
    "UNKNOWN_KEY",
    "LINE_TOO_LONG",
    "INPUT_BACKLOG",
    "IDEMPOTENCY_MISMATCH",
    "IDEMPOTENCY_BUSY",
  ],
});

export const sendMouse = operation({
  name: "send_mouse",
  method: "POST",
  path: "/sessions/{id}/mouse",
  summary:
    "Send one mouse event to the program, at a cell counted from 0; refused with the reason when the program cannot receive it.",
  action: "input.write",
  isIdempotent: true,
  by: "host",
  params: oneSession,
  query: none,
  body: mouseEventSchema,
  status: 200,
  /** `reports` the program gets: 2 for a click, else 1. */
  reply: z.object({ reports: z.int() }),
  // Never IDEMPOTENCY_BUSY: an event is on its way at once, whatever the program does.
  errors: [
    "SESSION_NOT_FOUND",
    "SESSION_EXITED",
    ...keyboardErrors,
    "MOUSE_NOT_REPORTED",
    "INPUT_BACKLOG",
    "IDEMPOTENCY_MISMATCH",
  ],
});
