// Keeps the page in the language of the settings, and of the browser where they leave it to that.
import { type Disposable, toDisposable } from "#lib/base/lifecycle.ts";
import type { SettingsStore } from "#lib/store/settings.ts";
import { languageFor, speak } from "./language.ts";

export interface FollowedLanguage extends Disposable {
  /** The page speaks what the settings said at the start. */
  readonly ready: Promise<void>;
}

export function followLanguage(settings: SettingsStore): FollowedLanguage {
  const update = () => speak(languageFor(settings.getState().language, navigator.languages));
  const onChange = () => void update();
  window.addEventListener("languagechange", onChange);
  const unsubscribe = settings.subscribe(({ language }, before) => {
    if (language !== before.language) onChange();
  });
  const stop = toDisposable(() => {
    unsubscribe();
    window.removeEventListener("languagechange", onChange);
  });
  return { ready: update(), dispose: () => stop.dispose() };
}
