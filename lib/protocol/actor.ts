// Who acts. The gate makes an actor from a credential; web attaches it to what it pipes; the host trusts it only on its own socket (HO4).
import * as z from "zod/mini";
import { roleSchema } from "./roles.ts";

export const actorSchema = z.strictObject({
  kind: z.enum(["human", "agent"]),
  /** Stable id of the credential (token id or login id); never a secret. */
  id: z.string().check(z.minLength(1), z.maxLength(64)),
  name: z.string().check(z.minLength(1), z.maxLength(100)),
  role: roleSchema,
  /** Sessions this actor may know of; absent: all. */
  sessions: z.optional(z.array(z.string())),
});
export type Actor = z.infer<typeof actorSchema>;

/** HTTP header with the base64url JSON of an Actor, between web and host only. Stripped from clients' requests by the gate. */
export const actorHeader = "x-cotty-actor";
/** HTTP header with the host's key, between web (or the local CLI) and host only. */
export const hostKeyHeader = "x-cotty-host-key";
/** Request id: made by web, echoed in errors and logs. */
export const requestIdHeader = "x-cotty-request-id";
/** The page's half of a browser login (SE3). */
export const pageKeyHeader = "x-cotty-key";

/** The value of `actorHeader`: base64url of the actor's JSON (ASCII whatever the name holds). */
export function encodeActor(actor: Actor): string {
  const bytes = new TextEncoder().encode(JSON.stringify(actor));
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The actor in a header's value, or undefined when it is none. */
export function decodeActor(value: string): Actor | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(value)) return undefined;
  try {
    const binary = atob(value.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
    return actorSchema.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data;
  } catch {
    // Not base64 or not JSON: no actor.
    return undefined;
  }
}
