// One call of an operation over HTTP: what is sent, and what an answer means. Throws ApiError, never anything else, except the abort of the
// caller's own signal.
import * as z from "zod/mini";
import { errorTable, type Problem, problemSchema } from "#lib/protocol/errors.ts";
import { apiBase, type Operation } from "#lib/protocol/operations/operation.ts";
import { ApiError } from "./api-error.ts";

/** What is read of an answer: a `Response`, and what can be had without one. */
export interface Answer {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** For streams. Either this or `text`, once. */
  readonly body: ReadableStream<Uint8Array> | null;
  text(): Promise<string>;
}

/** The part of `fetch` that is used. In Node a `Response` and its `Headers` take longer to load than a whole call takes. */
export type Send = (
  url: string,
  asked: RequestInit & { headers: Record<string, string>; body?: string },
) => Promise<Answer>;

export interface ApiClientOptions {
  /** Origin, with or without a path in front of `/api/v1`; empty: the page's own origin. */
  baseUrl: string;
  /** Asked at every call, so that a new key is used at once. */
  headers?: () => Record<string, string>;
  fetch?: Send;
  /** The server said 401: the credential is gone or was revoked. Called before the call throws. */
  onUnauthenticated?: () => void;
}

export interface AnyInput {
  params?: Record<string, string>;
  query?: Record<string, string | undefined>;
  body?: unknown;
  signal?: AbortSignal;
  idempotencyKey?: string;
}

/** Address of a route below the API's base, with its parameters filled in and encoded. */
export function routePath(path: string, params: Record<string, string> = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(params[key] ?? ""),
  );
  return `${apiBase}${filled}`;
}

export async function call(
  operation: Operation,
  input: AnyInput,
  options: ApiClientOptions,
): Promise<unknown> {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(input.query ?? {}))
    if (value !== undefined) query.set(key, value);
  const search = query.size > 0 ? `?${query}` : "";
  const hasBody = input.body !== undefined;
  let response: Answer;
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

/** A problem whose code this client is too old to know still says what happened; it is shown under INTERNAL. */
function fromUnknownCode(json: unknown): Problem | undefined {
  const loose = z.omit(problemSchema, { code: true }).safeParse(json);
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
