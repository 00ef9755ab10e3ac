// The session in the address: `?s=ID` opens it, opening one writes it there. Titles the page. On a phone, Back leads to the list.
import { useEffect } from "react";
import { setTitle } from "#components/lease/attention-mark.ts";
import { useStrings } from "#components/strings/strings.ts";
import { onPageEntry } from "#components/ui/use-back-closes.ts";
import { sessionIdSchema } from "#lib/protocol/ids.ts";
import { useApp, useWorkspace } from "./app-context.tsx";
import type { Layout } from "./use-media.ts";

function fromAddress(): { id: string | null; isMax: boolean } {
  const query = new URLSearchParams(location.search);
  const id = sessionIdSchema.safeParse(query.get("s"));
  return { id: id.success ? id.data : null, isMax: query.get("view") === "max" };
}

function addressOf(id: string | null): string {
  return id === null ? "/" : `/?s=${id}`;
}

function writeAddress(shown: string | null, layout: Layout): void {
  const here = fromAddress().id;
  if (here === shown) return;
  // From the list into a session is a step forward on a phone; everywhere else Back should not replay every tab.
  if (layout === "phone" && here === null)
    history.pushState({ ...history.state, cottyList: true }, "", addressOf(shown));
  else if (layout === "phone" && shown === null && history.state?.cottyList) history.back();
  else history.replaceState(history.state, "", addressOf(shown));
}

export function useAddress(layout: Layout): void {
  const app = useApp();
  const isOpen = useWorkspace((state) => state.isDrawerOpen);
  const active = useWorkspace((state) => state.active);
  const shown = isOpen ? active : null;

  // What the address asks for comes first, once.
  useEffect(() => {
    const { id, isMax } = fromAddress();
    const { openTab, setDock, active: saved, isDrawerOpen } = app.workspace.getState();
    if (id !== null) {
      openTab(id);
      if (isMax) setDock("max");
      app.focusTerminal(id);
    } else if (saved !== null && isDrawerOpen) app.focusTerminal(saved);
    const onPop = () => {
      const asked = fromAddress().id;
      const workspace = app.workspace.getState();
      if (asked !== null) workspace.openTab(asked);
      else workspace.setDrawerOpen(false);
    };
    window.addEventListener("popstate", onPop);
    return () => window.removeEventListener("popstate", onPop);
  }, [app]);

  useEffect(() => {
    // What hides the tab is often in a menu or a question, which has an entry of its own until it is closed.
    return onPageEntry(() => writeAddress(shown, layout));
  }, [shown, layout]);
}

export function useTitle(): void {
  const app = useApp();
  const s = useStrings();
  const shown = useWorkspace((state) => (state.isDrawerOpen ? state.active : null));
  useEffect(() => {
    const update = () => {
      const info = shown === null ? undefined : app.infoOf(shown);
      setTitle(s.app.title(info?.name ?? null));
    };
    update();
    return app.mirror.subscribe(update);
  }, [app, shown, s]);
}
