// The body of an operation that web answers itself: short JSON, checked against its schema. Refusals repeat nothing of it: it may be a secret.
import "#lib/protocol/english.ts";
import type { IncomingMessage } from "node:http";
import type * as z from "zod/mini";
import type { FieldError } from "#lib/protocol/errors.ts";
import type { Answerable } from "./answer.ts";

/** These bodies hold one short code or id. */
const ownBodyBytes = 4 * 1024;

export async function readOwnBody<S extends z.ZodMiniType>(
  request: IncomingMessage,
  schema: S,
): Promise<{ value: z.infer<S> } | Answerable> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    bytes += (part as Buffer).length;
    if (bytes > ownBodyBytes)
      return { code: "TOO_LARGE", detail: `the body is longer than ${ownBodyBytes} bytes` };
    parts.push(part as Buffer);
  }
  let json: unknown;
  try {
    json = JSON.parse(Buffer.concat(parts).toString("utf8"));
  } catch {
    // The parser's message would repeat parts of the body, which holds a secret.
    return { code: "BAD_REQUEST", detail: "the body is not JSON" };
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return { value: parsed.data };
  const errors: FieldError[] = parsed.error.issues.slice(0, 5).map(({ path, message }) => ({
    path: ["body", ...path.map(String)].join("."),
    message: message.slice(0, 100),
  }));
  return { code: "BAD_REQUEST", detail: "the body does not fit", errors };
}
