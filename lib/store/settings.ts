// What the person chose for this browser. Saved under one key, read field by field: one bad value costs that value only.
import * as z from "zod/mini";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { KeyValue } from "#lib/client/key-value.ts";
import {
  type Access,
  accessSchema,
  type Politeness,
  politenessSchema,
} from "#lib/protocol/lease.ts";
import { limits } from "#lib/protocol/limits.ts";
import { readFields } from "./saved-fields.ts";

export const settingsKey = "cotty.settings.v1";

export const fontSizes = { min: 8, max: 32, default: 13, touch: 12 } as const;

/** Seconds without typing after which the keyboard goes back to agents (LS5). */
export const idleSeconds = {
  min: limits.leaseIdleMs.min / 1_000,
  max: limits.leaseIdleMs.max / 1_000,
  default: limits.leaseIdleMs.default / 1_000,
} as const;

const fields = {
  theme: z.enum(["system", "light", "dark", "contrast"]),
  fontSize: z.int().check(z.minimum(fontSizes.min), z.maximum(fontSizes.max)),
  language: z.enum(["system", "en", "zh-CN"]),
  renderer: z.enum(["auto", "dom"]),
  screenReader: z.boolean(),
  idle: z.union([
    z.int().check(z.minimum(idleSeconds.min), z.maximum(idleSeconds.max)),
    z.literal("never"),
    z.literal("server"),
  ]),
  politeness: z.enum([...politenessSchema.options, "server"]),
  access: accessSchema,
  hasSeenKeyboard: z.boolean(),
};

export interface Settings {
  theme: "system" | "light" | "dark" | "contrast";
  language: "system" | "en" | "zh-CN";
  /** CSS pixels of the terminal's text. */
  fontSize: number;
  renderer: "auto" | "dom";
  screenReader: boolean;
  /** Seconds without typing after which the keyboard goes back to agents. */
  idle: number | "never" | "server";
  /** How other people may take the keyboard from this one. */
  politeness: Politeness | "server";
  /** What agents may do with terminals that are started here. */
  access: Access;
  /** The mark that explains the keyboard was shown. */
  hasSeenKeyboard: boolean;
}

export interface SettingsState extends Settings {
  /** Values out of range are ignored. */
  change(part: Partial<Settings>): void;
  /** Terminal zoom: one step up or down, 0 back to the default. */
  zoom(step: 1 | -1 | 0): void;
  restoreDefaults(): void;
}

export type SettingsStore = StoreApi<SettingsState> & Disposable;

export function defaultSettings(isTouch: boolean): Settings {
  return {
    theme: "system",
    language: "system",
    fontSize: isTouch ? fontSizes.touch : fontSizes.default,
    renderer: "auto",
    screenReader: false,
    idle: "server",
    politeness: "server",
    access: "collaborate",
    hasSeenKeyboard: false,
  };
}

export function createSettings(keyValue: KeyValue, isTouch = false): SettingsStore {
  const defaults = defaultSettings(isTouch);
  const load = (): Settings => readFields<Settings>(keyValue.get(settingsKey), fields, defaults);
  const store = createStore<SettingsState>()((set, get) => {
    const save = (next: Settings) => {
      set(next);
      const state = get();
      const names = Object.keys(fields) as (keyof Settings)[];
      const saved = Object.fromEntries(names.map((name) => [name, state[name]]));
      keyValue.set(settingsKey, JSON.stringify(saved));
    };
    return {
      ...load(),
      change: (part) => save(readFields<Settings>(JSON.stringify(part), fields, get())),
      zoom: (step) =>
        get().change({ fontSize: step === 0 ? defaults.fontSize : get().fontSize + step }),
      restoreDefaults: () => save(defaults),
    };
  });
  // Another tab of this browser saved: the same settings here, at once.
  const external = keyValue.onExternalChange((key) => {
    if (key === settingsKey || key === "") store.setState(load());
  });
  return Object.assign(store, { dispose: () => external.dispose() });
}
