// What an event changes in a list of sessions. Pure; the same array comes back when nothing does.
import { patchOf, type SessionNews } from "#lib/protocol/events.ts";
import type { SessionInfo } from "#lib/protocol/session.ts";

/** `sessions` oldest first, as the server lists them. Sessions that an event is not about stay the same objects. */
export function applyNews(
  sessions: readonly SessionInfo[],
  news: SessionNews,
): readonly SessionInfo[] {
  const known = sessions.find(({ id }) => id === news.session);
  if (news.type === "session_created") return known ? sessions : [...sessions, news.info];
  if (!known) return sessions;
  if (news.type === "closed") return sessions.filter((info) => info !== known);
  const after = { ...known, ...patchOf(news) };
  if (JSON.stringify(after) === JSON.stringify(known)) return sessions;
  return sessions.map((info) => (info === known ? after : info));
}
