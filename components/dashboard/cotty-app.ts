// The one object behind the page: client, stores, terminals and actions, wired once and ended together.

import { type CommandActions, createCommandActions } from "#components/commands/command-actions.ts";
import { tellOfLongCommands } from "#components/commands/tell-long-commands.ts";
import { createKeyboardActs, type KeyboardActs } from "#components/lease/keyboard-acts.ts";
import { createNeedsCenter, type NeedsCenter } from "#components/lease/needs-center.ts";
import { type FollowedLanguage, followLanguage } from "#components/strings/follow-language.ts";
import type { Strings } from "#components/strings/strings.ts";
import { loadPane } from "#components/terminal/pane-part.tsx";
import { createTerminalHosts } from "#components/terminal/terminal-host.ts";
import { createTerminalPool, type TerminalPool } from "#components/terminal/terminal-pool.ts";
import { notify } from "#components/ui/toast.tsx";
import { systemClock } from "#lib/base/clock.ts";
import { type Disposable, DisposableStore, toDisposable } from "#lib/base/lifecycle.ts";
import type { ApiClient } from "#lib/client/api-client.ts";
import { type Credentials, createCredentials } from "#lib/client/credentials.ts";
import { browserKeyValue, type KeyValue, memoryKeyValue } from "#lib/client/key-value.ts";
import { createPageClient } from "#lib/client/page-client.ts";
import { browserPage } from "#lib/client/page-signals.ts";
import { createSessionFeed, type SessionFeed } from "#lib/client/session-feed.ts";
import { may } from "#lib/protocol/roles.ts";
import type { SessionInfo } from "#lib/protocol/session.ts";
import { type CommandBook, createCommandBook } from "#lib/store/command-book.ts";
import { type CommandFollower, createCommandFollower } from "#lib/store/command-follower.ts";
import { createPendingEnds, type PendingEnds } from "#lib/store/pending-ends.ts";
import { createSeen } from "#lib/store/seen.ts";
import { createServerMirror, followFeed, type ServerMirror } from "#lib/store/server-mirror.ts";
import { createSettings, type SettingsStore } from "#lib/store/settings.ts";
import { createWorkspace, type WorkspaceStore } from "#lib/store/workspace.ts";
import { type Actions, createActions } from "./actions.ts";
import { noticeFailure } from "./failure-notice.ts";
import { listenToTerminal } from "./listen-to-terminal.ts";
import { createTerminalFocus } from "./terminal-focus.ts";
import { followPreferences, preferencesOf } from "./theme.ts";
import { createUiState, type UiStateStore } from "./ui-state.ts";

export interface CottyApp extends Disposable {
  readonly api: ApiClient;
  readonly keyValue: KeyValue;
  readonly credentials: Credentials;
  readonly feed: SessionFeed;
  readonly mirror: ServerMirror;
  readonly settings: SettingsStore;
  readonly workspace: WorkspaceStore;
  readonly ends: PendingEnds;
  readonly ui: UiStateStore;
  readonly terminals: TerminalPool;
  readonly actions: Actions;
  /** Commands of sessions, and what keeps them complete. */
  readonly book: CommandBook;
  readonly follower: CommandFollower;
  readonly commandActions: CommandActions;
  readonly language: FollowedLanguage;
  readonly keyboard: KeyboardActs;
  readonly needs: NeedsCenter;
  /** The session as last known, also after the server forgot it. */
  infoOf(id: string): SessionInfo | undefined;
  /** Gives the keyboard to the session's terminal, as soon as it is on screen. */
  focusTerminal(id: string): void;
  /** The pane of `id` is on screen now. */
  paneShown(id: string): void;
}

