"use client";
// Who and where this server is, how it is reached, and the settings. Fixed height; nothing in it moves.
import { Menu as MenuIcon } from "lucide-react";
import type { ReactNode } from "react";
import { NeedsPill } from "#components/lease/needs-pill.tsx";
import { useStrings } from "#components/strings/strings.ts";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Logo } from "#components/ui/logo.tsx";
import { useApp, useMirror } from "./app-context.tsx";
import { AuditPill } from "./audit-pill.tsx";
import { ConnectionPill } from "./connection-pill.tsx";
import { SettingsMenu } from "./settings-menu.tsx";

export function TopBarFrame({ start, children }: { start?: ReactNode; children?: ReactNode }) {
  return (
    <header className="relative z-20 flex h-12 shrink-0 items-center gap-3 border-line border-b bg-bg-1 px-3 pt-[env(safe-area-inset-top)] box-content pointer-coarse:h-13">
      {start}
      {children}
    </header>
  );
}

export function Brand() {
  return (
    <span className="flex items-center gap-2">
      <Logo size={22} />
      <span className="font-semibold text-lead tracking-[-0.01em]">cotty</span>
    </span>
  );
}

export function TopBar({ hasSheetButton }: { hasSheetButton: boolean }) {
  const app = useApp();
  const s = useStrings();
  const server = useMirror((state) => state.me?.server);
  return (
    <TopBarFrame
      start={
        hasSheetButton ? (
          <IconButton
            label={s.rail.open}
            onClick={() => app.ui.setState({ isRailSheetOpen: true })}
          >
            <MenuIcon size={18} strokeWidth={1.75} />
          </IconButton>
        ) : null
      }
    >
      <a
        href="/"
        className="rounded-control"
        onClick={(event) => {
          event.preventDefault();
          app.workspace.getState().setDrawerOpen(false);
        }}
        aria-label={s.app.home}
      >
        <Brand />
      </a>
      {server ? (
        <span className="hidden min-w-0 items-center gap-2 truncate text-caption text-text-3 tablet:flex">
          <span className="h-4 w-px bg-line" aria-hidden />
          <span className="truncate">{server.hostname}</span>
          <span aria-hidden>·</span>
          <span className="truncate font-mono">{server.cwd}</span>
        </span>
      ) : null}
      <span className="ml-auto flex shrink-0 items-center gap-2">
        <ConnectionPill />
        <AuditPill />
        <NeedsPill />
        <SettingsMenu />
      </span>
    </TopBarFrame>
  );
}
