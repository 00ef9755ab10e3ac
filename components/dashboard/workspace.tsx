"use client";
// The page people live in: top bar, rail, overview, drawer.
import { Suspense, useEffect } from "react";
import { useStrings } from "#components/strings/strings.ts";
import { Drawer, dockIn } from "#components/terminal/drawer.tsx";
import { cx } from "#components/ui/cx.ts";
import { Once } from "#components/ui/once.tsx";
import { Announcer } from "./announcer.tsx";
import {
  AppProvider,
  useApp,
  useHasSessions,
  useMirror,
  useUi,
  useWorkspace,
} from "./app-context.tsx";
import { EmptyWorkspace, RailSheet } from "./lazy-parts.ts";
import { Overview } from "./overview.tsx";
import { Rail } from "./rail.tsx";
import { SignedOut } from "./signed-out.tsx";
import { SkipLinks } from "./skip-links.tsx";
import { TerminalOverlays } from "./terminal-overlays.tsx";
import { Brand, TopBar, TopBarFrame } from "./top-bar.tsx";
import { Trouble } from "./trouble.tsx";
import { useAddress, useTitle } from "./use-address.ts";
import { useLeaveWarning } from "./use-leave-warning.ts";
import { useLayout } from "./use-media.ts";
import { useShortcuts } from "./use-shortcuts.ts";

export function Workspace() {
  return (
    <AppProvider frame={<WorkspaceFrame />}>
      <SignedInWorkspace />
    </AppProvider>
  );
}

/** What the exported HTML holds: the bar, so that nothing jumps when the rest arrives. */
function WorkspaceFrame() {
  const s = useStrings();
  return (
    <div className="flex h-dvh flex-col">
      <TopBarFrame>
        <Brand />
      </TopBarFrame>
      <main className="flex-1">
        <h1 className="sr-only">{s.app.name}</h1>
      </main>
    </div>
  );
}

function SignedInWorkspace() {
  const link = useMirror((state) => state.link.kind);
  return link === "signed_out" ? <SignedOut /> : <OpenWorkspace />;
}

function OpenWorkspace() {
  const app = useApp();
  const s = useStrings();
  const layout = useLayout();
  const isLoaded = useMirror((state) => state.isLoaded);
  const hasSessions = useHasSessions();
  const isOpen = useWorkspace((state) => state.isDrawerOpen);
  const dock = useWorkspace((state) => dockIn(layout, state.dock));
  const hasTabs = useWorkspace((state) => state.tabs.length > 0);
  const isSheetOpen = useUi((state) => state.isRailSheetOpen);
  useAddress(layout);
  useTitle();
  useShortcuts();
  useLeaveWarning();
  // A sheet left open would lie over the wide layout.
  useEffect(() => {
    if (layout !== "tablet") app.ui.setState({ isRailSheetOpen: false });
  }, [app, layout]);

  const isCovered = isOpen && dock === "max";
  const isPhoneCovered = isCovered && layout === "phone";
  return (
    <div className="flex h-dvh flex-col overflow-hidden">
      <SkipLinks />
      <div className="contents" inert={isPhoneCovered}>
        <TopBar hasSheetButton={layout === "tablet"} />
      </div>
      <div className="flex min-h-0 flex-1">
        {layout === "desktop" ? <Rail /> : null}
        <main
          id="main"
          tabIndex={-1}
          className={cx(
            "relative flex min-w-0 flex-1 outline-none",
            dock === "right" ? "flex-row" : "flex-col",
          )}
        >
          {isCovered && layout !== "phone" ? <h1 className="sr-only">{s.app.name}</h1> : null}
          <div inert={isCovered} className="min-h-0 min-w-0 flex-1">
            {!isLoaded ? (
              <Trouble />
            ) : !hasSessions ? (
              <Suspense fallback={null}>
                <EmptyWorkspace />
              </Suspense>
            ) : (
              <Overview withFilter={layout !== "desktop"} isPhone={layout === "phone"} />
            )}
          </div>
          {hasTabs ? <Drawer layout={layout} /> : null}
        </main>
      </div>
      {layout === "tablet" ? (
        <Once when={isSheetOpen}>
          <RailSheet />
        </Once>
      ) : null}
      <TerminalOverlays />
      <Announcer />
    </div>
  );
}