export function createCottyApp(strings: Strings, { isSingle }: { isSingle: boolean }): CottyApp {
  const owned = new DisposableStore();
  const clock = systemClock;
  const page = owned.add(browserPage(window));
  const keyValue = browserKeyValue(window, () =>
    notify({ id: "storage", text: strings.storage.off }),
  );
  const credentials = owned.add(createCredentials({ keyValue, baseUrl: "" }));
  const server = {
    baseUrl: "",
    headers: () => credentials.headers(),
    onUnauthenticated: () => credentials.lost(),
  };
  const api = createPageClient(server);
  const settings = owned.add(createSettings(keyValue, matchMedia("(pointer: coarse)").matches));
  const language = owned.add(followLanguage(settings));
  const workspace = createWorkspace(isSingle ? memoryKeyValue() : keyValue);
  const ui = createUiState();
  const mirror = createServerMirror();
  const feed = owned.add(createSessionFeed({ api, server, clock, page }));
  const book = createCommandBook();
  const follower = owned.add(createCommandFollower({ api, mirror, book, clock }));
  const remembered = new Map<string, SessionInfo>();
  owned.add(
    toDisposable(
      mirror.subscribe(({ sessions }) => {
        for (const info of Object.values(sessions)) remembered.set(info.id, info);
      }),
    ),
  );
  owned.add(followFeed(mirror, feed));
  owned.add(credentials.onChange((state) => void (state === "signed_in" && feed.refresh())));

  const infoOf = (id: string) => mirror.getState().sessions[id] ?? remembered.get(id);
  const nameOf = (id: string) => infoOf(id)?.name ?? id.slice(0, 8);

  const terminals = owned.add(
    createTerminalPool({
      preferences: preferencesOf(settings.getState()),
      async make(sessionId, host, preferences) {
        const [{ createSessionTerminal }] = await Promise.all([
          import("#lib/xterm/session-terminal.ts"),
          loadPane(),
          // xterm measures its cell once, with the font that is there.
          document.fonts.load('13px "JetBrains Mono Variable"').catch(() => []),
        ]);
        const role = mirror.getState().me?.actor.role ?? "owner";
        return createSessionTerminal({
          sessionId,
          isReadOnly: !may(role, "input.write"),
          api,
          socketUrl: "",
          clock,
          page,
          host,
          preferences,
          idle: settings.getState().idle,
          politeness: settings.getState().politeness,
        });
      },
      hostOf: createTerminalHosts({
        ui,
        settings,
        strings,
        nameOf,
        asked: (id, by) => keyboard.asked(id, by),
        ask: (id) => keyboard.run("ask", id),
        commandKey: (id, act, index) => commandActions.byKey(id, act, index),
        // Where there are no tabs, the way out is the page's own bar.
        leave: (id) =>
          (
            document.getElementById(`tab-${id}`) ?? document.querySelector<HTMLElement>("header a")
          )?.focus(),
      }),
      onMade: (terminal, mine) =>
        listenToTerminal(terminal, mine, {
          mirror,
          workspace,
          book,
          ui,
          strings,
          infoOf,
          isInView,
          lost: () => credentials.lost(),
        }),
    }),
  );

  function isInView(id: string): boolean {
    const { active, isDrawerOpen } = workspace.getState();
    return isDrawerOpen && active === id && page.isVisible();
  }

  const { focusTerminal, paneShown } = createTerminalFocus((id) => terminals.terminal(id));

  const ends = owned.add(
    createPendingEnds({
      clock,
      async end(id) {
        await api.closeSession({ params: { id } });
        mirror.applyServerGone(id);
      },
      onFailed: (_id, error) => noticeFailure(strings.session.endFailed, error, strings),
    }),
  );

  // Tabs of sessions that the server does not have are dropped, except those this page has on screen: they say what happened.
  owned.add(
    toDisposable(
      mirror.subscribe(({ isLoaded, order }) => {
        if (!isLoaded) return;
        seen.keepOnly(order);
        workspace.getState().keepOnly([...order, ...Object.keys(terminals.store.getState())]);
      }),
    ),
  );
  owned.add(
    toDisposable(
      workspace.subscribe(({ tabs }) => {
        for (const id of Object.keys(terminals.store.getState()))
          if (!tabs.includes(id)) terminals.close(id);
      }),
    ),
  );
  owned.add(
    followPreferences(settings, (preferences) => {
      document.documentElement.dataset.theme = preferences.theme;
      terminals.setPreferences(preferences);
    }),
  );

  const actions = createActions({
    api,
    mirror,
    workspace,
    ends,
    ui,
    strings,
    infoOf,
    focusTerminal,
    access() {
      const { access } = settings.getState();
      return access === "collaborate" ? {} : { access };
    },
  });

  const keyboard = createKeyboardActs({
    api,
    mirror,
    ui,
    strings,
    terminal: (id) => terminals.terminal(id),
    infoOf,
  });
  owned.add(
    toDisposable(
      settings.subscribe(({ idle, politeness }, before) => {
        if (idle !== before.idle) for (const terminal of terminals.all()) terminal.setIdle(idle);
        if (politeness !== before.politeness)
          for (const terminal of terminals.all()) terminal.setPoliteness(politeness);
      }),
    ),
  );

  const seen = createSeen(isSingle ? memoryKeyValue() : keyValue, clock);
  const needs = owned.add(
    createNeedsCenter({
      mirror,
      seen,
      clock,
      strings,
      shown() {
        const { active } = workspace.getState();
        return active !== null && isInView(active) ? active : null;
      },
      open: (id) => actions.open(id),
      dismissCall: (id) => keyboard.tell(id, "dismiss"),
    }),
  );

  const commandActions = createCommandActions({
    api,
    terminals,
    strings,
    infoOf,
    recordOf: (id, index) => book.of(id).records.find((one) => one.index === index),
    open: actions.open,
    focusTerminal,
  });
  owned.add(
    toDisposable(
      terminals.store.subscribe((entries) => {
        for (const [id, { kind }] of Object.entries(entries))
          if (kind === "ready") commandActions.terminalMade(id);
      }),
    ),
  );
  owned.add(
    tellOfLongCommands({
      mirror,
      strings,
      isWatched: (id) => isInView(id) && document.hasFocus(),
      show: (id) => {
        const last = infoOf(id)?.last_command;
        if (last) commandActions.jump(id, last.index);
        else actions.open(id);
      },
    }),
  );

  return {
    book,
    follower,
    commandActions,
    api,
    keyValue,
    credentials,
    feed,
    mirror,
    settings,
    workspace,
    ends,
    ui,
    terminals,
    actions,
    language,
    keyboard,
    needs,
    infoOf,
    focusTerminal,
    paneShown,
    dispose: () => owned.dispose(),
  };
}
