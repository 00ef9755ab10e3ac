// What the person arranged: tabs and their order, the drawer's dock and sizes, the rail. Saved in this browser. Knows sessions
// by id only; what they are is the mirror's.
import * as z from "zod/mini";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { KeyValue } from "#lib/client/key-value.ts";
import { limits } from "#lib/protocol/limits.ts";
import { readFields } from "./saved-fields.ts";
import { activeAfterRemoval, moved, neighbour } from "./tab-order.ts";

export const workspaceKey = "cotty.workspace.v1";

export type Dock = "bottom" | "right" | "max";
/** Share of the main area in per cent. */
export const dockSizes = { min: 15, max: 90, bottom: 62, right: 55 } as const;
/** CSS pixels; below `collapseBelow` the rail becomes the icon rail. */
export const railWidths = {
  min: 200,
  max: 400,
  default: 264,
  collapseBelow: 180,
  icons: 56,
} as const;

const idList = z.array(z.string().check(z.maxLength(64))).check(z.maxLength(limits.sessions.max));
const percent = z.number().check(z.minimum(dockSizes.min), z.maximum(dockSizes.max));
const savedFields = {
  tabs: idList,
  active: z.nullable(z.string().check(z.maxLength(64))),
  hidden: idList,
  unread: idList,
  dock: z.enum(["bottom", "right", "max"]),
  bottomSize: percent,
  rightSize: percent,
  isDrawerOpen: z.boolean(),
  railWidth: z.number().check(z.minimum(railWidths.min), z.maximum(railWidths.max)),
  isRailCollapsed: z.boolean(),
  hasOpenedBefore: z.boolean(),
};

export interface SavedWorkspace {
  /** Open tabs in their order. */
  tabs: string[];
  /** The tab in front; one of `tabs`, or null. */
  active: string | null;
  /** Sessions whose tab the person hid; they keep running and stay in the rail. */
  hidden: string[];
  /** Sessions in which something happened while they were not in view. */
  unread: string[];
  dock: Dock;
  bottomSize: number;
  rightSize: number;
  isDrawerOpen: boolean;
  railWidth: number;
  isRailCollapsed: boolean;
  hasOpenedBefore: boolean;
}

export interface WorkspaceState extends SavedWorkspace {
  /** Opens (or comes back to) the session's tab, in front, with the drawer open. The first one ever opens maximised. */
  openTab(id: string): void;
  hideTab(id: string): void;
  activate(id: string): void;
  step(by: 1 | -1): void;
  /** `to` counts among the tabs; out of range means the nearest end. */
  moveTab(id: string, to: number): void;
  setDock(dock: Dock): void;
  /** bottom -> right -> max -> bottom. */
  cycleDock(): void;
  /** Between max and what was docked before. */
  toggleMax(): void;
  setDockSize(dock: "bottom" | "right", percent: number): void;
  setDrawerOpen(isOpen: boolean): void;
  /** Below 180 px it snaps to the icon rail. */
  setRailWidth(px: number): void;
  toggleRail(): void;
  markUnread(id: string): void;
  markRead(id: string): void;
  /** Forgets sessions that the server does not have. */
  keepOnly(ids: readonly string[]): void;
}

export type WorkspaceStore = StoreApi<WorkspaceState>;

const defaults: SavedWorkspace = {
  tabs: [],
  active: null,
  hidden: [],
  unread: [],
  dock: "bottom",
  bottomSize: dockSizes.bottom,
  rightSize: dockSizes.right,
  isDrawerOpen: false,
  railWidth: railWidths.default,
  isRailCollapsed: false,
  hasOpenedBefore: false,
};

const without = (ids: readonly string[], id: string) => ids.filter((other) => other !== id);
const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value));

