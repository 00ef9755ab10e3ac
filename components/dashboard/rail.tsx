"use client";
// The list of sessions at the left: grouped, filterable, as wide as the person likes, or as icons.
import { Bot, PanelLeftClose, PanelLeftOpen, Search } from "lucide-react";
import { useState } from "react";
import { useStrings } from "#components/strings/strings.ts";
import { Button } from "#components/ui/button.tsx";
import { cx } from "#components/ui/cx.ts";
import { Grip } from "#components/ui/grip.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { MenuWatch } from "#components/ui/menu.tsx";
import { TextField } from "#components/ui/text-field.tsx";
import { railWidths } from "#lib/store/workspace.ts";
import { useApp, useMirror, useSessions, useWorkspace } from "./app-context.tsx";
import { NewTerminalButton, NewTerminalIcon } from "./new-terminal-button.tsx";
import { SessionCard, SessionIcon } from "./session-card.tsx";
import { matches } from "./session-status.ts";
import { useSessionGroups } from "./use-session-groups.ts";

const filterFrom = 9;

export function Rail() {
  const app = useApp();
  const s = useStrings();
  const isCollapsed = useWorkspace((state) => state.isRailCollapsed);
  const width = useWorkspace((state) => state.railWidth);
  const { setRailWidth, toggleRail } = app.workspace.getState();
  // What the pointer asks for; below the smallest width the rail snaps to icons and back.
  const [dragged, setDragged] = useState<number | null>(null);
  const shown = isCollapsed ? railWidths.icons : width;
  return (
    <div className="relative flex shrink-0 border-line border-r bg-bg-1" style={{ width: shown }}>
      <nav
        id="sessions"
        tabIndex={-1}
        aria-label={s.rail.label}
        className="flex min-w-0 flex-1 flex-col outline-none"
      >
        {isCollapsed ? <IconRail /> : <RailList />}
        <div
          className={cx(
            "flex shrink-0 items-center gap-1 border-line border-t p-2",
            isCollapsed && "flex-col",
          )}
        >
          {isCollapsed ? (
            <NewTerminalIcon side="right" />
          ) : (
            <NewTerminalButton look="quiet" className="min-w-0 flex-1" isWide />
          )}
          <IconButton
            label={s.connect.title}
            tooltipSide={isCollapsed ? "right" : "top"}
            onClick={() => app.ui.setState({ isConnectOpen: true })}
          >
            <Bot size={16} strokeWidth={1.75} />
          </IconButton>
          <IconButton
            label={isCollapsed ? s.rail.expand : s.rail.collapse}
            keys="Alt+Shift+R"
            tooltipSide="right"
            onClick={toggleRail}
          >
            {isCollapsed ? (
              <PanelLeftOpen size={16} strokeWidth={1.75} />
            ) : (
              <PanelLeftClose size={16} strokeWidth={1.75} />
            )}
          </IconButton>
        </div>
        <Grip
          label={s.rail.resize}
          orientation="vertical"
          value={dragged ?? shown}
          min={railWidths.icons}
          max={railWidths.max}
          step={8}
          bigStep={40}
          perPixel={() => 1}
          onChange={(next) => {
            setDragged(next);
            // From icons, widening by keyboard goes straight to the smallest full width.
            setRailWidth(
              isCollapsed && next > shown ? Math.max(next, railWidths.collapseBelow) : next,
            );
          }}
          onCommit={() => setDragged(null)}
          onToggle={toggleRail}
          className="-right-[3px] absolute inset-y-0 z-10"
          hideHandle
        />
      </nav>
    </div>
  );
}

/** Also the content of the sheet on narrow windows. */
export function RailList() {
  const s = useStrings();
  const sessions = useSessions();
  const isLoaded = useMirror((state) => state.isLoaded);
  const [filter, setFilter] = useState("");
  const hasFilter = sessions.length >= filterFrom || filter !== "";
  const found = hasFilter ? sessions.filter((session) => matches(session, filter)) : sessions;
  const { groups, watchMenu, focus } = useSessionGroups(found);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {hasFilter ? (
        <div className="p-2 pb-0">
          <TextField
            compact
            type="search"
            aria-label={s.rail.filter}
            placeholder={s.rail.filter}
            icon={<Search size={14} strokeWidth={1.75} aria-hidden />}
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === "Escape" && filter !== "") {
                event.stopPropagation();
                setFilter("");
              }
            }}
          />
        </div>
      ) : null}
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-2 pb-2" {...focus}>
        {isLoaded ? null : <RailSkeleton />}
        {isLoaded && sessions.length === 0 ? (
          <p className="px-3 pt-4 text-caption text-text-3">{s.rail.none}</p>
        ) : null}
        {found.length === 0 && filter !== "" ? (
          <div className="flex flex-col items-start gap-2 px-3 pt-4 text-caption text-text-2">
            {s.rail.noMatch(filter)}
            <Button size="banner" onClick={() => setFilter("")}>
              {s.rail.clear}
            </Button>
          </div>
        ) : null}
        <MenuWatch value={watchMenu}>
          {groups.map(({ group, sessions: members }) => (
            <div key={group}>
              <h2 className="flex h-8 items-end justify-between px-3 pb-1 text-overline text-text-3">
                {s.rail.groups[group]}
                <span className="tnum font-normal">{members.length}</span>
              </h2>
              <ul className="flex flex-col gap-0.5">
                {members.map((session) => (
                  <li key={session.id} className="rise">
                    <SessionCard session={session} />
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </MenuWatch>
      </div>
    </div>
  );
}

function IconRail() {
  const { groups, watchMenu, focus } = useSessionGroups(useSessions());
  return (
    <div
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain py-2 [scrollbar-width:none]"
      {...focus}
    >
      <MenuWatch value={watchMenu}>
        {groups.map(({ group, sessions: members }, index) => (
          <div key={group}>
            {index > 0 ? <div className="mx-3 my-1.5 h-px bg-line" /> : null}
            <ul>
              {members.map((session) => (
                <li key={session.id}>
                  <SessionIcon session={session} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </MenuWatch>
    </div>
  );
}

function RailSkeleton() {
  return (
    <div className="after-300 flex flex-col gap-0.5 pt-8" aria-hidden>
      {["a", "b", "c"].map((key) => (
        <div key={key} className="flex h-[52px] items-center gap-2.5 px-3">
          <span className="size-7 rounded-control bg-bg-2" />
          <span className="flex flex-1 flex-col gap-2">
            <span className="h-2.5 w-24 rounded-full bg-bg-2" />
            <span className="h-2 w-36 rounded-full bg-bg-2" />
          </span>
        </div>
      ))}
    </div>
  );
}
