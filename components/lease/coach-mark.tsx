"use client";
// Said once, when a person first takes the keyboard from an agent: how it goes back. Takes no focus; typing goes on beneath it.
import { Keyboard } from "lucide-react";
import { useEffect, useState } from "react";
import { useApp, useSettings } from "#components/dashboard/app-context.tsx";
import { useStrings } from "#components/strings/strings.ts";
import { Button } from "#components/ui/button.tsx";
import { secondsText } from "./hands-banner.ts";
import type { ShownBanner } from "./use-banner.ts";

const shownMs = 10_000;

export function CoachMark({ shown }: { shown: ShownBanner }) {
  const app = useApp();
  const s = useStrings();
  const hasSeen = useSettings((state) => state.hasSeenKeyboard);
  const [text, setText] = useState<string | null>(null);
  const { banner, hands, agent } = shown;
  const isFirst =
    !hasSeen && agent !== null && (banner.state === "human" || banner.state === "drafting");
  const idleMs = hands?.lease.remaining_ms ?? null;

  useEffect(() => {
    if (!isFirst) return;
    const { idle } = app.settings.getState();
    const seconds =
      idle === "never"
        ? null
        : idle === "server"
          ? idleMs === null
            ? "4"
            : secondsText(idleMs, true)
          : String(idle);
    setText(s.keyboard.coach(seconds, agent));
    app.settings.getState().change({ hasSeenKeyboard: true });
  }, [app, s, isFirst, agent, idleMs]);
  useEffect(() => {
    if (text === null) return;
    const timer = setTimeout(() => setText(null), shownMs);
    return () => clearTimeout(timer);
  }, [text]);

  if (text === null) return null;
  return (
    <div
      role="note"
      className="rise absolute top-2 left-2 z-20 flex max-w-[calc(100%-16px)] items-center gap-3 rounded-card border border-human bg-bg-1 py-2 pr-2 pl-3 text-body shadow-2"
    >
      <Keyboard size={16} strokeWidth={1.75} aria-hidden className="shrink-0 text-human" />
      <span className="min-w-0">{text}</span>
      <Button
        size="banner"
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => setText(null)}
      >
        {s.keyboard.coachOk}
      </Button>
    </div>
  );
}
