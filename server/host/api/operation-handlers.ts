// The shape of what answers an operation: validated input in, reply out. One file per noun holds the handlers themselves.
import type { Actor } from "#lib/protocol/actor.ts";
import type { BodyOf, ParamsOf, QueryOf, ReplyOf } from "#lib/protocol/operations/operation.ts";
import type { OperationName, Operations } from "#lib/protocol/operations/table.ts";
import type { HostCore } from "./host-core.ts";

export interface Call<O> {
  readonly core: HostCore;
  readonly actor: Actor;
  readonly params: ParamsOf<O>;
  readonly query: QueryOf<O>;
  readonly body: BodyOf<O>;
  /** Id of the request, for the records. */
  readonly request: string;
  /** Aborts when whoever asked has gone. Asked for only by those who wait: making one has a price. */
  signal(): AbortSignal;
  /** A header of the request, by its lower-case name. */
  header(name: string): string | undefined;
}

/** Throws TermError to refuse. A `Response` is sent as it is: event streams, other types than JSON, 304. */
export type Handler<O> = (call: Call<O>) => ReplyOf<O> | Response | Promise<ReplyOf<O> | Response>;

/** `undefined` marks an operation that web answers. */
export type Handlers = { readonly [Name in OperationName]?: Handler<Operations[Name]> };
