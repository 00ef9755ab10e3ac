"use client";
// Where the terminal panel stands, as menu items: what dragging does, without dragging.
import { Columns2, ExternalLink, PanelBottom, Square } from "lucide-react";
import { useApp, useWorkspace } from "#components/dashboard/app-context.tsx";
import { useStrings } from "#components/strings/strings.ts";
import { MenuItem, MenuRadio, MenuSeparator } from "#components/ui/menu-items.tsx";
import type { Dock } from "#lib/store/workspace.ts";

const icon = { size: 16, strokeWidth: 1.75 } as const;

export default function DockItems({ dock, canDockRight }: { dock: Dock; canDockRight: boolean }) {
  const app = useApp();
  const s = useStrings();
  const active = useWorkspace((state) => state.active);
  const { setDock } = app.workspace.getState();
  return (
    <>
      <MenuRadio
        label={s.drawer.dock}
        value={dock}
        onChange={(next) => setDock(next)}
        options={[
          { value: "bottom", label: s.drawer.bottom, icon: <PanelBottom {...icon} /> },
          {
            value: "right",
            label: s.drawer.right,
            icon: <Columns2 {...icon} />,
            disabled: !canDockRight,
          },
          { value: "max", label: s.drawer.maximised, icon: <Square {...icon} /> },
        ]}
      />
      <MenuSeparator />
      <MenuItem
        icon={<ExternalLink {...icon} />}
        disabled={active === null}
        onSelect={() => active !== null && app.actions.openInWindow(active)}
      >
        {s.drawer.popOut}
      </MenuItem>
    </>
  );
}
