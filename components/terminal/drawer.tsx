"use client";
// The terminal panel: tabs on top, one pane per open tab, docked where the person wants it. Publishes its height as --drawer-h.
import {
  ChevronDown,
  Columns2,
  Maximize2,
  Minimize2,
  PanelBottom,
  Search,
  Square,
} from "lucide-react";
import { useEffect, useRef } from "react";
import { JournalButton } from "#components/commands/journal-button.tsx";
import { useApp, useSession, useWorkspace } from "#components/dashboard/app-context.tsx";
import { DockItems } from "#components/dashboard/lazy-parts.ts";
import type { Layout } from "#components/dashboard/use-media.ts";
import { useStrings } from "#components/strings/strings.ts";
import { cx } from "#components/ui/cx.ts";
import { Grip } from "#components/ui/grip.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Menu } from "#components/ui/menu.tsx";
import { type Dock, dockSizes } from "#lib/store/workspace.ts";
import { PhoneHeader } from "./phone-header.tsx";
import { Tabs } from "./tabs.tsx";
import { TerminalPane } from "./terminal-pane.tsx";

const icon = { size: 16, strokeWidth: 1.75 } as const;

/** A card of the overview still fits beside the drawer. */
const leastWallPx = 312;

/** Where the drawer stands in this window, whatever was chosen for wider ones. */
export function dockIn(layout: Layout, dock: Dock): Dock {
  if (layout === "phone") return "max";
  return layout === "tablet" && dock === "right" ? "bottom" : dock;
}

export function Drawer({ layout }: { layout: Layout }) {
  const app = useApp();
  const s = useStrings();
  const root = useRef<HTMLElement>(null);
  const isOpen = useWorkspace((state) => state.isDrawerOpen);
  const chosen = useWorkspace((state) => state.dock);
  const bottomSize = useWorkspace((state) => state.bottomSize);
  const rightSize = useWorkspace((state) => state.rightSize);
  const tabs = useWorkspace((state) => state.tabs);
  const active = useWorkspace((state) => state.active);
  const session = useSession(active ?? "");
  const dock = dockIn(layout, chosen);
  const { setDockSize } = app.workspace.getState();

  useEffect(() => {
    const element = root.current;
    if (!element) return;
    const publish = () =>
      document.documentElement.style.setProperty("--drawer-h", `${element.offsetHeight}px`);
    const observer = new ResizeObserver(publish);
    observer.observe(element);
    publish();
    return () => {
      observer.disconnect();
      document.documentElement.style.setProperty("--drawer-h", "0px");
    };
  }, []);

  const size = dock === "right" ? rightSize : bottomSize;
  const style =
    dock === "max"
      ? {}
      : dock === "bottom"
        ? { height: `${size}%`, minHeight: 160, maxHeight: "90%" }
        : { width: `${size}%`, minWidth: 480, maxWidth: `calc(100% - ${leastWallPx}px)` };
  const parentSize = () => {
    const parent = root.current?.parentElement;
    return (dock === "right" ? parent?.clientWidth : parent?.clientHeight) || 1;
  };

  return (
    <section
      ref={root}
      id="drawer"
      aria-label={session ? s.drawer.label(session.name) : s.drawer.none}
      hidden={!isOpen}
      data-dock={dock}
      style={style}
      className={cx(
        "z-10 min-h-0 min-w-0 bg-bg-1",
        isOpen ? "flex" : "hidden",
        dock === "right" ? "flex-row" : "flex-col",
        dock === "max" ? "absolute inset-0" : "relative shrink-0",
        dock === "bottom" && "border-line border-t",
        dock === "right" && "border-line border-l",
        layout === "phone" && "fixed z-30",
      )}
    >
      {dock === "max" ? null : (
        <Grip
          label={s.drawer.resize}
          orientation={dock === "right" ? "vertical" : "horizontal"}
          value={size}
          min={dockSizes.min}
          max={dockSizes.max}
          step={2}
          bigStep={10}
          perPixel={() => -100 / parentSize()}
          onChange={(next) => setDockSize(dock, next)}
          onToggle={() =>
            setDockSize(dock, size >= dockSizes.max - 1 ? dockSizes[dock] : dockSizes.max)
          }
          controls="drawer"
          className="bg-bg-0"
        />
      )}
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        {layout === "phone" ? (
          <PhoneHeader />
        ) : (
          <div className="flex h-9 shrink-0 items-stretch border-line border-b bg-bg-0 pointer-coarse:h-12">
            <Tabs />
            <Toolbar dock={dock} canDockRight={layout === "desktop"} />
          </div>
        )}
        {tabs.map((id) => (
          <TerminalPane
            key={id}
            id={id}
            isShown={isOpen && id === active}
            isTabbed={layout !== "phone"}
          />
        ))}
      </div>
    </section>
  );
}

function Toolbar({ dock, canDockRight }: { dock: Dock; canDockRight: boolean }) {
  const app = useApp();
  const s = useStrings();
  const active = useWorkspace((state) => state.active);
  const { toggleMax, setDrawerOpen } = app.workspace.getState();
  const keep = (run: () => void) => () => {
    run();
    if (active !== null) app.focusTerminal(active);
  };
  return (
    <div className="flex shrink-0 items-center gap-0.5 px-1.5">
      <IconButton
        label={s.drawer.search}
        keys="Ctrl+Shift+F"
        disabled={active === null}
        onClick={() => app.ui.setState({ searching: active })}
      >
        <Search {...icon} />
      </IconButton>
      <JournalButton id={active} />
      <Menu
        trigger={
          <IconButton label={s.drawer.dock} keys="Alt+Shift+D">
            {dock === "right" ? (
              <Columns2 {...icon} />
            ) : dock === "max" ? (
              <Square {...icon} />
            ) : (
              <PanelBottom {...icon} />
            )}
          </IconButton>
        }
      >
        <DockItems dock={dock} canDockRight={canDockRight} />
      </Menu>
      <IconButton
        label={dock === "max" ? s.drawer.restore : s.drawer.maximise}
        keys="Alt+Shift+M"
        onClick={keep(toggleMax)}
      >
        {dock === "max" ? <Minimize2 {...icon} /> : <Maximize2 {...icon} />}
      </IconButton>
      <IconButton label={s.drawer.collapse} keys="Ctrl+`" onClick={() => setDrawerOpen(false)}>
        <ChevronDown {...icon} />
      </IconButton>
    </div>
  );
}