export function createWorkspace(keyValue: KeyValue): WorkspaceStore {
  /** Where `toggleMax` returns to; not saved, the first toggle after a reload docks at the bottom. */
  let dockBeforeMax: Dock = "bottom";

  const store = createStore<WorkspaceState>()((set, get) => {
    const change = (part: Partial<SavedWorkspace>) => {
      if (part.dock === "max" && get().dock !== "max") dockBeforeMax = get().dock;
      set(part);
      const state = get();
      const keys = Object.keys(savedFields) as (keyof SavedWorkspace)[];
      keyValue.set(
        workspaceKey,
        JSON.stringify(Object.fromEntries(keys.map((key) => [key, state[key]]))),
      );
    };
    return {
      ...load(keyValue),
      openTab(id) {
        const { tabs, hidden, unread, hasOpenedBefore } = get();
        change({
          tabs: tabs.includes(id) ? tabs : [...tabs, id],
          hidden: without(hidden, id),
          unread: without(unread, id),
          active: id,
          isDrawerOpen: true,
          ...(hasOpenedBefore ? {} : { dock: "max", hasOpenedBefore: true }),
        });
      },
      hideTab(id) {
        const { tabs, active, hidden, isDrawerOpen } = get();
        if (!tabs.includes(id)) return;
        const next = active === id ? activeAfterRemoval(tabs, id) : active;
        change({
          tabs: without(tabs, id),
          hidden: [...without(hidden, id), id],
          active: next,
          isDrawerOpen: isDrawerOpen && next !== null,
        });
      },
      activate(id) {
        if (get().tabs.includes(id))
          change({ active: id, isDrawerOpen: true, unread: without(get().unread, id) });
      },
      step(by) {
        const next = neighbour(get().tabs, get().active, by);
        if (next !== null) get().activate(next);
      },
      moveTab: (id, to) => change({ tabs: moved(get().tabs, id, to) }),
      setDock: (dock) => change({ dock, isDrawerOpen: true }),
      cycleDock() {
        const next = { bottom: "right", right: "max", max: "bottom" } as const;
        change({ dock: next[get().dock], isDrawerOpen: true });
      },
      toggleMax: () =>
        change({ dock: get().dock === "max" ? dockBeforeMax : "max", isDrawerOpen: true }),
      setDockSize(dock, size) {
        const value = clamp(size, dockSizes.min, dockSizes.max);
        if (Number.isFinite(value))
          change(dock === "bottom" ? { bottomSize: value } : { rightSize: value });
      },
      setDrawerOpen: (isOpen) => change({ isDrawerOpen: isOpen }),
      setRailWidth(px) {
        if (!Number.isFinite(px)) return;
        if (px < railWidths.collapseBelow) change({ isRailCollapsed: true });
        else
          change({
            isRailCollapsed: false,
            railWidth: clamp(px, railWidths.min, railWidths.max),
          });
      },
      toggleRail: () => change({ isRailCollapsed: !get().isRailCollapsed }),
      markUnread(id) {
        if (!get().unread.includes(id)) change({ unread: [...get().unread, id] });
      },
      markRead(id) {
        if (get().unread.includes(id)) change({ unread: without(get().unread, id) });
      },
      keepOnly(ids) {
        const known = new Set(ids);
        const keep = (list: string[]) => list.filter((id) => known.has(id));
        const { tabs, hidden, unread, active } = get();
        const next = {
          tabs: keep(tabs),
          hidden: keep(hidden),
          unread: keep(unread),
          active: active !== null && !known.has(active) ? firstKnown(tabs, active, known) : active,
        };
        const isSame =
          next.tabs.length === tabs.length &&
          next.hidden.length === hidden.length &&
          next.unread.length === unread.length &&
          next.active === active;
        if (!isSame) change(next);
      },
    };
  });
  return store;
}

/** The nearest tab left that still exists, walking as if the gone ones were closed one by one. */
function firstKnown(tabs: readonly string[], active: string, known: ReadonlySet<string>) {
  let left = [...tabs];
  let current: string | null = active;
  while (current !== null && !known.has(current)) {
    const next: string | null = activeAfterRemoval(left, current);
    left = without(left, current);
    current = next;
  }
  return current;
}

function load(keyValue: KeyValue): SavedWorkspace {
  const saved = readFields(keyValue.get(workspaceKey), savedFields, defaults);
  const tabs = [...new Set(saved.tabs)];
  // Fields are checked one by one, so one may contradict another: the tabs win.
  const active =
    saved.active !== null && tabs.includes(saved.active) ? saved.active : (tabs[0] ?? null);
  return { ...saved, tabs, active, isDrawerOpen: saved.isDrawerOpen && active !== null };
}
