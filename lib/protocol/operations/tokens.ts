// Tokens for agents, made by a person who is signed in to the dashboard. No token makes another one (T49): a bearer is refused here.
import * as z from "zod/mini";
import { createdTokenSchema, createTokenSchema, tokenInfoSchema } from "../tokens.ts";
import { operation } from "./operation.ts";
import { noBody, none } from "./sessions.ts";

export const createToken = operation({
  name: "create_token",
  method: "POST",
  path: "/tokens",
  summary:
    "Make a token for an agent or a viewer; it is shown in this answer only. Within five minutes of signing in.",
  action: "token.manage",
  by: "web",
  params: none,
  query: none,
  body: createTokenSchema,
  status: 201,
  reply: createdTokenSchema,
  errors: ["REAUTH", "TOO_MANY_TOKENS"],
});

export const listTokens = operation({
  name: "list_tokens",
  method: "GET",
  path: "/tokens",
  summary: "All tokens, oldest first, without their secrets.",
  action: "token.manage",
  by: "web",
  params: none,
  query: none,
  body: noBody,
  status: 200,
  reply: z.object({ tokens: z.array(tokenInfoSchema) }),
  errors: [],
});

export const revokeToken = operation({
  name: "revoke_token",
  method: "DELETE",
  path: "/tokens/{id}",
  summary: "End a token; everything it holds open closes within a second.",
  action: "token.manage",
  by: "web",
  params: z.strictObject({ id: z.string() }),
  query: none,
  body: noBody,
  status: 204,
  reply: z.undefined(),
  errors: ["TOKEN_NOT_FOUND"],
});
