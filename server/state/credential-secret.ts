// What credentials look like and how a presented one is compared (SE4, T32, T33). Knows nothing about files.
import { createHash, timingSafeEqual } from "node:crypto";
import { randomId } from "#lib/protocol/ids.ts";
import type { Role } from "#lib/protocol/roles.ts";

/** 16 characters of base 32 name a credential; they are not secret. */
const idPattern = "[a-z2-7]{16}";
/** 52 characters of base 32: 260 bits. */
const secretChars = 52;
const secretPattern = `[a-z2-7]{${secretChars}}`;

/** What a credential opens is readable in its prefix, so that a leaked one can be told apart in a log. */
const tokenPrefix: Record<Role, string> = {
  agent: "cot_agt",
  owner: "cot_own",
  viewer: "cot_vwr",
};
const tokenShape = new RegExp(`^cot_(?:agt|own|vwr)_(${idPattern})_${secretPattern}$`);
const cookieShape = new RegExp(`^cot_web_(${idPattern})_${secretPattern}$`);
const codeShape = new RegExp(`^cot_code_(${idPattern})_${secretPattern}$`);
const keyShape = new RegExp(`^cot_key_${secretPattern}$`);
const ticketShape = new RegExp(`^cot_tkt_${secretPattern}$`);
/** Longer than any of them; checked before a pattern runs over a stranger's megabyte. */
const longest = 100;

export function newCredentialId(): string {
  return randomId(16);
}

export function newToken(role: Role, id: string): string {
  return `${tokenPrefix[role]}_${id}_${randomId(secretChars)}`;
}

export function newCookie(id: string): string {
  return `cot_web_${id}_${randomId(secretChars)}`;
}

export function newCode(id: string): string {
  return `cot_code_${id}_${randomId(secretChars)}`;
}

export function newPageKey(): string {
  return `cot_key_${randomId(secretChars)}`;
}

export function newTicket(): string {
  return `cot_tkt_${randomId(secretChars)}`;
}

function idIn(shape: RegExp, presented: string): string | null {
  return presented.length <= longest ? (shape.exec(presented)?.[1] ?? null) : null;
}

/** The id inside a well-formed token, or null. */
export function tokenId(presented: string): string | null {
  return idIn(tokenShape, presented);
}

export function cookieId(presented: string): string | null {
  return idIn(cookieShape, presented);
}

export function codeId(presented: string): string | null {
  return idIn(codeShape, presented);
}

export function isPageKey(presented: string): boolean {
  return presented.length <= longest && keyShape.test(presented);
}

export function isTicket(presented: string): boolean {
  return presented.length <= longest && ticketShape.test(presented);
}

export function isCredentialId(text: string): boolean {
  return text.length === 16 && /^[a-z2-7]{16}$/.test(text);
}

/** SHA-256 in hex. The secrets have 260 bits, so no salt and no stretching is needed. */
export function secretHash(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** Constant in time over equal lengths; both sides are hashes. */
export function matchesHash(presented: string, storedHash: string): boolean {
  const stored = Buffer.from(storedHash, "hex");
  const given = createHash("sha256").update(presented).digest();
  return stored.length === given.length && timingSafeEqual(stored, given);
}
