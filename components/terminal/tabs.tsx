"use client";
// The open terminals as tabs (ARIA tabs, manual activation): arrows move, Enter opens, Delete closes, F2 renames.
import { ChevronDown, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { announce } from "#components/dashboard/announcer.tsx";
import { useApp, useSession, useUi, useWorkspace } from "#components/dashboard/app-context.tsx";
import { SessionMenuItems, TabListItems } from "#components/dashboard/lazy-parts.ts";
import { NewTerminalIcon } from "#components/dashboard/new-terminal-button.tsx";
import { RenameField } from "#components/dashboard/rename-field.tsx";
import { useSessionState } from "#components/dashboard/session-card.tsx";
import { detailOf, statusWord } from "#components/dashboard/session-status.ts";
import { StatusDot } from "#components/dashboard/status-label.tsx";
import { useStrings } from "#components/strings/strings.ts";
import { cx } from "#components/ui/cx.ts";
import { IconButton } from "#components/ui/icon-button.tsx";
import { ContextMenu, Menu } from "#components/ui/menu.tsx";
import type { SessionInfo } from "#lib/protocol/session.ts";
import { useTabDrag } from "./tab-drag.ts";

export function Tabs() {
  const app = useApp();
  const s = useStrings();
  const tabs = useWorkspace((state) => state.tabs);
  const active = useWorkspace((state) => state.active);
  const list = useRef<HTMLDivElement>(null);
  const [isOverflowing, setOverflowing] = useState(false);
  const { moveTab, activate } = app.workspace.getState();
  const drag = useTabDrag({
    items: () => [...(list.current?.querySelectorAll("[data-tab]") ?? [])],
    move: moveTab,
    onEnd: (id) => {
      const { tabs: order } = app.workspace.getState();
      announce(s.tabs.moved(app.infoOf(id)?.name ?? "", order.indexOf(id) + 1, order.length));
    },
  });

  useEffect(() => {
    const element = list.current;
    if (!element) return;
    // Told of each size once it is laid out, also of the first: asking would have the page laid out for it.
    const sizes = new ResizeObserver(() =>
      setOverflowing(element.scrollWidth > element.clientWidth + 1),
    );
    const watch = () => {
      sizes.disconnect();
      for (const watched of [element, ...element.children]) sizes.observe(watched);
    };
    // A tab comes when its session is known, which may be later than the list.
    const tabsChange = new MutationObserver(watch);
    tabsChange.observe(element, { childList: true });
    watch();
    return () => {
      tabsChange.disconnect();
      sizes.disconnect();
    };
  }, []);
  useEffect(() => {
    if (active !== null)
      document
        .getElementById(`tab-${active}`)
        ?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [active]);

  function open(id: string) {
    activate(id);
    app.focusTerminal(id);
  }

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    if (!(event.target instanceof HTMLElement) || event.target.role !== "tab") return;
    const ids = app.workspace.getState().tabs;
    const at = ids.findIndex((id) => `tab-${id}` === (event.target as HTMLElement).id);
    const id = ids[at];
    if (id === undefined) return;
    const focus = (index: number) =>
      document.getElementById(`tab-${ids[(index + ids.length) % ids.length]}`)?.focus();
    switch (event.key) {
      case "ArrowRight":
        focus(at + 1);
        break;
      case "ArrowLeft":
        focus(at - 1);
        break;
      case "Home":
        focus(0);
        break;
      case "End":
        focus(ids.length - 1);
        break;
      case "Enter":
      case " ":
        open(id);
        break;
      case "F2":
        app.ui.setState({ renaming: { id, place: "tab" } });
        break;
      case "Delete":
        app.actions.requestEnd(id, event.target);
        break;
      default:
        return;
    }
    event.preventDefault();
  }

  return (
    <div className="flex min-w-0 flex-1 items-center">
      <div
        ref={list}
        role="tablist"
        aria-label={s.tabs.label}
        tabIndex={-1}
        onKeyDown={onKeyDown}
        onPointerMove={drag.onPointerMove}
        onPointerUp={drag.onPointerUp}
        onPointerCancel={drag.onPointerUp}
        className="flex h-full min-w-0 items-stretch overflow-x-auto overscroll-contain outline-none [scrollbar-width:none]"
      >
        {tabs.map((id, index) => (
          <Tab
            key={id}
            id={id}
            isActive={id === active}
            isReachable={active === null ? index === 0 : id === active}
            onOpen={() => open(id)}
            onPointerDown={(event) => drag.onPointerDown(id, event)}
          />
        ))}
      </div>
      <span className="flex shrink-0 items-center px-1">
        <NewTerminalIcon withMenu />
        {isOverflowing ? (
          <Menu
            align="start"
            trigger={
              <IconButton label={s.tabs.all}>
                <ChevronDown size={16} strokeWidth={1.75} />
              </IconButton>
            }
          >
            <TabListItems tabs={tabs} active={active} onOpen={open} />
          </Menu>
        ) : null}
      </span>
    </div>
  );
}

interface TabProps {
  id: string;
  isActive: boolean;
  /** The one tab stop of the list. */
  isReachable: boolean;
  onOpen: () => void;
  onPointerDown: (event: React.PointerEvent) => void;
}

function Tab(props: TabProps) {
  const session = useSession(props.id);
  return session ? <KnownTab {...props} session={session} /> : null;
}

function KnownTab({
  id,
  isActive,
  isReachable,
  onOpen,
  onPointerDown,
  session,
}: TabProps & { session: SessionInfo }) {
  const app = useApp();
  const s = useStrings();
  const root = useRef<HTMLDivElement>(null);
  const { status, isUnread } = useSessionState(session);
  const isRenaming = useUi(({ renaming }) => renaming?.id === id && renaming.place === "tab");
  const isRinging = useBell(id);
  return (
    <ContextMenu
      items={<SessionMenuItems session={session} place="tab" anchor={() => root.current} />}
      target={
        // biome-ignore lint/a11y/noStaticElementInteractions: dragging and the middle button; the tab inside has the keys.
        <div
          ref={root}
          data-tab={id}
          role="presentation"
          onPointerDown={onPointerDown}
          onMouseDown={(event) => {
            // The middle button would start scrolling by itself.
            if (event.button === 1) event.preventDefault();
          }}
          onAuxClick={(event) => {
            if (event.button !== 1) return;
            event.preventDefault();
            app.actions.hide(id);
          }}
          className={cx(
            "group relative flex h-full w-max min-w-24 max-w-[220px] shrink-0 items-center border-line border-r transition-colors duration-120",
            isActive
              ? "bg-bg-1 text-text-1"
              : "bg-bg-0 text-text-2 hover:bg-bg-2 hover:text-text-1",
          )}
        />
      }
    >
      {isActive ? <span className="absolute inset-x-0 top-0 h-0.5 bg-accent" aria-hidden /> : null}
      {isRenaming ? (
        <span className="px-2">
          <RenameField
            id={id}
            name={session.name}
            {...(isActive ? { onLeft: () => app.focusTerminal(id) } : {})}
          />
        </span>
      ) : (
        <button
          type="button"
          role="tab"
          id={`tab-${id}`}
          aria-selected={isActive}
          aria-controls={`panel-${id}`}
          tabIndex={isReachable ? 0 : -1}
          title={`${statusWord(status, session, s)} \u00b7 ${detailOf(session)}`}
          onClick={onOpen}
          onDoubleClick={() => app.ui.setState({ renaming: { id, place: "tab" } })}
          className="focus-inset flex h-full min-w-0 flex-1 items-center gap-2 pr-8 pl-3"
        >
          <span className={cx("relative flex", isRinging && "text-attention")}>
            <StatusDot status={status} />
            {isUnread || isRinging ? (
              <span
                className={cx(
                  "-top-0.5 -right-0.5 absolute size-1.5 rounded-full",
                  isRinging ? "bg-attention" : "bg-accent",
                )}
              />
            ) : null}
          </span>
          <span className="truncate">{session.name}</span>
          {isUnread ? <span className="sr-only">{s.rail.unread}</span> : null}
        </button>
      )}
      {isRenaming ? null : (
        // For the pointer only: by keyboard it is Delete on the tab, or the tab's menu.
        <span
          aria-hidden
          data-close={id}
          title={s.tabs.close(session.name)}
          onPointerDown={(event) => event.stopPropagation()}
          onClick={() => app.actions.requestEnd(id, root.current)}
          className={cx(
            "absolute right-1.5 flex size-5 items-center justify-center rounded-kbd text-text-3 hover:bg-bg-3 hover:text-text-1",
            isActive
              ? ""
              : "opacity-0 group-hover:opacity-100 group-focus-within:opacity-100 pointer-coarse:opacity-100",
          )}
        >
          <X size={14} strokeWidth={1.75} />
        </span>
      )}
    </ContextMenu>
  );
}

/** True for 200 ms after each bell. */
function useBell(id: string): boolean {
  const count = useUi((state) => state.bells[id] ?? 0);
  const [heard, setHeard] = useState(count);
  useEffect(() => {
    if (count === heard) return;
    const timer = setTimeout(() => setHeard(count), 200);
    return () => clearTimeout(timer);
  }, [count, heard]);
  return count !== heard;
}
