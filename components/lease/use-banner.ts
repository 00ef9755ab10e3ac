// The line above one terminal, renewed whenever what it says changes: by what the server tells, or by time alone.
import { useEffect, useReducer } from "react";
import { useMirror, useSession } from "#components/dashboard/app-context.tsx";
import { useMedia } from "#components/dashboard/use-media.ts";
import { useStrings } from "#components/strings/strings.ts";
import type { Banner } from "#components/terminal/banner.ts";
import { bannerOf } from "#components/terminal/banner-state.ts";
import { useTerminalSnapshot } from "#components/terminal/use-terminal.ts";
import type { SessionTerminal } from "#lib/xterm/terminal-status.ts";
import type { WhoseHands } from "#lib/xterm/whose-hands.ts";
import { nextChangeMs } from "./hands-banner.ts";

export interface ShownBanner {
  banner: Banner;
  hands: WhoseHands | null;
  /** Name of the agent that acts here, as far as is known. */
  agent: string | null;
}

export function useBanner(id: string, terminal: SessionTerminal): ShownBanner {
  const s = useStrings();
  const snapshot = useTerminalSnapshot(terminal);
  const session = useSession(id);
  const me = useMirror((state) => state.me?.actor.id ?? null);
  const isTouch = useMedia("(pointer: coarse)");
  const isStill = useMedia("(prefers-reduced-motion: reduce)");
  const [, again] = useReducer((count: number) => count + 1, 0);
  const nowMs = performance.now();
  const { hands, status } = snapshot;
  const facts = { snapshot, session, me, isTouch, isStill, wallMs: Date.now(), nowMs };
  const banner = bannerOf(facts, s);
  const isCounting = banner.line === "running" || status.kind === "offline";
  const wakeMs = hands ? nextChangeMs(hands, nowMs) : null;

  useEffect(() => {
    if (wakeMs === null) return;
    const timer = setTimeout(again, Math.max(0, wakeMs - performance.now()) + 1);
    return () => clearTimeout(timer);
  }, [wakeMs]);
  useEffect(() => {
    if (!isCounting) return;
    const timer = setInterval(again, isStill ? 1_000 : 500);
    return () => clearInterval(timer);
  }, [isCounting, isStill]);
  return { banner, hands, agent: hands?.agent?.name ?? session?.agent?.name ?? null };
}
