// What one terminal's socket tells, for the rest of the page: news of its session and its commands, bells, and what became of the connection.
import type { Strings } from "#components/strings/strings.ts";
import { notify } from "#components/ui/toast.tsx";
import { type DisposableStore, toDisposable } from "#lib/base/lifecycle.ts";
import type { SessionInfo } from "#lib/protocol/session.ts";
import { type CommandBook, lastCommandOf } from "#lib/store/command-book.ts";
import type { ServerMirror } from "#lib/store/server-mirror.ts";
import type { WorkspaceStore } from "#lib/store/workspace.ts";
import type { SessionTerminal } from "#lib/xterm/terminal-status.ts";
import { announce } from "./announcer.tsx";
import type { UiStateStore } from "./ui-state.ts";

interface Told {
  readonly mirror: ServerMirror;
  readonly workspace: WorkspaceStore;
  readonly book: CommandBook;
  readonly ui: UiStateStore;
  readonly strings: Strings;
  infoOf(id: string): SessionInfo | undefined;
  /** The session is what this page shows, in a window that is seen. */
  isInView(id: string): boolean;
  /** The server does not know this page's login any more. */
  lost(): void;
}

/** Until `mine` is disposed. */
export function listenToTerminal(
  terminal: SessionTerminal,
  mine: DisposableStore,
  { mirror, workspace, book, ui, strings, infoOf, isInView, lost }: Told,
): void {
  const id = terminal.sessionId;
  mine.add(terminal.onSession((info) => mirror.applyServerSession(info)));
  mine.add(
    terminal.onPatch((patch) => {
      mirror.applyServerPatch(id, patch);
      if (patch.exited && !isInView(id)) workspace.getState().markUnread(id);
    }),
  );
  mine.add(
    terminal.onCommand((record) => {
      book.applyServerRecord(id, record);
      const last = lastCommandOf(record, infoOf(id)?.last_command ?? null);
      if (last)
        mirror.applyServerPatch(id, { last_command: last, integration: record.integration });
    }),
  );
  mine.add(
    terminal.onBell(() => {
      ui.setState(({ bells }) => ({ bells: { ...bells, [id]: (bells[id] ?? 0) + 1 } }));
      if (!isInView(id)) workspace.getState().markUnread(id);
    }),
  );
  let was = terminal.getSnapshot().status.kind;
  const unsubscribe = terminal.subscribe(() => {
    const { status, droppedKeys } = terminal.getSnapshot();
    if (status.kind === "live" && droppedKeys > 0) {
      notify({ id: `dropped-${id}`, text: strings.terminal.dropped(droppedKeys) });
      terminal.forgetDroppedKeys();
    }
    if (status.kind === was) return;
    if (status.kind === "offline") announce(strings.announce.offline);
    if (status.kind === "live" && was === "offline") announce(strings.announce.connected);
    if (status.kind === "gone") mirror.applyServerGone(id);
    if (status.kind === "signed_out") lost();
    was = status.kind;
  });
  mine.add(toDisposable(unsubscribe));
}
