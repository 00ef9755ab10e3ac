// Carries out the page's chords, before the terminal sees them.
import { useEffect } from "react";
import { useStrings } from "#components/strings/strings.ts";
import { notify } from "#components/ui/toast.tsx";
import { assertNever } from "#lib/base/assert.ts";
import { announce } from "./announcer.tsx";
import { useApp } from "./app-context.tsx";
import { whyNoTerminal } from "./new-terminal.ts";
import { type Shortcut, shortcutOf } from "./shortcuts.ts";

/** `isSingle`: a window for one session has no tabs and no panel to move. */
export function useShortcuts(isSingle = false): void {
  const app = useApp();
  const s = useStrings();
  useEffect(() => {
    const workspace = () => app.workspace.getState();
    const focusActive = () => {
      const { active, isDrawerOpen } = workspace();
      if (active !== null && isDrawerOpen) app.focusTerminal(active);
    };

    function run(shortcut: Shortcut): void {
      switch (shortcut.kind) {
        case "new": {
          const reason = whyNoTerminal(app.mirror.getState(), s);
          if (reason === undefined) void app.actions.newTerminal();
          else notify({ id: "no-terminal", text: reason });
          return;
        }
        case "hide": {
          const { active, isDrawerOpen } = workspace();
          if (active !== null && isDrawerOpen) app.actions.hide(active);
          return;
        }
        case "step":
          workspace().step(shortcut.by);
          focusActive();
          return;
        case "tab": {
          const id = workspace().tabs[shortcut.index];
          if (id !== undefined) workspace().activate(id);
          focusActive();
          return;
        }
        case "moveTab": {
          const { active, tabs, moveTab } = workspace();
          if (active === null) return;
          const to = Math.min(tabs.length - 1, Math.max(0, tabs.indexOf(active) + shortcut.by));
          moveTab(active, to);
          announce(s.tabs.moved(app.infoOf(active)?.name ?? "", to + 1, tabs.length));
          return;
        }
        case "cycleDock":
          workspace().cycleDock();
          focusActive();
          return;
        case "toggleMax":
          workspace().toggleMax();
          focusActive();
          return;
        case "toggleRail":
          workspace().toggleRail();
          return;
        case "toggleDrawer": {
          const { active, isDrawerOpen, setDrawerOpen } = workspace();
          setDrawerOpen(!isDrawerOpen && active !== null);
          focusActive();
          return;
        }
        case "commands": {
          const { active, isDrawerOpen } = workspace();
          const { journalOf, overview } = app.ui.getState();
          if (active === null || !isDrawerOpen)
            app.ui.setState({ overview: overview === "commands" ? "sessions" : "commands" });
          else if (journalOf === active) {
            app.ui.setState({ journalOf: null });
            focusActive();
          } else app.ui.setState({ journalOf: active });
          return;
        }
        case "focusTerminal":
          focusActive();
          return;
        case "keyboard": {
          const { active, isDrawerOpen } = workspace();
          if (active !== null && isDrawerOpen) app.keyboard.chord(shortcut.act, active);
          return;
        }
        case "agentView": {
          const { active, isDrawerOpen } = workspace();
          if (active === null || !isDrawerOpen) return;
          app.ui.setState(({ agentView }) => ({ agentView: agentView === active ? null : active }));
          return;
        }
        case "nextNeed":
          app.needs.goToNext();
          return;
        default:
          assertNever(shortcut);
      }
    }

    function onKeyDown(event: KeyboardEvent): void {
      const shortcut = shortcutOf(event);
      if (shortcut === null || event.repeat) return;
      if (isSingle && shortcut.kind !== "keyboard" && shortcut.kind !== "agentView") return;
      // Inside the terminal this chord means the other direction, and the terminal knows it.
      if (
        shortcut.kind === "focusTerminal" &&
        event.target instanceof Element &&
        event.target.closest(".xterm")
      )
        return;
      event.preventDefault();
      event.stopImmediatePropagation();
      run(shortcut);
    }
    window.addEventListener("keydown", onKeyDown, true);
    return () => window.removeEventListener("keydown", onKeyDown, true);
  }, [app, s, isSingle]);
}
