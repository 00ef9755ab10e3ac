// The typed client: one method per row of the operations table, made by a loop over it.
import type {
  BodyOf,
  Operation,
  ParamsOf,
  QueryOf,
  ReplyOf,
} from "#lib/protocol/operations/operation.ts";
import { type OperationName, type Operations, operations } from "#lib/protocol/operations/table.ts";
import { type AnyInput, type ApiClientOptions, call } from "./call.ts";

type Part<Key extends string, Value> = [Value] extends [undefined]
  ? unknown
  : Record<never, never> extends Value
    ? { [K in Key]?: Value }
    : { [K in Key]: Value };

/** What one operation takes; a part without required fields may be left out. */
export type CallInput<O> = Part<"params", ParamsOf<O>> &
  Part<"query", QueryOf<O>> &
  Part<"body", BodyOf<O>> & {
    signal?: AbortSignal;
    /** For operations that take one (IN6): sent again with the same key, the call is carried out once. */
    idempotencyKey?: string;
  };

type Call<O> =
  Record<never, never> extends CallInput<O>
    ? (input?: CallInput<O>) => Promise<ReplyOf<O>>
    : (input: CallInput<O>) => Promise<ReplyOf<O>>;

/** Event streams are not here: they are read by event-stream.ts. */
export type ApiClient = {
  readonly [Name in OperationName as Operations[Name] extends { streams: true }
    ? never
    : Name]: Call<Operations[Name]>;
};

export function createApiClient(options: ApiClientOptions): ApiClient {
  const client: Record<string, unknown> = {};
  for (const [name, operation] of Object.entries<Operation>(operations)) {
    if (!operation.streams)
      client[name] = (input: AnyInput = {}) => call(operation, input, options);
  }
  return client as ApiClient;
}
