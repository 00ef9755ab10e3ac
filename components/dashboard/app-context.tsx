"use client";
// Hands the page's app to its components. The app lives in the browser only; the exported HTML is the frame around it.
import { createContext, type ReactNode, use, useEffect, useState } from "react";
import { useStore } from "zustand";
import { liveStrings } from "#components/strings/strings.ts";
import type { SessionInfo } from "#lib/protocol/session.ts";
import type { ServerMirrorState } from "#lib/store/server-mirror.ts";
import type { SettingsState } from "#lib/store/settings.ts";
import type { WorkspaceState } from "#lib/store/workspace.ts";
import { type CottyApp, createCottyApp } from "./cotty-app.ts";
import type { UiState } from "./ui-state.ts";

const AppContext = createContext<CottyApp | null>(null);

export function AppProvider({
  children,
  frame,
  isSingle = false,
}: {
  children: ReactNode;
  /** Shown until the app is there, and in the exported HTML. */
  frame: ReactNode;
  /** A window for one session arranges nothing: what is open in it is not saved. */
  isSingle?: boolean;
}) {
  const [app, setApp] = useState<CottyApp | null>(null);
  useEffect(() => {
    const made = createCottyApp(liveStrings, { isSingle });
    // In the language it will speak: no English before the Chinese.
    let isGone = false;
    void made.language.ready.then(() => {
      if (!isGone) setApp(made);
    });
    return () => {
      isGone = true;
      setApp(null);
      made.dispose();
    };
  }, [isSingle]);
  return app ? <AppContext value={app}>{children}</AppContext> : frame;
}

export function useApp(): CottyApp {
  const app = use(AppContext);
  if (!app) throw new Error("invariant: used outside AppProvider");
  return app;
}

export function useMirror<T>(select: (state: ServerMirrorState) => T): T {
  return useStore(useApp().mirror, select);
}
export function useWorkspace<T>(select: (state: WorkspaceState) => T): T {
  return useStore(useApp().workspace, select);
}
export function useSettings<T>(select: (state: SettingsState) => T): T {
  return useStore(useApp().settings, select);
}
export function useUi<T>(select: (state: UiState) => T): T {
  return useStore(useApp().ui, select);
}

/** Whether there is one that is not about to end. */
export function useHasSessions(): boolean {
  const ends = useStore(useApp().ends, (state) => state.ends);
  return useMirror(({ order }) => order.some((id) => !ends[id]));
}

/** Sessions in order of creation, without those that are about to end. */
export function useSessions(): SessionInfo[] {
  const sessions = useMirror((state) => state.sessions);
  const order = useMirror((state) => state.order);
  const ends = useStore(useApp().ends, (state) => state.ends);
  return order.flatMap((id) => {
    const info = sessions[id];
    return info && !ends[id] ? [info] : [];
  });
}

/** The session as last known, also after the server forgot it. */
export function useSession(id: string): SessionInfo | undefined {
  const app = useApp();
  return useMirror((state) => state.sessions[id]) ?? app.infoOf(id);
}
