// Tells of long commands that ended where nobody looked: a notice on the page always, one of the browser's when the person asked for it. Never
// with text from the screen; the browser's not even with the command.
import type { Strings } from "#components/strings/strings.ts";
import { type Disposable, DisposableStore, toDisposable } from "#lib/base/lifecycle.ts";
import type { LastCommand, SessionInfo } from "#lib/protocol/session.ts";
import { longMs } from "#lib/store/command-view.ts";
import type { ServerMirror } from "#lib/store/server-mirror.ts";

export interface LongCommandEnd {
  readonly session: string;
  readonly title: string;
  readonly detail: string;
}

/** What ended between two states of a session and is worth telling. `since`: what ended before is no news. */
export function longCommandEnd(
  before: LastCommand | null | undefined,
  after: LastCommand | null,
  sinceMs: number,
): LastCommand | null {
  if (!after || after.running || (after.duration_ms ?? 0) < longMs) return null;
  if (before && before.index === after.index && !before.running) return null;
  // A list that is first seen tells of the past.
  if (Date.parse(after.started_at) + (after.duration_ms ?? 0) < sinceMs) return null;
  return after;
}

export function followLongCommands(options: {
  mirror: ServerMirror;
  strings: Strings;
  nowMs: number;
  isWatched: (id: string) => boolean;
  tell: (end: LongCommandEnd) => void;
}): Disposable {
  const { mirror, strings: s, isWatched, tell } = options;
  const store = new DisposableStore();
  let before: Readonly<Record<string, SessionInfo>> = mirror.getState().sessions;
  store.add(
    toDisposable(
      mirror.subscribe(({ sessions }) => {
        const was = before;
        before = sessions;
        if (was === sessions) return;
        for (const [id, info] of Object.entries(sessions)) {
          if (was[id] === info) continue;
          const ended = longCommandEnd(was[id]?.last_command, info.last_command, options.nowMs);
          if (!ended || isWatched(id)) continue;
          tell({
            session: id,
            title: s.commands.finished(info.name, ended.exit_code),
            detail: s.commands.finishedAfter(s.format.duration(ended.duration_ms ?? 0)),
          });
        }
      }),
    ),
  );
  return store;
}
