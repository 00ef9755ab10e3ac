// The argument that makes a tool safe to call again: the Idempotency-Key of the request behind it (IN6), with the same meaning and lifetime.
import * as z from "zod/mini";
import { limits } from "#lib/protocol/limits.ts";

export const idempotencyArgument = z
  .optional(
    z
      .string()
      .check(
        z.maxLength(limits.idempotencyKeyChars),
        z.regex(/^[\x21-\x7e]+$/, "must be visible ASCII characters"),
      ),
  )
  .check(z.describe("Your own unique word: a call repeated with it is done once."));

/** The same for the typed client. */
export function once(key: string | undefined): { idempotencyKey?: string } {
  return key === undefined ? {} : { idempotencyKey: key };
}
