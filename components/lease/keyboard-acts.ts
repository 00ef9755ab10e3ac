// What a person does with the keyboard of a session, from buttons and chords: sends the act, tells what has to be told at once.

import { noticeFailure } from "#components/dashboard/failure-notice.ts";
import type { KeyboardChord } from "#components/dashboard/shortcuts.ts";
import type { UiStateStore } from "#components/dashboard/ui-state.ts";
import type { Strings } from "#components/strings/strings.ts";
import type { BannerAction } from "#components/terminal/banner.ts";
import { dismissNotice, notify } from "#components/ui/toast.tsx";
import type { ApiClient } from "#lib/client/api-client.ts";
import type { Access, LeaseAction } from "#lib/protocol/lease.ts";
import { may } from "#lib/protocol/roles.ts";
import type { SessionInfo } from "#lib/protocol/session.ts";
import type { ServerMirror } from "#lib/store/server-mirror.ts";
import type { SessionTerminal } from "#lib/xterm/terminal-status.ts";
import { isMe } from "./hands-facts.ts";

/** How long sealing can be taken back by one press. */
const sealUndoMs = 5_000;

export type HandsAction = Exclude<
  BannerAction,
  "retry" | "reload" | "restart" | "end" | "closeTab" | "signIn"
>;

export interface KeyboardActs {
  run(action: HandsAction, id: string): void;
  setAccess(id: string, level: Access): Promise<void>;
  /** Between this level and `collaborate`. */
  toggleAccess(id: string, level: "observe" | "sealed"): void;
  chord(act: KeyboardChord, id: string): void;
  /** Somebody would like the keyboard: told where it is held. */
  asked(id: string, by: { id: string; name: string }): void;
  /** To the session, wherever it is: also where no terminal is open here. */
  tell(id: string, action: LeaseAction["action"]): void;
}

export function createKeyboardActs(deps: {
  api: ApiClient;
  mirror: ServerMirror;
  ui: UiStateStore;
  strings: Strings;
  terminal: (id: string) => SessionTerminal | null;
  infoOf: (id: string) => SessionInfo | undefined;
}): KeyboardActs {
  const { api, mirror, ui, strings: s, terminal, infoOf } = deps;

  const acts: KeyboardActs = {
    run(action, id) {
      const view = terminal(id);
      switch (action) {
        case "interrupt":
          view?.typeKeys("\x03");
          break;
        case "hold":
          acts.tell(id, "hold");
          break;
        case "handBack":
        case "handBackNow":
          acts.tell(id, "hand_back");
          break;
        case "clearLine":
          acts.tell(id, "clear_line");
          break;
        case "ask":
          acts.tell(id, "ask");
          notify({ id: `asked-${id}`, text: s.keyboard.askSent });
          break;
        case "take":
          acts.tell(id, "take_over");
          // Whoever takes the keyboard has seen that somebody called.
          if (infoOf(id)?.need?.reason === "question") acts.tell(id, "dismiss");
          break;
        case "dismiss":
          acts.tell(id, "dismiss");
          break;
        case "notPassword":
          acts.tell(id, "not_a_password");
          break;
        case "answer":
          ui.setState({ answering: id });
          return;
        case "reconnect":
          void acts.setAccess(id, "collaborate");
          break;
        case "connect":
          ui.setState({ isConnectOpen: true });
          return;
      }
      // A button of the banner is a detour: typing goes on in the terminal.
      view?.focus();
    },
    async setAccess(id, level) {
      const before = infoOf(id)?.access ?? "collaborate";
      try {
        mirror.applyServerSession(await api.setAccess({ params: { id }, body: { level } }));
        if (level !== "sealed") dismissNotice(`sealed-${id}`);
        else if (before !== "sealed")
          notify({
            id: `sealed-${id}`,
            text: s.keyboard.access.sealedNotice,
            durationMs: sealUndoMs,
            action: { label: s.common.undo, run: () => void acts.setAccess(id, before) },
          });
      } catch (error) {
        noticeFailure(s.keyboard.access.failed, error, s);
      }
    },
    toggleAccess(id, level) {
      const access = infoOf(id)?.access;
      if (access !== undefined) void acts.setAccess(id, access === level ? "collaborate" : level);
    },
    chord(act, id) {
      const mayChange = may(mirror.getState().me?.actor.role ?? "owner", "lease.change");
      if (!mayChange) return notify({ id: "read-only", text: s.terminal.readonlyText });
      const info = infoOf(id);
      switch (act) {
        case "observe":
        case "sealed":
          return acts.toggleAccess(id, act);
        case "secret":
          // Once more means: it is none.
          return acts.tell(id, info?.credential ? "not_a_password" : "treat_as_secret");
        default:
          return acts.run(act, id);
      }
    },
    asked(id, by) {
      const hands = terminal(id)?.getSnapshot().hands;
      const isMine = hands && isMe({ hands, me: mirror.getState().me?.actor.id ?? null });
      if (!isMine || by.id === hands.me) return;
      notify({
        id: `asks-${id}`,
        text: s.keyboard.asked(by.name),
        detail: s.keyboard.askedDetail(infoOf(id)?.name ?? id.slice(0, 8)),
        durationMs: 10_000,
        action: {
          label: s.keyboard.actions.handBackNow,
          run: () => acts.tell(id, "hand_back"),
        },
      });
    },
    tell(id, action) {
      const view = terminal(id);
      if (view) view.keyboard(action);
      else
        void api
          .changeLease({ params: { id }, body: { action } })
          .catch((error: unknown) => noticeFailure(s.keyboard.failed, error, s));
    },
  };
  return acts;
}
