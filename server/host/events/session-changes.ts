// What is new about a session, as events: the difference between what was told last and what is.
import type { NewsBody } from "#lib/protocol/events.ts";
import type { SessionInfo } from "#lib/protocol/session.ts";

/** In the order in which they should be told: the end comes last. */
export function changesOf(before: SessionInfo, after: SessionInfo): NewsBody[] {
  const news: NewsBody[] = [];
  const { id: session } = after;
  const differs = (...fields: readonly (keyof SessionInfo)[]) =>
    fields.some((field) => before[field] !== after[field]);
  if (differs("name")) news.push({ type: "renamed", session, name: after.name });
  if (before.tags.join("\0") !== after.tags.join("\0"))
    news.push({ type: "tagged", session, tags: after.tags });
  if (differs("title")) news.push({ type: "title", session, title: after.title });
  if (differs("cols", "rows"))
    news.push({ type: "resized", session, cols: after.cols, rows: after.rows });
  if (differs("cwd", "foreground")) {
    const { foreground, cwd } = after;
    news.push({ type: "foreground", session, foreground, cwd });
  }
  if (differs("viewers")) news.push({ type: "viewers", session, viewers: after.viewers });
  if (isOther(before.lease, after.lease)) news.push({ type: "lease", session, lease: after.lease });
  if (differs("access")) news.push({ type: "access", session, access: after.access });
  if (isOther(before.credential, after.credential))
    news.push({ type: "credential", session, credential: after.credential });
  if (isOther(before.need, after.need)) news.push({ type: "need", session, need: after.need });
  if (isOther(before.agent, after.agent)) news.push({ type: "agent", session, agent: after.agent });
  if (isOther(before.last_command, after.last_command) || differs("integration")) {
    const { last_command, integration } = after;
    news.push({ type: "command", session, last_command, integration });
  }
  if (differs("phase")) news.push({ type: "phase", session, phase: after.phase });
  if (!before.exited && after.exited_at !== null) {
    const { exit_code, signal, exited_at } = after;
    news.push({ type: "exited", session, exit_code, signal, exited_at });
  }
  return news;
}

/** Time that only passes is no news: a countdown, a duration and an age change with every look. */
const passing: ReadonlySet<string> = new Set(["until", "remaining_ms", "age_ms"]);

/** As JSON, but with no text made of it: this is asked of every session that somebody types in, twenty times a second. */
function isOther(before: unknown, after: unknown): boolean {
  if (before === after) return false;
  if (!isObject(before) || !isObject(after)) return true;
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].some((name) => !passing.has(name) && isOther(before[name], after[name]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
