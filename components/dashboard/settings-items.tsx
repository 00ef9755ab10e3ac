"use client";
// The few settings there are so far: theme, language, size of the terminal's text, screen reader mode; and the way out.
import {
  Accessibility,
  BookOpen,
  Bot,
  Check,
  Contrast,
  Keyboard,
  Languages,
  LogOut,
  Minus,
  Monitor,
  Moon,
  Plus,
  ScrollText,
  Sun,
} from "lucide-react";
import { useStrings } from "#components/strings/strings.ts";
import { MenuItem, MenuRadio, MenuSeparator } from "#components/ui/menu-items.tsx";
import { onPageEntry } from "#components/ui/use-back-closes.ts";
import { may } from "#lib/protocol/roles.ts";
import { fontSizes } from "#lib/store/settings.ts";
import { useApp, useMirror, useSettings } from "./app-context.tsx";

const icon = { size: 16, strokeWidth: 1.75 } as const;

export default function SettingsItems() {
  const app = useApp();
  const s = useStrings();
  const theme = useSettings((state) => state.theme);
  const language = useSettings((state) => state.language);
  const fontSize = useSettings((state) => state.fontSize);
  const screenReader = useSettings((state) => state.screenReader);
  const mayAudit = useMirror((state) => may(state.me?.actor.role ?? "owner", "audit.read"));
  const { change, zoom } = app.settings.getState();
  return (
    <>
      <MenuRadio
        label={s.menu.theme}
        value={theme}
        onChange={(next) => change({ theme: next })}
        options={[
          { value: "system", label: s.menu.themes.system, icon: <Monitor {...icon} /> },
          { value: "light", label: s.menu.themes.light, icon: <Sun {...icon} /> },
          { value: "dark", label: s.menu.themes.dark, icon: <Moon {...icon} /> },
          { value: "contrast", label: s.menu.themes.contrast, icon: <Contrast {...icon} /> },
        ]}
      />
      <MenuSeparator />
      <MenuRadio
        label={s.menu.language}
        value={language}
        onChange={(next) => change({ language: next })}
        options={(["system", "en", "zh-CN"] as const).map((value) => ({
          value,
          label: s.menu.languages[value],
          icon: value === "system" ? <Languages {...icon} /> : null,
        }))}
      />
      <MenuSeparator />
      <MenuItem
        stay
        disabled={fontSize >= fontSizes.max}
        icon={<Plus {...icon} />}
        onSelect={() => zoom(1)}
        aside={s.menu.px(fontSize)}
      >
        {s.menu.larger}
      </MenuItem>
      <MenuItem
        stay
        disabled={fontSize <= fontSizes.min}
        icon={<Minus {...icon} />}
        onSelect={() => zoom(-1)}
      >
        {s.menu.smaller}
      </MenuItem>
      <MenuItem
        stay
        icon={<Accessibility {...icon} />}
        onSelect={() => change({ screenReader: !screenReader })}
        aside={
          screenReader ? (
            <Check size={14} strokeWidth={2} className="text-accent" aria-label={s.menu.on} />
          ) : null
        }
      >
        {s.menu.screenReader}
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        icon={<Keyboard {...icon} />}
        onSelect={() => app.ui.setState({ isKeyboardSettingsOpen: true })}
      >
        {s.keyboard.settings.item}
      </MenuItem>
      {mayAudit ? (
        <MenuItem
          icon={<ScrollText {...icon} />}
          onSelect={() => app.ui.setState({ isAuditOpen: true })}
        >
          {s.keyboard.audit.item}
        </MenuItem>
      ) : null}
      <MenuItem icon={<Bot {...icon} />} onSelect={() => app.ui.setState({ isConnectOpen: true })}>
        {s.connect.title}
      </MenuItem>
      <MenuItem
        icon={<BookOpen {...icon} />}
        onSelect={() => void onPageEntry(() => location.assign("/docs/"))}
      >
        {s.menu.docs}
      </MenuItem>
      <MenuItem icon={<LogOut {...icon} />} onSelect={() => void app.credentials.logout()}>
        {s.menu.signOut}
      </MenuItem>
    </>
  );
}
