// Keeps the list of sessions that need a person right, and tells of new ones: on the page, in the tab's title and icon, and by the browser
// where the person asked for that. What is on screen in a focused window tells itself.

import { createStore, type StoreApi } from "zustand/vanilla";
import {
  askPermission,
  noticePermission,
  showNotice,
} from "#components/commands/browser-notices.ts";
import type { Strings } from "#components/strings/strings.ts";
import { dismissNotice, notify } from "#components/ui/toast.tsx";
import type { Clock } from "#lib/base/clock.ts";
import { type Disposable, DisposableStore, toDisposable } from "#lib/base/lifecycle.ts";
import type { SessionInfo } from "#lib/protocol/session.ts";
import { type NeedFacts, needsOf, type SessionNeed } from "#lib/store/needs.ts";
import type { SeenStore } from "#lib/store/seen.ts";
import type { ServerMirror } from "#lib/store/server-mirror.ts";
import { showCount } from "./attention-mark.ts";
import { noticeTitle } from "./need-words.ts";

/** A session was seen when it was on screen for so long. */
const seenAfterMs = 1_000;
/** How often it is written down that a session is being looked at. */
const markEveryMs = 10_000;
const noticeMs = 15_000;

export interface NeedsCenter extends Disposable {
  readonly store: StoreApi<{ list: readonly SessionNeed[] }>;
  /** Opens the most urgent one; when that is open, the next. */
  goToNext(): void;
  dismiss(id: string): void;
}

export function createNeedsCenter(deps: {
  mirror: ServerMirror;
  seen: SeenStore;
  clock: Clock;
  strings: Strings;
  /** The session whose terminal is on screen in a visible page. */
  shown: () => string | null;
  open: (id: string) => void;
  /** Tells the server that a call was seen. */
  dismissCall: (id: string) => void;
}): NeedsCenter {
  const { mirror, seen, clock, strings: s, shown } = deps;
  const owned = new DisposableStore();
  const store = createStore<{ list: readonly SessionNeed[] }>()(() => ({ list: [] }));
  const waiting = new Map<string, number>();
  /** Needs of which the person was told, or which were there before this page. */
  const told = new Set<string>();
  let isFirst = true;
  let hasAsked = false;
  let looking: { id: string; sinceMs: number; markedMs: number } | null = null;

  const keyOf = ({ id, reason, sinceMs }: SessionNeed) => `${id} ${reason} ${sinceMs}`;

  function update(): void {
    const { sessions, isLoaded } = mirror.getState();
    if (!isLoaded) return;
    const all = Object.values(sessions);
    watchWaiting(all);
    const facts: NeedFacts = {
      seenMs: (id) => seen.at(id),
      waitingMs: (id) => waiting.get(id) ?? null,
      nowMs: clock.now(),
    };
    const list = needsOf(all, facts);
    if (JSON.stringify(list) !== JSON.stringify(store.getState().list)) store.setState({ list });
    for (const need of list) if (!told.has(keyOf(need))) tell(need, sessions[need.id]);
    const known = new Set(list.map(keyOf));
    for (const key of told) if (!known.has(key)) told.delete(key);
    isFirst = false;
    showCount(list.length);
  }

  function watchWaiting(all: readonly SessionInfo[]): void {
    const now = clock.now();
    const known = new Set<string>();
    for (const { id, phase } of all) {
      if (phase !== "waiting_input") continue;
      known.add(id);
      if (!waiting.has(id)) waiting.set(id, now);
    }
    for (const id of waiting.keys()) if (!known.has(id)) waiting.delete(id);
  }

  function tell(need: SessionNeed, session: SessionInfo | undefined): void {
    told.add(keyOf(need));
    if (!session || (shown() === need.id && document.hasFocus())) return;
    // Ends of commands are told with the commands (components/commands); what was there before this page is in the list.
    if (isFirst || need.evidence.kind === "command" || need.evidence.kind === "done") return;
    if (need.reason === "finished" || need.reason === "stalled") return;
    const title = noticeTitle(need, session, s);
    const detail = need.evidence.kind === "said" ? need.evidence.text : undefined;
    notify({
      id: `need-${need.id}`,
      text: title,
      ...(detail === undefined ? {} : { detail }),
      durationMs: noticeMs,
      action: { label: s.keyboard.notice.open, run: () => deps.open(need.id) },
    });
    void showNotice({ session: need.id, title, body: detail ?? "" });
    ask();
  }

  /** At the first time that somebody was needed, and never again in this page. */
  function ask(): void {
    if (hasAsked || noticePermission() !== "default") return;
    hasAsked = true;
    const { askTitle, askDetail, allow, notNow } = s.keyboard.notice;
    notify({
      id: "ask-notices",
      text: askTitle,
      detail: askDetail,
      durationMs: noticeMs,
      action: { label: allow, run: () => void askPermission() },
      second: { label: notNow, run: () => dismissNotice("ask-notices") },
    });
  }

  function look(): void {
    const id = shown();
    const now = clock.monotonic();
    if (id === null) looking = null;
    else if (looking?.id !== id) looking = { id, sinceMs: now, markedMs: Number.NEGATIVE_INFINITY };
    else if (now - looking.sinceMs >= seenAfterMs) {
      const isListed = store.getState().list.some((need) => need.id === id);
      if (isListed || now - looking.markedMs >= markEveryMs) {
        looking.markedMs = now;
        seen.mark(id);
      }
    }
    update();
  }

  owned.add(toDisposable(mirror.subscribe(update)));
  owned.add(clock.every(seenAfterMs, look));
  owned.add(toDisposable(() => showCount(0)));
  update();

  return {
    store,
    goToNext() {
      const { list } = store.getState();
      const at = list.findIndex(({ id }) => id === shown());
      const next = list[(at + 1) % list.length];
      if (next) deps.open(next.id);
      else notify({ id: "no-need", text: s.keyboard.needs.none });
    },
    dismiss(id) {
      const need = store.getState().list.find((one) => one.id === id);
      if (need?.reason === "question") deps.dismissCall(id);
      seen.mark(id);
      dismissNotice(`need-${id}`);
      update();
    },
    dispose: () => owned.dispose(),
  };
}
