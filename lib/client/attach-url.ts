// Where an attachment's socket is opened, with what the server has to know before the first message (docs/protocol.md). Pure.
import type { GridSize } from "#lib/protocol/geometry.ts";
import { attachRoute } from "#lib/protocol/operations/attach-route.ts";
import { routePath } from "./call.ts";

export interface AttachedSession {
  readonly sessionId: string;
  readonly isReadOnly: boolean;
  /** `ws://host:port` or `wss://…`. */
  readonly socketUrl: string;
}

/** `idle` null: as the server is set. `since` null: with the screen as it is. */
export function liveUrl(
  session: AttachedSession,
  { idle, since }: { idle: number | "never" | null; since: number | null },
): string {
  const query = new URLSearchParams();
  if (session.isReadOnly) query.set("readonly", "1");
  if (idle !== null && !session.isReadOnly) query.set("idle", String(idle));
  if (since !== null) query.set("since", String(since));
  return urlOf(session, query);
}

/** `view`: the size of the viewer's terminal (AT6). */
export function renderUrl(session: AttachedSession, view: GridSize): string {
  const { cols, rows } = view;
  const query = new URLSearchParams({ view: "render", cols: String(cols), rows: String(rows) });
  if (session.isReadOnly) query.set("readonly", "1");
  return urlOf(session, query);
}

function urlOf({ socketUrl, sessionId }: AttachedSession, query: URLSearchParams): string {
  const search = query.size > 0 ? `?${query}` : "";
  return `${socketUrl}${routePath(attachRoute.path, { id: sessionId })}${search}`;
}
