// What a credential file holds: hashes and scope, never a secret (T36). A file that does not fit opens nothing.
import * as z from "zod/mini";
import { sessionIdSchema } from "#lib/protocol/ids.ts";
import { limits } from "#lib/protocol/limits.ts";
import { roleSchema } from "#lib/protocol/roles.ts";

const idSchema = z.string().check(z.regex(/^[a-z2-7]{16}$/));
const hashSchema = z.string().check(z.regex(/^[0-9a-f]{64}$/));
/** Shown to people and written to logs: no control, format or private characters. */
const nameSchema = z
  .string()
  .check(
    z.trim(),
    z.minLength(1),
    z.maxLength(limits.nameChars),
    z.regex(/^\P{C}+$/u, "has characters that cannot be shown"),
  );
/** Milliseconds since 1970. */
const wallSchema = z.int().check(z.minimum(0));

export const tokenRecordSchema = z.strictObject({
  kind: z.literal("token"),
  id: idSchema,
  name: nameSchema,
  role: roleSchema,
  /** Sessions it may know of; absent: all. */
  sessions: z.optional(z.array(sessionIdSchema).check(z.maxLength(limits.sessionsPerToken))),
  hash: hashSchema,
  createdAt: wallSchema,
  /** null: until revoked. */
  expiresAt: z.nullable(wallSchema),
});
export type TokenRecord = z.infer<typeof tokenRecordSchema>;

export const loginRecordSchema = z.strictObject({
  kind: z.literal("login"),
  id: idSchema,
  name: nameSchema,
  role: roleSchema,
  cookieHash: hashSchema,
  keyHash: hashSchema,
  createdAt: wallSchema,
  expiresAt: wallSchema,
});
export type LoginRecord = z.infer<typeof loginRecordSchema>;

export const codeRecordSchema = z.strictObject({
  kind: z.literal("code"),
  id: idSchema,
  name: nameSchema,
  role: roleSchema,
  hash: hashSchema,
  createdAt: wallSchema,
  expiresAt: wallSchema,
});
export type CodeRecord = z.infer<typeof codeRecordSchema>;

export type CredentialRecord = TokenRecord | LoginRecord | CodeRecord;
export type CredentialKind = CredentialRecord["kind"];

export const recordSchemas = {
  token: tokenRecordSchema,
  login: loginRecordSchema,
  code: codeRecordSchema,
} as const;
