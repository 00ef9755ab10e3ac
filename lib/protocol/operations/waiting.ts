// Operations that wait, and the one that tells why a session is in its phase (OP4, OP7).
import {
  actReplySchema,
  actSchema,
  explainSchema,
  verdictSchema,
  waitManyReplySchema,
  waitManySchema,
  waitSchema,
} from "../wait.ts";
import { operation } from "./operation.ts";
import { noBody, none, oneSession } from "./sessions.ts";

export const waitSession = operation({
  name: "wait",
  method: "POST",
  path: "/sessions/{id}/wait",
  summary:
    "Wait until one of several things is true of a session; answers with the outcome and its evidence, also when the time is up.",
  action: "wait",
  by: "host",
  params: oneSession,
  query: none,
  body: waitSchema,
  status: 200,
  reply: verdictSchema,
  errors: ["SESSION_NOT_FOUND", "SEALED", "BAD_PATTERN", "TOO_MANY_WAITS"],
});

export const waitMany = operation({
  name: "wait_many",
  method: "POST",
  path: "/wait",
  summary:
    "Wait over many sessions, by id or tag: the first one wins, and is not returned twice for the same reason.",
  action: "wait",
  by: "host",
  params: none,
  query: none,
  body: waitManySchema,
  status: 200,
  reply: waitManyReplySchema,
  errors: ["SESSION_NOT_FOUND", "SEALED", "BAD_PATTERN", "TOO_MANY_WAITS"],
});

export const act = operation({
  name: "act",
  method: "POST",
  path: "/sessions/{id}/act",
  summary: "Type, wait and read in one call; with an Idempotency-Key it is safe to send again.",
  action: "input.write",
  isIdempotent: true,
  by: "host",
  params: oneSession,
  query: none,
  body: actSchema,
  status: 200,
  reply: actReplySchema,
  errors: [
    "SESSION_NOT_FOUND",
    "SESSION_EXITED",
    "SEALED",
    "READ_ONLY",
    "LEASE_DENIED",
    "LEASE_LOST",
    "DRAFT_PENDING",
    "HUMAN_BUSY",
    "HUMAN_REQUIRED",
    "UNKNOWN_KEY",
    "LINE_TOO_LONG",
    "INPUT_BACKLOG",
    "BAD_PATTERN",
    "TOO_MANY_WAITS",
    "IDEMPOTENCY_MISMATCH",
    "IDEMPOTENCY_BUSY",
  ],
});

export const explainSession = operation({
  name: "explain",
  method: "GET",
  path: "/sessions/{id}/explain",
  summary: "Why the session is in its phase: the observation, and the rule that decided.",
  action: "screen.read",
  by: "host",
  params: oneSession,
  query: none,
  body: noBody,
  status: 200,
  reply: explainSchema,
  errors: ["SESSION_NOT_FOUND", "SEALED"],
});
