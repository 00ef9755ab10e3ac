// Which language the page speaks: the person's choice, else the first of the browser's languages that there is a dictionary for. Only
// English comes with the page. public/theme.js decides the same before the first paint, so that `<html lang>` is right from the start.

import type { Settings } from "#lib/store/settings.ts";
import { en } from "./en.ts";
import { setDictionary } from "./strings.ts";

export type Language = Exclude<Settings["language"], "system">;

/** `wanted`: as `navigator.languages`, the dearest first. Every kind of Chinese is served: simplified is nearer to it than English. */
export function languageFor(choice: Settings["language"], wanted: readonly string[]): Language {
  if (choice !== "system") return choice;
  for (const one of wanted) {
    const [language] = one.toLowerCase().split("-");
    if (language === "en") return "en";
    if (language === "zh") return "zh-CN";
  }
  return "en";
}

let latest: Language = "en";

/** Resolves when the page speaks it. A dictionary that cannot be loaded leaves the page in the language it speaks. */
export async function speak(language: Language): Promise<void> {
  latest = language;
  try {
    const strings = language === "en" ? en : (await import("./zh-CN.ts")).zhCN;
    // Somebody chose another one while this was on its way.
    if (latest !== language) return;
    document.documentElement.lang = language;
    setDictionary(strings);
  } catch {
    document.documentElement.lang = "en";
  }
}

/** What theme.js wrote into the page. */
export function languageOfPage(): Language {
  return document.documentElement.lang === "zh-CN" ? "zh-CN" : "en";
}
