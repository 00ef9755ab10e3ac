// Sessions in groups, as lists show them. What changes its group is mounted anew there, and loses its open menu, a half-typed name and the
// focus: while somebody is at one of them, each keeps the group it had.
import { type FocusEvent, useCallback, useEffect, useRef, useState } from "react";
import { useNeeding } from "#components/lease/use-needing.ts";
import type { SessionInfo } from "#lib/protocol/session.ts";
import type { UiGroup } from "#lib/store/ui-status.ts";
import { useUi } from "./app-context.tsx";
import { grouped } from "./session-status.ts";

export function useSessionGroups(sessions: readonly SessionInfo[]) {
  const needing = useNeeding();
  const isRenaming = useUi(({ renaming }) => renaming !== null);
  const [openMenus, setOpenMenus] = useState(0);
  const [hasFocus, setFocus] = useState(false);
  const isHeld = isRenaming || openMenus > 0 || hasFocus;

  const shown = useRef<ReadonlyMap<string, UiGroup>>(new Map());
  const groups = grouped(sessions, needing, isHeld ? shown.current : undefined);
  useEffect(() => {
    shown.current = new Map(
      groups.flatMap(({ group, sessions: members }) => members.map(({ id }) => [id, group])),
    );
  });

  return {
    groups,
    /** For `MenuWatch`: a menu opened or closed. */
    watchMenu: useCallback((isOpen: boolean) => setOpenMenus((n) => n + (isOpen ? 1 : -1)), []),
    /** Of the element around the list. Where a click left the focus nobody is, and a filter is not in the list. */
    focus: {
      onFocus: ({ target }: FocusEvent) =>
        setFocus(!(target instanceof HTMLInputElement) && target.matches(":focus-visible")),
      onBlur: () => setFocus(false),
    },
  };
}
