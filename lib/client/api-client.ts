// The typed client: one method per row of the operations table, made by a loop over it. Throws ApiError, never anything else,
// except the abort of the caller's own signal.
import * as z from "zod/mini";
import { errorTable, type Problem, problemSchema } from "#lib/protocol/errors.ts";
import {
  apiBase,
  type BodyOf,
  type Operation,
  type ParamsOf,
  type QueryOf,
  type ReplyOf,
} from "#lib/protocol/operations/operation.ts";
import { type OperationName, type Operations, operations } from "#lib/protocol/operations/table.ts";
import { ApiError } from "./api-error.ts";

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

export interface ApiClientOptions {
  /** Origin, with or without a path in front of `/api/v1`; empty: the page's own origin. */
  baseUrl: string;
  /** Asked at every call, so that a new key is used at once. */
  headers?: () => Record<string, string>;
  fetch?: typeof fetch;
  /** The server said 401: the credential is gone or was revoked. Called before the call throws. */
  onUnauthenticated?: () => void;
}

interface AnyInput {
  params?: Record<string, string>;
  query?: Record<string, string | undefined>;
  body?: unknown;
  signal?: AbortSignal;
  idempotencyKey?: string;
}

export function createApiClient(options: ApiClientOptions): ApiClient {
  const client: Record<string, unknown> = {};
  for (const [name, operation] of Object.entries<Operation>(operations)) {
    if (!operation.streams)
      client[name] = (input: AnyInput = {}) => call(operation, input, options);
  }
  return client as ApiClient;
}

/** Address of a route below the API's base, with its parameters filled in and encoded. */
export function routePath(path: string, params: Record<string, string> = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(params[key] ?? ""),
  );
  return `${apiBase}${filled}`;
}

async function call(
  operation: Operation,
  input: AnyInput,
  options: ApiClientOptions,
): Promise<unknown> {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(input.query ?? {}))
    if (value !== undefined) query.set(key, value);
  const search = query.size > 0 ? `?${query}` : "";
  const hasBody = input.body !== undefined;
  let response: Response;
  let text: string;
  try {
    // Taken from the options at each call: `fetch` must be called with the global as its receiver, not an options object.
    const send = options.fetch ?? fetch;
    response = await send(`${options.baseUrl}${routePath(operation.path, input.params)}${search}`, {
      method: operation.method,
      headers: {
        accept: "application/json",
        ...(hasBody ? { "content-type": "application/json" } : {}),
        ...(input.idempotencyKey === undefined ? {} : { "idempotency-key": input.idempotencyKey }),
        ...options.headers?.(),
      },
      credentials: "same-origin",
      cache: "no-store",
      redirect: "error",
      ...(hasBody ? { body: JSON.stringify(input.body) } : {}),
      ...(input.signal ? { signal: input.signal } : {}),
    });
    text = await response.text();
  } catch (error) {
    if (input.signal?.aborted) throw error;
    throw new ApiError({ kind: "unreachable", detail: `no answer from the server (${error})` });
  }
  if (!response.ok) {
    const failure = refusal(response.status, text);
    const isLost = response.status === 401 && failure.code !== "REAUTH";
    if (isLost && operation.action !== "public") options.onUnauthenticated?.();
    throw failure;
  }
  if (operation.status === 204) return undefined;
  // Loose on purpose: the schemas strip what they do not know, so a newer server's extra fields do no harm.
  const reply = operation.reply.safeParse(parseJson(text));
  if (reply.success) return reply.data;
  const first = reply.error.issues[0];
  throw new ApiError({
    kind: "unreadable",
    detail: `the server's answer to ${operation.name} is not understood (${first ? complaint(first) : ""})`,
  });
}

/** Zod's own sentences are not loaded in browsers (lib/protocol/english.ts). */
function complaint(issue: z.core.$ZodIssue): string {
  const what = issue.code === "invalid_type" ? `expected ${issue.expected}` : issue.code;
  return `${issue.path.join(".")}: ${what}`;
}

function refusal(status: number, text: string): ApiError {
  const json = parseJson(text);
  const problem = problemSchema.safeParse(json);
  if (problem.success) return new ApiError({ kind: "refused", problem: problem.data });
  const known = fromUnknownCode(json);
  if (known) return new ApiError({ kind: "refused", problem: known });
  return new ApiError({
    kind: "unreachable",
    detail: `the server answered ${status} without a reason`,
  });
}

const uncodedSchema = z.omit(problemSchema, { code: true });

/** A problem whose code this client is too old to know still says what happened; it is shown under INTERNAL. */
function fromUnknownCode(json: unknown): Problem | undefined {
  const loose = uncodedSchema.safeParse(json);
  if (!loose.success) return undefined;
  const code = loose.data.status === 401 ? "UNAUTHENTICATED" : "INTERNAL";
  return { ...loose.data, code, hint: loose.data.hint || errorTable[code].hint };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON is the same as JSON of a wrong shape: the schema says no to undefined.
    return undefined;
  }
}
