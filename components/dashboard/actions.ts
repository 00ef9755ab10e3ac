// What a person can do to sessions from anywhere on the page. Sends acts and shows refusals; what became of them is the mirror's.

import type { Strings } from "#components/strings/strings.ts";
import { notify } from "#components/ui/toast.tsx";
import type { ApiClient } from "#lib/client/api-client.ts";
import { ApiError } from "#lib/client/api-error.ts";
import type { Access } from "#lib/protocol/lease.ts";
import type { SessionInfo } from "#lib/protocol/session.ts";
import type { PendingEnds } from "#lib/store/pending-ends.ts";
import { undoMs } from "#lib/store/pending-ends.ts";
import type { ServerMirror } from "#lib/store/server-mirror.ts";
import type { WorkspaceStore } from "#lib/store/workspace.ts";
import { announce } from "./announcer.tsx";
import { noticeFailure } from "./failure-notice.ts";
import { runningProgram } from "./session-status.ts";
import type { UiStateStore } from "./ui-state.ts";

export interface Actions {
  /** `profile`: a launch profile's name; absent: the default shell. */
  newTerminal(profile?: string): Promise<void>;
  open(id: string): void;
  openInWindow(id: string): void;
  hide(id: string): void;
  rename(id: string, name: string): Promise<void>;
  restart(id: string): Promise<void>;
  /** Ends what has nothing to lose; asks about the rest, beside `anchor`. */
  requestEnd(id: string, anchor: Element | null): void;
  /** Ends after the time to undo. */
  end(id: string): void;
}

export function createActions(deps: {
  api: ApiClient;
  mirror: ServerMirror;
  workspace: WorkspaceStore;
  ends: PendingEnds;
  ui: UiStateStore;
  strings: Strings;
  infoOf: (id: string) => SessionInfo | undefined;
  focusTerminal: (id: string) => void;
  /** What agents may do with terminals that are started here; nothing: as the profile says. */
  access: () => { access?: Access };
}): Actions {
  const { api, mirror, workspace, ends, ui, strings: s, infoOf } = deps;
  const nameOf = (id: string) => infoOf(id)?.name ?? id.slice(0, 8);

  const actions: Actions = {
    async newTerminal(profile) {
      if (ui.getState().isCreating) return;
      ui.setState({ isCreating: true });
      try {
        // Without a size: the session takes that of the view which opens it.
        const info = await api.createSession({
          body: { ...(profile === undefined ? {} : { profile }), ...deps.access() },
        });
        mirror.applyServerSession(info);
        actions.open(info.id);
      } catch (error) {
        noticeFailure(s.session.createFailed, error, s);
      } finally {
        ui.setState({ isCreating: false });
      }
    },
    open(id) {
      workspace.getState().openTab(id);
      ui.setState({ isRailSheetOpen: false });
      announce(s.announce.opened(nameOf(id)));
      deps.focusTerminal(id);
    },
    openInWindow(id) {
      window.open(`/s/?id=${id}`, `cotty-${id}`, "popup,width=960,height=640,noopener");
    },
    hide(id) {
      workspace.getState().hideTab(id);
      announce(s.announce.hidden(nameOf(id)));
      const { active, isDrawerOpen } = workspace.getState();
      if (active !== null && isDrawerOpen) deps.focusTerminal(active);
    },
    async rename(id, name) {
      const wanted = name.trim();
      if (wanted === "" || wanted === infoOf(id)?.name) return;
      try {
        mirror.applyServerSession(
          await api.changeSession({ params: { id }, body: { name: wanted } }),
        );
      } catch (error) {
        noticeFailure(s.session.renameFailed, error, s);
      }
    },
    async restart(id) {
      const old = infoOf(id);
      if (!old || ui.getState().isCreating) return;
      ui.setState({ isCreating: true });
      try {
        const { command, cwd, name, tags, profile } = old;
        const body = { command, cwd, name, tags };
        // The profile holds the environment, which no session shows. One that is gone since takes nothing else with it.
        const info = await (profile === undefined
          ? api.createSession({ body })
          : api.createSession({ body: { ...body, profile } }).catch((error: unknown) => {
              if (!(error instanceof ApiError) || error.code !== "BAD_PROFILE") throw error;
              return api.createSession({ body });
            }));
        mirror.applyServerSession(info);
        const place = workspace.getState().tabs.indexOf(id);
        actions.open(info.id);
        if (place >= 0) {
          workspace.getState().moveTab(info.id, place);
          workspace.getState().hideTab(id);
        }
        if (old.exited)
          await api.closeSession({ params: { id } }).catch(() => {
            // Gone already, which is what was wanted.
          });
      } catch (error) {
        noticeFailure(s.session.createFailed, error, s);
      } finally {
        ui.setState({ isCreating: false });
      }
    },
    requestEnd(id, anchor) {
      const info = infoOf(id);
      if (info && runningProgram(info) !== null) ui.setState({ endQuestion: { id, anchor } });
      else actions.end(id);
    },
    end(id) {
      ui.setState({ endQuestion: null });
      const { tabs } = workspace.getState();
      const place = tabs.indexOf(id);
      // Already gone on the server: there is nothing to end, only a tab to close.
      if (!mirror.getState().sessions[id]) {
        workspace.getState().hideTab(id);
        return;
      }
      ends.ask(id);
      if (place >= 0) actions.hide(id);
      notify({
        id: `end-${id}`,
        text: s.tabs.ended(nameOf(id)),
        durationMs: undoMs,
        action: {
          label: s.common.undo,
          run() {
            ends.undo(id);
            if (place < 0) return;
            actions.open(id);
            workspace.getState().moveTab(id, place);
          },
        },
      });
    },
  };
  return actions;
}
