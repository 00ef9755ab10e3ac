// Gate step 8: role x action, from the one table (SE7). Which sessions an actor may know of is decided where sessions are: the host
// answers for a foreign one exactly as for one that does not exist (T58).
import type { Actor } from "#lib/protocol/actor.ts";
import { may } from "#lib/protocol/roles.ts";
import { type Refusal, refusal } from "./refusal.ts";
import type { Route } from "./route-table.ts";

export function authorise(actor: Actor, route: Route): Refusal | null {
  if (may(actor.role, route.action)) return null;
  return refusal("authorisation", "FORBIDDEN", `role ${actor.role} may not ${route.action}`);
}
