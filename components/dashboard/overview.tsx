"use client";
// All sessions as cards: what each is, where, since when, who watches. The phone's home; on wider windows what lies behind the drawer.
import { Ellipsis, Eye, Search } from "lucide-react";
import { memo, Suspense, useRef, useState } from "react";
import { AllJournal } from "#components/commands/lazy-commands.ts";
import { useStrings } from "#components/strings/strings.ts";
import { Button } from "#components/ui/button.tsx";
import { cx } from "#components/ui/cx.ts";
import { IconButton } from "#components/ui/icon-button.tsx";
import { ContextMenu, Menu, MenuWatch } from "#components/ui/menu.tsx";
import { Segmented } from "#components/ui/segmented.tsx";
import { TextField } from "#components/ui/text-field.tsx";
import type { SessionInfo } from "#lib/protocol/session.ts";
import { useApp, useSessions, useUi } from "./app-context.tsx";
import { Avatar } from "./avatar.tsx";
import { SessionMenuItems } from "./lazy-parts.ts";
import { NewTerminalButton } from "./new-terminal-button.tsx";
import { RenameField } from "./rename-field.tsx";
import { openOnPlainClick, SessionCard, useSessionState } from "./session-card.tsx";
import { commandLine, isShell, matches, programName } from "./session-status.ts";
import { StatusLabel } from "./status-label.tsx";
import { useNow } from "./use-now.ts";
import { useSessionGroups } from "./use-session-groups.ts";

export function Overview({ withFilter, isPhone }: { withFilter: boolean; isPhone: boolean }) {
  const app = useApp();
  const s = useStrings();
  const sessions = useSessions();
  const [filter, setFilter] = useState("");
  const now = useNow(30_000);
  const shownList = useUi((state) => state.overview);
  const isCommands = shownList === "commands";
  const running = sessions.filter((session) => !session.exited).length;
  const found = sessions.filter((session) => matches(session, filter));
  const { groups, watchMenu, focus } = useSessionGroups(found);
  return (
    <div className="@container h-full overflow-y-auto overscroll-contain" {...focus}>
      <div className={cx("mx-auto flex max-w-[1280px] flex-col gap-3 p-4", isCommands && "h-full")}>
        <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-2">
          <h1 className="sr-only">{isCommands ? s.commands.journalAll : s.overview.title}</h1>
          <Segmented
            label={s.overviewTabs.label}
            value={shownList}
            onChange={(overview) => app.ui.setState({ overview })}
            options={[
              { value: "sessions", label: s.overviewTabs.sessions },
              { value: "commands", label: s.overviewTabs.commands },
            ]}
          />
          <span className="text-caption text-text-3 tnum">
            {isCommands ? "" : s.overview.summary(running, sessions.length - running)}
          </span>
          <span className="ml-auto flex items-center gap-2">
            {withFilter && !isCommands && sessions.length > 8 ? (
              <TextField
                compact
                type="search"
                aria-label={s.rail.filter}
                placeholder={s.rail.filter}
                icon={<Search size={14} strokeWidth={1.75} aria-hidden />}
                value={filter}
                onChange={(event) => setFilter(event.target.value)}
                className="w-40"
              />
            ) : null}
            <NewTerminalButton look="primary" />
          </span>
        </div>
        {isCommands ? (
          <Suspense fallback={null}>
            <AllJournal />
          </Suspense>
        ) : null}
        {!isCommands && found.length === 0 && filter !== "" ? (
          <p className="flex items-center gap-3 py-4 text-text-2">
            {s.rail.noMatch(filter)}
            <Button size="banner" onClick={() => setFilter("")}>
              {s.rail.clear}
            </Button>
          </p>
        ) : null}
        <MenuWatch value={watchMenu}>
          {(isCommands ? [] : groups).map(({ group, sessions: members }) => (
            <section key={group} aria-label={s.rail.groups[group]}>
              <h2 className="pt-1 pb-2 text-overline text-text-3">{s.rail.groups[group]}</h2>
              {isPhone ? (
                <ul className="-mx-2 flex flex-col">
                  {members.map((session) => (
                    <li key={session.id} className="rise border-line border-b last:border-b-0">
                      <SessionCard session={session} />
                    </li>
                  ))}
                </ul>
              ) : (
                <ul className="grid grid-cols-1 gap-3 @min-[600px]:grid-cols-2 @min-[900px]:grid-cols-3 @min-[1200px]:grid-cols-4">
                  {members.map((session) => (
                    <li key={session.id} className="rise min-w-0">
                      <OverviewCard session={session} now={now} />
                    </li>
                  ))}
                </ul>
              )}
            </section>
          ))}
        </MenuWatch>
      </div>
    </div>
  );
}

