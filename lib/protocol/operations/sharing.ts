// Operations on whose hands are on the keyboard (OP5).
import * as z from "zod/mini";
import { auditQuerySchema, auditReplySchema } from "../audit.ts";
import { leaseActionSchema, leaseSchema, requestHumanSchema, setAccessSchema } from "../lease.ts";
import { sessionInfoSchema } from "../session.ts";
import { agentViewReplySchema, writesQuerySchema, writesReplySchema } from "../writes.ts";
import { operation } from "./operation.ts";
import { noBody, none, oneSession } from "./sessions.ts";

export const readLease = operation({
  name: "read_lease",
  method: "GET",
  path: "/sessions/{id}/lease",
  summary: "Who may type now, why, and until when.",
  action: "lease.read",
  by: "host",
  params: oneSession,
  query: none,
  body: noBody,
  status: 200,
  reply: leaseSchema,
  errors: ["SESSION_NOT_FOUND", "SEALED"],
});

export const changeLease = operation({
  name: "change_lease",
  method: "POST",
  path: "/sessions/{id}/lease",
  summary:
    "Take, hold or hand back the keyboard, clear the line, or correct the detection of passwords; for people.",
  action: "lease.change",
  by: "host",
  params: oneSession,
  query: none,
  body: leaseActionSchema,
  status: 200,
  reply: leaseSchema,
  errors: ["SESSION_NOT_FOUND", "SESSION_EXITED", "HUMAN_BUSY", "INPUT_BACKLOG"],
});

export const setAccess = operation({
  name: "set_access",
  method: "PUT",
  path: "/sessions/{id}/access",
  summary: "What agents may do with a session: collaborate, observe or sealed; for people.",
  action: "access.change",
  by: "host",
  params: oneSession,
  query: none,
  body: setAccessSchema,
  status: 200,
  reply: sessionInfoSchema,
  errors: ["SESSION_NOT_FOUND"],
});

export const requestHuman = operation({
  name: "request_human",
  method: "POST",
  path: "/sessions/{id}/request_human",
  summary:
    "Ask a person to look at a session, with the reason in a few words; shown until somebody types or dismisses it.",
  action: "human.request",
  by: "host",
  params: oneSession,
  query: none,
  body: requestHumanSchema,
  status: 200,
  reply: sessionInfoSchema,
  errors: ["SESSION_NOT_FOUND", "SESSION_EXITED", "SEALED"],
});

export const readSessionAudit = operation({
  name: "read_session_audit",
  method: "GET",
  path: "/sessions/{id}/audit",
  summary: "What was done to one session and by whom, oldest first; refused acts too. For people.",
  action: "audit.read",
  by: "host",
  params: oneSession,
  query: z.omit(auditQuerySchema, { session: true }),
  body: noBody,
  status: 200,
  reply: auditReplySchema,
  errors: ["SESSION_NOT_FOUND"],
});

export const listWrites = operation({
  name: "list_writes",
  method: "GET",
  path: "/sessions/{id}/writes",
  summary: "Who typed when and where, and what agents typed; for people.",
  action: "audit.read",
  by: "host",
  params: oneSession,
  query: writesQuerySchema,
  body: noBody,
  status: 200,
  reply: writesReplySchema,
  errors: ["SESSION_NOT_FOUND"],
});

export const readAgentView = operation({
  name: "read_agent_view",
  method: "GET",
  path: "/sessions/{id}/agent_view",
  summary: "The text that an agent last received from a session; for people.",
  action: "audit.read",
  by: "host",
  params: oneSession,
  query: none,
  body: noBody,
  status: 200,
  reply: agentViewReplySchema,
  errors: ["SESSION_NOT_FOUND"],
});

export const readAudit = operation({
  name: "read_audit",
  method: "GET",
  path: "/audit",
  summary: "What was done and by whom, over all sessions and also those that are gone. For people.",
  action: "audit.read",
  by: "host",
  params: none,
  query: auditQuerySchema,
  body: noBody,
  status: 200,
  reply: auditReplySchema,
  errors: [],
});
