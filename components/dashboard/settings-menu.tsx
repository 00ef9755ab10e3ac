"use client";
// The button of the settings menu.
import { Settings } from "lucide-react";
import { useStrings } from "#components/strings/strings.ts";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Menu } from "#components/ui/menu.tsx";
import { SettingsItems } from "./lazy-parts.ts";

export function SettingsMenu() {
  const s = useStrings();
  return (
    <Menu
      trigger={
        <IconButton label={s.menu.label}>
          <Settings size={16} strokeWidth={1.75} />
        </IconButton>
      }
    >
      <SettingsItems />
    </Menu>
  );
}
