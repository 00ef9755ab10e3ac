// The dictionary in effect. English is the shape and always there; another language is loaded when it is chosen (language.ts).
import { useSyncExternalStore } from "react";
import { en } from "./en.ts";

export type Strings = typeof en;

let current: Strings = en;
const listeners = new Set<() => void>();

export function useStrings(): Strings {
  return useSyncExternalStore(subscribe, inEffect, english);
}

export function setDictionary(strings: Strings): void {
  if (strings === current) return;
  current = strings;
  for (const listener of [...listeners]) listener();
}

/** For what lives longer than a language is chosen: each group is looked up when it is asked for. */
export const liveStrings: Strings = Object.defineProperties(
  {},
  Object.fromEntries(
    Object.keys(en).map((group) => [
      group,
      { enumerable: true, get: () => current[group as keyof Strings] },
    ]),
  ),
) as Strings;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function inEffect(): Strings {
  return current;
}

/** The exported pages are in English. */
function english(): Strings {
  return en;
}
