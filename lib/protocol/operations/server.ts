// Operations on the server and on the caller's own credential (OP6, first part).
import * as z from "zod/mini";
import {
  loginReplySchema,
  loginSchema,
  meSchema,
  ticketReplySchema,
  ticketSchema,
} from "../login.ts";
import { operation } from "./operation.ts";
import { noBody, none } from "./sessions.ts";

export const health = operation({
  name: "health",
  method: "GET",
  path: "/health",
  summary: "Says ok and nothing else; needs no credential.",
  action: "public",
  by: "web",
  params: none,
  query: none,
  body: noBody,
  status: 200,
  reply: z.object({ ok: z.literal(true) }),
  errors: [],
});

export const login = operation({
  name: "login",
  method: "POST",
  path: "/login",
  summary: "Trade a one-time code for a cookie and a key.",
  action: "public",
  by: "web",
  params: none,
  query: none,
  body: loginSchema,
  status: 200,
  reply: loginReplySchema,
  errors: ["LOGIN_CODE_INVALID", "TOO_MANY_ATTEMPTS"],
});

export const logout = operation({
  name: "logout",
  method: "POST",
  path: "/logout",
  summary: "End this login; its sockets close.",
  action: "login.end",
  by: "web",
  params: none,
  query: none,
  body: noBody,
  status: 204,
  reply: z.undefined(),
  /** To a token: it is ended by revoking it. */
  errors: ["FORBIDDEN"],
});

export const createTicket = operation({
  name: "create_ticket",
  method: "POST",
  path: "/ticket",
  summary: "A single-use ticket (30 s) with which a browser opens one attach socket.",
  action: "ticket.create",
  by: "web",
  params: none,
  query: none,
  body: ticketSchema,
  status: 200,
  reply: ticketReplySchema,
  errors: ["TOO_MANY_SOCKETS"],
});

export const me = operation({
  name: "me",
  method: "GET",
  path: "/me",
  summary: "Who the caller is and what this server can do.",
  action: "self.read",
  by: "host",
  params: none,
  query: none,
  body: noBody,
  status: 200,
  reply: meSchema,
  errors: [],
});
