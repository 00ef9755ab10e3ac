// Operations by which a client learns what goes on (EV1, CP1).
import { TermError } from "#lib/protocol/errors.ts";
import { limits } from "#lib/protocol/limits.ts";
import { capsuleOf } from "../session/capsule.ts";
import { preferredType } from "./accept.ts";
import type { HostCore } from "./host-core.ts";
import type { Handlers } from "./operation-handlers.ts";

export const eventHandlers = {
  streamEvents: ({ core, actor, query, header }) => {
    const { session, types } = query;
    // The header is a reconnecting client's: newer than what its address says.
    const after = header("last-event-id")?.slice(0, limits.eventIdChars) || query.last_event_id;
    const reader = core.events.open(actor, {
      session,
      after,
      types: types === undefined ? undefined : new Set(types.split(",")),
    });
    // A session that is gone still has its last events for those who had the earlier ones.
    if (session !== undefined && !isThere(core, actor, session) && !reader.isDue()) {
      reader.dispose();
      throw new TermError("SESSION_NOT_FOUND", `there is no session ${session}`);
    }
    return new Response(core.events.stream(reader), {
      headers: { "content-type": "text/event-stream", "x-accel-buffering": "no" },
    });
  },
  readCapsule: ({ core, actor, header }) => {
    const capsule = capsuleOf(core.list(actor, undefined));
    const type = preferredType(header("accept"), ["application/json", "text/plain"]);
    const isText = type === "text/plain";
    // Two forms of one state: each has its own tag (RFC 9110, 8.8.3).
    const etag = `"${capsule.version}${isText ? "-text" : ""}"`;
    const headers = { etag, vary: "accept" };
    if (matches(header("if-none-match"), etag)) return new Response(null, { status: 304, headers });
    return new Response(isText ? capsule.text : JSON.stringify(capsule), {
      headers: { ...headers, "content-type": isText ? "text/plain; charset=utf-8" : type },
    });
  },
} satisfies Handlers;

function isThere(core: HostCore, actor: Parameters<HostCore["port"]>[0], id: string): boolean {
  try {
    core.port(actor, id);
    return true;
  } catch (error) {
    if (error instanceof TermError && error.code === "SESSION_NOT_FOUND") return false;
    throw error;
  }
}

/** RFC 9110, 13.1.2: weak comparison. */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes("*") || tags.includes(etag);
}
