"use client";
// A terminal that is there, with what belongs around it: banner, search, commands, status line. Loaded with the terminal (pane-part.tsx).
import { ArrowDown } from "lucide-react";
import { Suspense, useEffect, useRef } from "react";
import { CommandLayer, SessionJournal } from "#components/commands/lazy-commands.ts";
import { useApp, useUi, useWorkspace } from "#components/dashboard/app-context.tsx";
import { BannerVoice, useTerminalLabel } from "#components/lease/banner-voice.tsx";
import { CoachMark } from "#components/lease/coach-mark.tsx";
import { IntentCaption } from "#components/lease/intent-caption.tsx";
import { AgentView } from "#components/lease/lazy-lease.ts";
import { TerminalEdge } from "#components/lease/terminal-edge.tsx";
import { useBanner } from "#components/lease/use-banner.ts";
import { useStrings } from "#components/strings/strings.ts";
import { cx } from "#components/ui/cx.ts";
import type { PaneProps } from "./pane-part.tsx";
import { SearchBar } from "./search-bar.tsx";
import { SessionBanner } from "./session-banner.tsx";
import { StatusLine } from "./status-line.tsx";
import { useTerminalSnapshot } from "./use-terminal.ts";
import { Waiting } from "./waiting.tsx";

export default function ReadyPane({ id, terminal, isShown }: PaneProps) {
  const app = useApp();
  const s = useStrings();
  const container = useRef<HTMLDivElement>(null);
  const { status, mySize, isForeignSize, isScrolledUp, hasNewOutput, hasJumped } =
    useTerminalSnapshot(terminal);
  const isUnread = useWorkspace((state) => state.unread.includes(id));
  const isJournalOpen = useUi((state) => state.journalOf === id);
  const isAgentView = useUi((state) => state.agentView === id);
  const shown = useBanner(id, terminal);
  const label = useTerminalLabel(id, shown);

  useEffect(() => {
    if (!container.current) return;
    const mounted = terminal.mount(container.current);
    return () => mounted.dispose();
  }, [terminal]);
  const { tooMuchOutput } = s.terminal;
  useEffect(() => terminal.setWords({ label, tooMuchOutput }), [terminal, label, tooMuchOutput]);
  // Again when it has opened: before that it takes no focus.
  const hasOpened = mySize !== null && status.kind !== "connecting";
  useEffect(() => {
    if (isShown && (hasOpened || status.kind)) app.paneShown(id);
  }, [app, id, isShown, hasOpened, status.kind]);
  useEffect(() => {
    if (!isShown || !isUnread) return;
    // Read is what was on screen for a second, not what flew by.
    const timer = setTimeout(() => app.workspace.getState().markRead(id), 1000);
    return () => clearTimeout(timer);
  }, [app, id, isShown, isUnread]);

  const isWaiting = status.kind === "connecting" || status.kind === "restoring";
  const isDead =
    status.kind === "gone" || status.kind === "signed_out" || status.kind === "not_allowed";
  return (
    <>
      <SessionBanner id={id} terminal={terminal} shown={shown} />
      <BannerVoice id={id} shown={shown} isShown={isShown} />
      <div className="@container relative flex min-h-0 flex-1">
        <div className="relative min-h-0 min-w-0 flex-1 bg-term">
          <div
            ref={container}
            data-terminal={id}
            data-foreign={isForeignSize || undefined}
            className={cx(
              "absolute inset-0 transition-opacity duration-180",
              (status.kind === "offline" || isDead) && "opacity-70",
            )}
          />
          {isWaiting ? (
            <Waiting
              text={status.kind === "connecting" ? s.terminal.connecting : s.terminal.restoring}
            />
          ) : null}
          <TerminalEdge state={shown.banner.state} />
          <IntentCaption terminal={terminal} hands={shown.hands} />
          <CoachMark shown={shown} />
          {isAgentView ? (
            <Suspense fallback={null}>
              <AgentView id={id} agent={shown.hands?.agent ?? null} />
            </Suspense>
          ) : null}
          <Suspense fallback={null}>
            <CommandLayer id={id} terminal={terminal} />
          </Suspense>
          <SearchBar terminal={terminal} />
          {isScrolledUp ? (
            <div className="-translate-x-1/2 absolute bottom-3 left-1/2 z-10">
              <button
                type="button"
                onClick={() => {
                  terminal.scrollToBottom();
                  terminal.focus();
                }}
                className={cx(
                  "rise inline-flex h-7 items-center gap-1.5 rounded-full border px-3 text-caption font-strong nowrap shadow-2 pointer-coarse:h-11",
                  hasNewOutput
                    ? "border-transparent bg-accent text-on-accent"
                    : "border-line bg-bg-2 text-text-2 hover:text-text-1",
                )}
              >
                <ArrowDown size={14} strokeWidth={2} aria-hidden />
                {hasJumped
                  ? s.terminal.jumped
                  : hasNewOutput
                    ? s.terminal.newOutput
                    : s.terminal.toBottom}
              </button>
            </div>
          ) : null}
        </div>
        {isJournalOpen && isShown ? (
          <Suspense fallback={null}>
            <SessionJournal id={id} />
          </Suspense>
        ) : null}
      </div>
      <StatusLine id={id} terminal={terminal} />
    </>
  );
}
