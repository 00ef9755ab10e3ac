"use client";
// On a phone a session has the whole screen; this is its way back, its name and its actions.
import { ChevronLeft, Ellipsis, Search } from "lucide-react";
import { useRef } from "react";
import { JournalButton } from "#components/commands/journal-button.tsx";
import { useApp, useSession, useUi, useWorkspace } from "#components/dashboard/app-context.tsx";
import { AuditPill } from "#components/dashboard/audit-pill.tsx";
import { SessionMenuItems } from "#components/dashboard/lazy-parts.ts";
import { RenameField } from "#components/dashboard/rename-field.tsx";
import { useSessionState } from "#components/dashboard/session-card.tsx";
import { detailOf } from "#components/dashboard/session-status.ts";
import { StatusDot } from "#components/dashboard/status-label.tsx";
import { useStrings } from "#components/strings/strings.ts";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Menu } from "#components/ui/menu.tsx";
import type { SessionInfo } from "#lib/protocol/session.ts";

export function PhoneHeader() {
  const app = useApp();
  const s = useStrings();
  const active = useWorkspace((state) => state.active);
  const session = useSession(active ?? "");
  return (
    <div className="flex h-13 shrink-0 items-center gap-1 border-line border-b bg-bg-1 px-1 pt-[env(safe-area-inset-top)] box-content">
      <IconButton
        label={s.common.back}
        onClick={() => app.workspace.getState().setDrawerOpen(false)}
        className="size-11!"
      >
        <ChevronLeft size={22} strokeWidth={1.75} />
      </IconButton>
      {session ? <Title session={session} /> : <span className="flex-1" />}
    </div>
  );
}

function Title({ session }: { session: SessionInfo }) {
  const app = useApp();
  const s = useStrings();
  const root = useRef<HTMLDivElement>(null);
  const { status } = useSessionState(session);
  const tabs = useWorkspace((state) => state.tabs);
  const isRenaming = useUi(
    ({ renaming }) => renaming?.id === session.id && renaming.place === "tab",
  );
  const place = tabs.indexOf(session.id) + 1;
  return (
    <>
      <div ref={root} className="flex min-w-0 flex-1 items-center gap-2">
        <StatusDot status={status} />
        <div className="min-w-0 flex-1">
          {isRenaming ? (
            <RenameField
              id={session.id}
              name={session.name}
              onLeft={() => app.focusTerminal(session.id)}
            />
          ) : (
            <>
              <h1 id={`tab-${session.id}`} tabIndex={-1} className="truncate font-strong text-body">
                {session.name}
              </h1>
              <p className="truncate text-caption text-text-3 tnum">
                {detailOf(session)}
                {tabs.length > 1 ? ` · ${s.search.count(place, tabs.length)}` : ""}
              </p>
            </>
          )}
        </div>
      </div>
      <AuditPill isIcon />
      <IconButton
        label={s.drawer.search}
        className="size-11!"
        onClick={() => app.ui.setState({ searching: session.id })}
      >
        <Search size={20} strokeWidth={1.75} />
      </IconButton>
      <JournalButton id={session.id} isTouch />
      <Menu
        trigger={
          <IconButton label={s.rail.actions(session.name)} className="size-11!">
            <Ellipsis size={20} strokeWidth={1.75} />
          </IconButton>
        }
      >
        <SessionMenuItems session={session} place="tab" anchor={() => root.current} isPhone />
      </Menu>
    </>
  );
}
