// The theme in effect: the person's choice, else what the system prefers. Keeps `data-theme` right; public/theme.js sets it first.
import { type Disposable, toDisposable } from "#lib/base/lifecycle.ts";
import type { Settings, SettingsStore } from "#lib/store/settings.ts";
import type { TerminalPreferences } from "#lib/xterm/terminal-status.ts";
import type { ThemeName } from "#lib/xterm/themes.ts";

const queries = {
  light: "(prefers-color-scheme: light)",
  contrast: "(prefers-contrast: more)",
  reducedMotion: "(prefers-reduced-motion: reduce)",
} as const;

function themeInEffect(choice: Settings["theme"]): ThemeName {
  if (choice !== "system") return choice;
  if (matchMedia(queries.contrast).matches) return "contrast";
  return matchMedia(queries.light).matches ? "light" : "dark";
}

export function preferencesOf(settings: Settings): TerminalPreferences {
  return {
    theme: themeInEffect(settings.theme),
    fontSize: settings.fontSize,
    renderer: settings.renderer,
    screenReader: settings.screenReader,
    reducedMotion: matchMedia(queries.reducedMotion).matches,
  };
}

/** Calls `apply` now and whenever the settings or the system's preferences change. */
export function followPreferences(
  settings: SettingsStore,
  apply: (preferences: TerminalPreferences) => void,
): Disposable {
  const update = () => apply(preferencesOf(settings.getState()));
  const lists = Object.values(queries).map((query) => matchMedia(query));
  for (const list of lists) list.addEventListener("change", update);
  const unsubscribe = settings.subscribe(update);
  update();
  return toDisposable(() => {
    unsubscribe();
    for (const list of lists) list.removeEventListener("change", update);
  });
}
