// What an operation is. One declaration yields the route, the gate's row, the typed client, and later OpenAPI, MCP and CLI.
import type * as z from "zod/mini";
import type { ErrorCode } from "../errors.ts";
import type { Action } from "../roles.ts";

export const apiBase = "/api/v1";

type Schema = z.ZodMiniType;

export interface Operation<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Reply extends Schema = Schema,
> {
  readonly name: string;
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Below `apiBase`; parameters as `{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly action: Action;
  /** Which process answers: web keeps what has to do with credentials, the host everything else. */
  readonly by: "host" | "web";
  readonly params: Params;
  /** Values arrive as strings. */
  readonly query: Query;
  /** `z.undefined()` where the operation takes no body. */
  readonly body: Body;
  readonly status: 200 | 201 | 204;
  readonly reply: Reply;
  /** The answer is an event stream (SSE) without end, and `reply` is the data of one event. */
  readonly streams?: true;
  /** Has an ETag, and answers 304 to an If-None-Match that has it too. */
  readonly isConditional?: true;
  /** Takes an Idempotency-Key (IN6): sent again with the same key, it is not carried out again. */
  readonly isIdempotent?: true;
  /** What it may refuse beyond what every operation may (bad request, gate, internal). */
  readonly errors: readonly ErrorCode[];
}

export function operation<P extends Schema, Q extends Schema, B extends Schema, R extends Schema>(
  declared: Operation<P, Q, B, R>,
): Operation<P, Q, B, R> {
  return Object.freeze(declared);
}

export function streamOperation<
  P extends Schema,
  Q extends Schema,
  B extends Schema,
  R extends Schema,
>(declared: Operation<P, Q, B, R>): Operation<P, Q, B, R> & { readonly streams: true } {
  return Object.freeze({ ...declared, streams: true as const });
}

export type ParamsOf<O> = O extends Operation<infer P, Schema, Schema, Schema> ? z.infer<P> : never;
export type QueryOf<O> = O extends Operation<Schema, infer Q, Schema, Schema> ? z.infer<Q> : never;
export type BodyOf<O> = O extends Operation<Schema, Schema, infer B, Schema> ? z.infer<B> : never;
export type ReplyOf<O> = O extends Operation<Schema, Schema, Schema, infer R> ? z.infer<R> : never;
