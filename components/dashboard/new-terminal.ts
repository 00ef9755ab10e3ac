// Whether a terminal can be started here and now, and if not, why.

import type { Strings } from "#components/strings/strings.ts";
import { may } from "#lib/protocol/roles.ts";
import type { ServerMirrorState } from "#lib/store/server-mirror.ts";

/** A sentence for the person; undefined when nothing is in the way. */
export function whyNoTerminal(
  { link, me, order }: Pick<ServerMirrorState, "link" | "me" | "order">,
  s: Strings,
): string | undefined {
  if (link.kind === "offline" || link.kind === "signed_out") return s.unavailable.offline;
  if (!me) return s.unavailable.loading;
  const { terminals, sessions } = me.server;
  if (terminals.state === "disabled") return s.unavailable.disabled;
  if (terminals.state === "unavailable") return s.unavailable.unavailable(terminals.reason);
  if (!may(me.actor.role, "session.create")) return s.unavailable.role;
  // The list is newer than `me`.
  if (order.length >= sessions.max) return s.unavailable.limit(order.length, sessions.max);
  return undefined;
}
