"use client";
// One session alone: for a window of its own. Its tab list is not the workspace's.
import { useEffect, useState } from "react";
import { setTitle } from "#components/lease/attention-mark.ts";
import { useStrings } from "#components/strings/strings.ts";
import { TerminalPane } from "#components/terminal/terminal-pane.tsx";
import { buttonClass } from "#components/ui/button.tsx";
import { Logo } from "#components/ui/logo.tsx";
import { sessionIdSchema } from "#lib/protocol/ids.ts";
import { Announcer } from "./announcer.tsx";
import { AppProvider, useApp, useMirror, useSession } from "./app-context.tsx";
import { AuditPill } from "./audit-pill.tsx";
import { ConnectionPill } from "./connection-pill.tsx";
import { NoticePage } from "./notice-page.tsx";
import { detailOf } from "./session-status.ts";
import { SettingsMenu } from "./settings-menu.tsx";
import { SignedOut } from "./signed-out.tsx";
import { SkipLinks } from "./skip-links.tsx";
import { TerminalOverlays } from "./terminal-overlays.tsx";
import { TopBarFrame } from "./top-bar.tsx";
import { useShortcuts } from "./use-shortcuts.ts";

export function SingleSession() {
  const [id, setId] = useState<string | null | undefined>(undefined);
  useEffect(() => {
    const parsed = sessionIdSchema.safeParse(new URLSearchParams(location.search).get("id"));
    setId(parsed.success ? parsed.data : null);
  }, []);
  if (id === undefined) return <main className="h-dvh" />;
  if (id === null) return <NoId />;
  return (
    <AppProvider frame={<main className="h-dvh" />} isSingle>
      <OneSession id={id} />
    </AppProvider>
  );
}

function NoId() {
  const s = useStrings();
  return (
    <NoticePage title={s.single.missingTitle} text={s.single.missingText}>
      <a href="/" className={buttonClass("primary", "large", "self-start")}>
        {s.single.workspace}
      </a>
    </NoticePage>
  );
}

function OneSession({ id }: { id: string }) {
  const app = useApp();
  const s = useStrings();
  const session = useSession(id);
  const link = useMirror((state) => state.link.kind);
  useShortcuts(true);
  useEffect(() => {
    app.workspace.getState().openTab(id);
    app.focusTerminal(id);
  }, [app, id]);
  const name = session?.name ?? null;
  useEffect(() => {
    setTitle(s.app.title(name));
  }, [s, name]);
  if (link === "signed_out") return <SignedOut />;
  return (
    <div className="flex h-dvh flex-col overflow-hidden">
      <SkipLinks />
      <TopBarFrame>
        <a href={`/?s=${id}`} aria-label={s.single.workspace} className="rounded-control">
          <Logo size={22} />
        </a>
        <h1 className="min-w-0 truncate font-strong text-body">{name ?? id.slice(0, 8)}</h1>
        {session ? (
          <span className="hidden min-w-0 truncate text-caption text-text-3 tablet:inline">
            {detailOf(session)}
          </span>
        ) : null}
        <span className="ml-auto flex shrink-0 items-center gap-2">
          <ConnectionPill />
          <AuditPill />
          <SettingsMenu />
        </span>
      </TopBarFrame>
      <main className="flex min-h-0 flex-1 flex-col">
        <TerminalPane id={id} isShown isTabbed={false} />
      </main>
      <TerminalOverlays />
      <Announcer />
    </div>
  );
}
