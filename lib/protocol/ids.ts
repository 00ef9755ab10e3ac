// Names of things on the wire. Ids are unguessable and globally unique: nothing may assume that one host made them all.
import * as z from "zod/mini";

/** 26 characters of lower-case base 32 (about 130 bits). */
export const sessionIdSchema = z.string().check(z.regex(/^[a-z2-7]{26}$/, "is not a session id"));
export type SessionId = z.infer<typeof sessionIdSchema>;

/** Bytes of output since spawn. */
export type ByteOffset = number;
export const byteOffsetSchema = z.int().check(z.minimum(0));

const alphabet = "abcdefghijklmnopqrstuvwxyz234567";

/** `length` characters of base 32 from a cryptographic source; 5 bits each. */
export function randomId(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, (byte) => alphabet[byte & 31]).join("");
}

export function newSessionId(): SessionId {
  return randomId(26);
}
