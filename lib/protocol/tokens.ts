// Tokens as the dashboard sees them: made and shown once, listed without their secret, revoked.
import * as z from "zod/mini";
import { limits } from "./limits.ts";

const tokenNameSchema = z
  .string()
  .check(
    z.trim(),
    z.minLength(1),
    z.maxLength(limits.nameChars),
    z.regex(/^\P{C}+$/u, "has characters that cannot be shown"),
  );

export const createTokenSchema = z.strictObject({
  name: tokenNameSchema,
  /** An owner's token is made on the server's machine only. */
  role: z.enum(["agent", "viewer"]),
  /** Absent: until revoked. */
  expires_in_ms: z.optional(
    z.int().check(z.minimum(limits.tokenMs.min), z.maximum(limits.tokenMs.max)),
  ),
});
export type CreateToken = z.infer<typeof createTokenSchema>;

export const tokenInfoSchema = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(["owner", "agent", "viewer"]),
  /** Sessions it may know of; null: all. */
  sessions: z.nullable(z.array(z.string())),
  created_at: z.iso.datetime(),
  expires_at: z.nullable(z.iso.datetime()),
  /** The first use at once, later ones to the minute; null: never used. */
  last_used_at: z.nullable(z.iso.datetime()),
});
export type TokenInfo = z.infer<typeof tokenInfoSchema>;

export const createdTokenSchema = z.object({
  ...tokenInfoSchema.shape,
  /** Shown in this answer and never again. */
  token: z.string(),
});
export type CreatedToken = z.infer<typeof createdTokenSchema>;
