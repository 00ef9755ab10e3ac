// Small persistent values. The browser's storage may be missing, full or forbidden; this face never throws and says so once.
import type { Disposable } from "#lib/base/lifecycle.ts";

export interface KeyValue {
  get(key: string): string | null;
  set(key: string, value: string): void;
  remove(key: string): void;
  /** Another tab of the same origin changed `key`. */
  onExternalChange(listener: (key: string) => void): Disposable;
}

/** Lives as long as the page. */
export function memoryKeyValue(): KeyValue {
  const values = new Map<string, string>();
  return {
    get: (key) => values.get(key) ?? null,
    set: (key, value) => void values.set(key, value),
    remove: (key) => void values.delete(key),
    onExternalChange: () => ({ dispose() {} }),
  };
}

/**
 * `onTrouble` is called at most once, at the first write the browser refuses; from then on values live in memory
 * and win over what is stored, so that the window stays consistent with itself.
 */
export function browserKeyValue(view: Window, onTrouble: () => void): KeyValue {
  const memory = memoryKeyValue();
  let isTroubled = false;
  const trouble = () => {
    if (isTroubled) return;
    isTroubled = true;
    onTrouble();
  };
  return {
    get(key) {
      const own = memory.get(key);
      if (own !== null) return own;
      try {
        return view.localStorage.getItem(key);
      } catch {
        // Reading is forbidden (blocked site data): there is nothing stored, and the first write will say so.
        return null;
      }
    },
    set(key, value) {
      try {
        view.localStorage.setItem(key, value);
        memory.remove(key);
      } catch {
        // Full or forbidden: keep it for this window and tell the person once.
        memory.set(key, value);
        trouble();
      }
    },
    remove(key) {
      memory.remove(key);
      try {
        view.localStorage.removeItem(key);
      } catch {
        trouble();
      }
    },
    onExternalChange(listener) {
      const heard = (event: StorageEvent) => {
        // A null key is `localStorage.clear()` in another tab: everything changed.
        listener(event.key ?? "");
      };
      view.addEventListener("storage", heard);
      return { dispose: () => view.removeEventListener("storage", heard) };
    },
  };
}
