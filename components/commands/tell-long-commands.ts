// How a person is told of long commands that ended out of sight: always on the page, by the browser too when they said so.

import type { Strings } from "#components/strings/strings.ts";
import { notify } from "#components/ui/toast.tsx";
import { type Disposable, DisposableStore, toDisposable } from "#lib/base/lifecycle.ts";
import type { ServerMirror } from "#lib/store/server-mirror.ts";
import { askPermission, noticePermission, onNoticePressed, showNotice } from "./browser-notices.ts";
import { followLongCommands } from "./long-commands.ts";

/** Long enough to be found by somebody who comes back to the window. */
const shownMs = 15_000;

export function tellOfLongCommands(options: {
  mirror: ServerMirror;
  strings: Strings;
  isWatched: (id: string) => boolean;
  /** Opens the session at its last command. */
  show: (id: string) => void;
}): Disposable {
  const { mirror, strings: s, isWatched, show } = options;
  const store = new DisposableStore();

  async function ask(): Promise<void> {
    const permission = await askPermission();
    notify({
      id: "notices",
      text: permission === "granted" ? s.commands.tellMeOn : s.commands.tellMeOff,
    });
  }

  store.add(toDisposable(onNoticePressed(show)));
  store.add(
    followLongCommands({
      mirror,
      strings: s,
      nowMs: Date.now(),
      isWatched,
      tell({ session, title, detail }) {
        notify({
          id: `long-${session}`,
          text: title,
          detail,
          durationMs: shownMs,
          action: { label: s.commands.show, run: () => show(session) },
          ...(noticePermission() === "default"
            ? { second: { label: s.commands.tellMe, run: () => void ask() } }
            : {}),
        });
        void showNotice({ session, title, body: detail });
      },
    }),
  );
  return store;
}
