// What the server said, and nothing else: changes only through the applyServer… functions. The interface sends acts and waits
// for facts; it never writes here what it hopes for.
import { createStore, type StoreApi } from "zustand/vanilla";
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { FeedSnapshot, ServerLink, SessionFeed } from "#lib/client/session-feed.ts";
import type { Me } from "#lib/protocol/login.ts";
import type { SessionInfo } from "#lib/protocol/session.ts";

export interface ServerMirrorState {
  link: ServerLink;
  me: Me | null;
  /** False until the first list arrived: "no sessions" and "not known yet" are different pages. */
  isLoaded: boolean;
  sessions: Readonly<Record<string, SessionInfo>>;
  /** Ids in order of creation. */
  order: readonly string[];
  rttsMs: readonly number[];
}

export interface ServerMirror extends StoreApi<ServerMirrorState> {
  applyServerFeed(snapshot: FeedSnapshot): void;
  /** The reply of an act (create, rename, resize) or an attachment's hello: newer than the last list. */
  applyServerSession(info: SessionInfo): void;
  /** Something an attachment was told (title, phase, viewers, exit). Ignored for sessions that are not known. */
  applyServerPatch(id: string, patch: Partial<SessionInfo>): void;
  /** The server closed it or does not know it. */
  applyServerGone(id: string): void;
}

export function createServerMirror(): ServerMirror {
  const store = createStore<ServerMirrorState>()(() => ({
    link: { kind: "starting" },
    me: null,
    isLoaded: false,
    sessions: {},
    order: [],
    rttsMs: [],
  }));
  /** The old map and the old order where they say the same: who looks at all sessions is not drawn anew for nothing. */
  const known = (sessions: Readonly<Record<string, SessionInfo>>) => {
    const before = store.getState();
    return {
      sessions: isSame(before.sessions, sessions) ? before.sessions : sessions,
      order: unchanged(before.order, inOrder(sessions)),
    };
  };
  const put = (sessions: Record<string, SessionInfo>) => store.setState(known(sessions));
  /**
   * Sessions that acts and attachments told of since the last list, as they are now (null: gone). The next list may have been
   * on its way already, so it does not undo them; the one after it decides.
   */
  const newer = new Map<string, SessionInfo | null>();
  let last: Pick<FeedSnapshot, "sessions" | "listings"> = { sessions: null, listings: 0 };

  const merge = (list: readonly SessionInfo[]) => {
    const before = store.getState().sessions;
    const sessions: Record<string, SessionInfo> = {};
    for (const info of list) sessions[info.id] = unchanged(before[info.id], info);
    for (const [id, info] of newer) {
      if (info === null) delete sessions[id];
      else sessions[id] ??= info;
    }
    newer.clear();
    return sessions;
  };

  /** Only what an event changed: attachments may have told newer things of the rest. */
  const patch = (was: readonly SessionInfo[], list: readonly SessionInfo[]) => {
    const sessions = { ...store.getState().sessions };
    const old = new Map(was.map((info) => [info.id, info]));
    for (const info of list) {
      const before = old.get(info.id);
      old.delete(info.id);
      if (before === info || newer.get(info.id) === null) continue;
      const current = sessions[info.id];
      sessions[info.id] = unchanged(
        current,
        current && before ? { ...current, ...difference(before, info) } : info,
      );
    }
    for (const id of old.keys()) delete sessions[id];
    return sessions;
  };

  return Object.assign(store, {
    applyServerFeed({ sessions, listings, me, rttsMs, ...told }: FeedSnapshot) {
      const link = unchanged(store.getState().link, told.link);
      if (sessions === null) {
        newer.clear();
        store.setState({ link, rttsMs, me, isLoaded: false, sessions: {}, order: [] });
      } else if (sessions === last.sessions) {
        store.setState({ link, rttsMs, me });
      } else {
        const isEvent = last.sessions !== null && listings === last.listings;
        const merged = isEvent ? patch(last.sessions ?? [], sessions) : merge(sessions);
        store.setState({ link, rttsMs, me, isLoaded: true, ...known(merged) });
      }
      last = { sessions, listings };
    },
    applyServerSession(info: SessionInfo) {
      newer.set(info.id, info);
      const { sessions } = store.getState();
      put({ ...sessions, [info.id]: unchanged(sessions[info.id], info) });
    },
    applyServerPatch(id: string, patch: Partial<SessionInfo>) {
      const { sessions } = store.getState();
      const current = sessions[id];
      if (current) put({ ...sessions, [id]: unchanged(current, { ...current, ...patch, id }) });
    },
    applyServerGone(id: string) {
      newer.set(id, null);
      const { [id]: gone, ...rest } = store.getState().sessions;
      if (gone) put(rest);
    },
  });
}

/** Feeds the mirror until disposed. */
export function followFeed(mirror: ServerMirror, feed: SessionFeed): Disposable {
  mirror.applyServerFeed(feed.snapshot());
  return feed.onChange((snapshot) => mirror.applyServerFeed(snapshot));
}

/** The old object where nothing changed, so that a list that says nothing new redraws nothing. */
function unchanged<Value>(before: Value | undefined, after: Value): Value {
  return before !== undefined && JSON.stringify(before) === JSON.stringify(after) ? before : after;
}

/** The very same sessions. */
function isSame(
  before: Readonly<Record<string, SessionInfo>>,
  after: Readonly<Record<string, SessionInfo>>,
): boolean {
  const ids = Object.keys(after);
  return ids.length === Object.keys(before).length && ids.every((id) => before[id] === after[id]);
}

function difference(before: SessionInfo, after: SessionInfo): Partial<SessionInfo> {
  const fields = Object.entries(after) as [keyof SessionInfo, unknown][];
  return Object.fromEntries(fields.filter(([field, value]) => before[field] !== value));
}

function inOrder(sessions: Readonly<Record<string, SessionInfo>>): string[] {
  return Object.values(sessions)
    .sort((a, b) =>
      a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : a.id < b.id ? -1 : 1,
    )
    .map((info) => info.id);
}
