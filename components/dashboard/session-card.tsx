"use client";
// A session in the rail: 52 px, a link, with its actions beside it.
import { Ellipsis, X } from "lucide-react";
import { type MouseEvent, memo, useRef } from "react";
import { CommandElapsed } from "#components/commands/command-elapsed.tsx";
import { useLooking } from "#components/lease/use-looking.ts";
import { useStrings } from "#components/strings/strings.ts";
import { cx } from "#components/ui/cx.ts";
import { IconButton } from "#components/ui/icon-button.tsx";
import { ContextMenu, Menu } from "#components/ui/menu.tsx";
import { Tooltip } from "#components/ui/tooltip.tsx";
import type { SessionInfo } from "#lib/protocol/session.ts";
import { useApp, useMirror, useUi, useWorkspace } from "./app-context.tsx";
import { Avatar } from "./avatar.tsx";
import { SessionMenuItems } from "./lazy-parts.ts";
import { RenameField } from "./rename-field.tsx";
import { placeText, statusOf, statusWord } from "./session-status.ts";
import { StatusDot, StatusLabel } from "./status-label.tsx";

/** A plain click opens here; with a modifier the browser does what it does with links. */
export function openOnPlainClick(open: () => void) {
  return (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0)
      return;
    event.preventDefault();
    open();
  };
}

export function useSessionState(session: SessionInfo) {
  const linkKind = useMirror((state) => state.link.kind);
  const isUnread = useWorkspace((state) => state.unread.includes(session.id));
  const isSelected = useWorkspace((state) => state.active === session.id && state.isDrawerOpen);
  const me = useMirror((state) => state.me?.actor.id ?? null);
  const isLookedAt = useLooking(session.id);
  const status = statusOf(session, { kind: linkKind }, { me, isLookedAt });
  return { status, isUnread, isSelected };
}

/** Drawn anew for what is new of its own session, not for its neighbours'. */
export const SessionCard = memo(function SessionCard({ session }: { session: SessionInfo }) {
  const app = useApp();
  const s = useStrings();
  const root = useRef<HTMLDivElement>(null);
  const { status, isUnread, isSelected } = useSessionState(session);
  const isRenaming = useUi(
    ({ renaming }) => renaming?.id === session.id && renaming.place === "rail",
  );
  const items = <SessionMenuItems session={session} place="rail" anchor={() => root.current} />;
  return (
    <ContextMenu
      target={
        <div
          ref={root}
          className={cx(
            "group relative flex h-[52px] items-center rounded-card pointer-coarse:h-16",
            isSelected
              ? "bg-bg-3"
              : "hover:bg-bg-2 focus-within:bg-bg-2 has-data-popup-open:bg-bg-2",
          )}
        />
      }
      items={items}
    >
      {isSelected ? (
        <span className="absolute inset-y-2 left-0 w-[3px] rounded-full bg-accent" aria-hidden />
      ) : null}
      {isRenaming ? (
        <div className="flex w-full min-w-0 items-center gap-2.5 px-3">
          <Avatar session={session} isUnread={isUnread} />
          <RenameField id={session.id} name={session.name} />
        </div>
      ) : (
        <a
          href={`/?s=${session.id}`}
          aria-current={isSelected ? "page" : undefined}
          onClick={openOnPlainClick(() => app.actions.open(session.id))}
          onKeyDown={(event) => {
            if (event.key !== "F2") return;
            event.preventDefault();
            app.ui.setState({ renaming: { id: session.id, place: "rail" } });
          }}
          className="focus-inset flex h-full w-full min-w-0 select-none items-center gap-2.5 rounded-card pr-2.5 pl-3"
          draggable={false}
        >
          <Avatar session={session} isUnread={isUnread} />
          <span className="min-w-0 flex-1">
            <span className="block truncate font-strong text-body text-text-1">{session.name}</span>
            <span className="flex min-w-0 gap-1.5 text-caption text-text-3">
              <span className="truncate">{placeText(session)}</span>
              <CommandElapsed last={session.last_command} />
            </span>
          </span>
          <StatusLabel
            status={status}
            session={session}
            className="pointer-fine:group-focus-within:invisible pointer-fine:group-hover:invisible pointer-fine:group-has-data-popup-open:invisible"
          />
        </a>
      )}
      {isRenaming ? null : (
        <span className="flex items-center pointer-fine:absolute pointer-fine:right-1.5 pointer-fine:opacity-0 pointer-fine:group-focus-within:opacity-100 pointer-fine:group-hover:opacity-100 pointer-fine:group-has-data-popup-open:opacity-100">
          <Menu
            trigger={
              <IconButton label={s.rail.actions(session.name)}>
                <Ellipsis size={16} strokeWidth={1.75} />
              </IconButton>
            }
            align="start"
          >
            {items}
          </Menu>
          <IconButton
            className="pointer-coarse:hidden"
            label={s.tabs.close(session.name)}
            onClick={() => app.actions.requestEnd(session.id, root.current)}
          >
            <X size={16} strokeWidth={1.75} />
          </IconButton>
        </span>
      )}
    </ContextMenu>
  );
});

/** In the icon rail: the tile with its mark; the rest is in the tooltip. */
export function SessionIcon({ session }: { session: SessionInfo }) {
  const app = useApp();
  const s = useStrings();
  const root = useRef<HTMLAnchorElement>(null);
  const { status, isUnread, isSelected } = useSessionState(session);
  const label = `${session.name}, ${statusWord(status, session, s)}`;
  return (
    <ContextMenu
      target={<div className="relative flex h-11 items-center justify-center" />}
      items={<SessionMenuItems session={session} place="tab" anchor={() => root.current} />}
    >
      {isSelected ? (
        <span className="absolute inset-y-1.5 left-0 w-[3px] rounded-full bg-accent" aria-hidden />
      ) : null}
      <Tooltip content={label} side="right">
        <a
          ref={root}
          href={`/?s=${session.id}`}
          aria-label={label}
          aria-current={isSelected ? "page" : undefined}
          onClick={openOnPlainClick(() => app.actions.open(session.id))}
          className={cx(
            "relative flex size-10 items-center justify-center rounded-card",
            isSelected ? "bg-bg-3" : "hover:bg-bg-2",
          )}
          draggable={false}
        >
          <Avatar session={session} isUnread={isUnread} />
          <span className="absolute right-0 bottom-0 rounded-full bg-bg-1">
            <StatusDot status={status} />
          </span>
        </a>
      </Tooltip>
    </ContextMenu>
  );
}