const OverviewCard = memo(function OverviewCard({
  session,
  now,
}: {
  session: SessionInfo;
  now: number;
}) {
  const app = useApp();
  const s = useStrings();
  const root = useRef<HTMLDivElement>(null);
  const { status, isUnread, isSelected } = useSessionState(session);
  const isRenaming = useUi(
    ({ renaming }) => renaming?.id === session.id && renaming.place === "card",
  );
  const since = session.exited_at ?? session.created_at;
  const when = s.format.ago(now - Date.parse(since));
  const runs =
    session.foreground === null || session.exited
      ? isShell(session.command) && session.command.length === 1
        ? programName(session.command[0] ?? s.session.shell)
        : commandLine(session.command)
      : programName(session.foreground);
  const items = <SessionMenuItems session={session} place="card" anchor={() => root.current} />;
  return (
    <ContextMenu
      items={items}
      target={
        <div
          ref={root}
          className={cx(
            "group relative flex h-full flex-col rounded-tile border bg-bg-1 transition-colors duration-120",
            isSelected ? "border-accent" : "border-line hover:border-line-strong",
          )}
        />
      }
    >
      <div className="flex items-center gap-2.5 px-3 pt-3">
        <Avatar session={session} isUnread={isUnread} />
        <div className="min-w-0 flex-1">
          {isRenaming ? (
            <RenameField id={session.id} name={session.name} />
          ) : (
            <a
              href={`/?s=${session.id}`}
              aria-current={isSelected ? "page" : undefined}
              onClick={openOnPlainClick(() => app.actions.open(session.id))}
              onKeyDown={(event) => {
                if (event.key !== "F2") return;
                event.preventDefault();
                app.ui.setState({ renaming: { id: session.id, place: "card" } });
              }}
              draggable={false}
              // The whole card is the link's target.
              className="block truncate font-strong text-body outline-none after:absolute after:inset-0 after:rounded-tile focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:outline-offset-2"
            >
              {session.name}
            </a>
          )}
        </div>
        <StatusLabel status={status} session={session} />
        <span className="relative -mr-1.5">
          <Menu
            trigger={
              <IconButton label={s.rail.actions(session.name)}>
                <Ellipsis size={16} strokeWidth={1.75} />
              </IconButton>
            }
          >
            {items}
          </Menu>
        </span>
      </div>
      <div className="px-3 pt-2 pb-2.5 font-mono text-caption">
        <p className="truncate text-text-2">{runs}</p>
        <p className="truncate text-text-3" title={session.cwd}>
          {session.cwd}
        </p>
      </div>
      <div className="mt-auto flex items-center gap-3 border-line border-t px-3 py-2 text-caption text-text-3 tnum">
        <span className="truncate">
          {session.exited ? s.overview.ended(when) : s.overview.started(when)}
        </span>
        <span className="nowrap">{s.statusLine.size(session.cols, session.rows)}</span>
        <span
          className="ml-auto flex items-center gap-1 nowrap"
          title={s.session.viewers(session.viewers)}
        >
          <Eye size={14} strokeWidth={1.75} aria-hidden />
          <span aria-hidden>{session.viewers}</span>
          <span className="sr-only">{s.session.viewers(session.viewers)}</span>
        </span>
      </div>
    </ContextMenu>
  );
});
