// Calls of operations that are loaded when they are first called: each operation's schemas are made when its file is loaded.
import type { Operation } from "#lib/protocol/operations/operation.ts";
import type { Operations } from "#lib/protocol/operations/table.ts";
import type { ApiClient } from "./api-client.ts";
import { ApiError } from "./api-error.ts";
import { type AnyInput, type ApiClientOptions, call } from "./call.ts";

/** For each operation the module that has it, under its own name. */
export type Loaders<Name extends keyof ApiClient = keyof ApiClient> = {
  readonly [N in Name]: () => Promise<{ readonly [Key in N]: Operations[Key] }>;
};

/** One function for each of `loaders`, as a client has them. */
export function laterCalls(
  loaders: Readonly<Record<string, () => Promise<object>>>,
  options: ApiClientOptions,
): Record<string, unknown> {
  const calls: Record<string, unknown> = {};
  for (const [name, load] of Object.entries(loaders))
    calls[name] = async (input: AnyInput = {}) => {
      const { [name]: operation } = (await loaded(load)) as Record<string, Operation>;
      return call(operation as Operation, input, options);
    };
  return calls;
}

/** A server that is not there for its files is not there for the call either. */
async function loaded(load: () => Promise<object>): Promise<object> {
  try {
    return await load();
  } catch (error) {
    throw new ApiError({ kind: "unreachable", detail: `no answer from the server (${error})` });
  }
}
