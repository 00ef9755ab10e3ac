"use client";
// What a screen reader hears of the line above the terminal that is on screen: changes of state, politely; a password at once. Never a
// sentence per keystroke.
import { useEffect, useRef } from "react";
import { announce } from "#components/dashboard/announcer.tsx";
import { useSession, useSettings } from "#components/dashboard/app-context.tsx";
import { useStrings } from "#components/strings/strings.ts";
import type { BannerState } from "#components/terminal/banner.ts";
import { secondsText } from "./hands-banner.ts";
import type { ShownBanner } from "./use-banner.ts";

const mine: ReadonlySet<BannerState> = new Set(["human", "drafting", "held"]);
const spoken: ReadonlySet<BannerState> = new Set([
  ...mine,
  "acting",
  "other",
  "attention",
  "observe",
  "sealed",
  "answered",
]);

export function BannerVoice({
  id,
  shown,
  isShown,
}: {
  id: string;
  shown: ShownBanner;
  isShown: boolean;
}) {
  const s = useStrings();
  const name = useSession(id)?.name ?? "";
  const isReader = useSettings((state) => state.screenReader);
  const { banner, agent, hands } = shown;
  const { state, headline } = banner;
  const said = useRef<BannerState | null>(null);
  const leftMs = hands?.lease.remaining_ms ?? null;

  useEffect(() => {
    const before = said.current;
    said.current = state;
    if (!isShown || before === null || before === state || !spoken.has(state)) return;
    if (mine.has(state) && mine.has(before)) return;
    if (!mine.has(state)) return announce(headline);
    const back =
      isReader && leftMs !== null
        ? ` ${s.keyboard.say.back(agent, secondsText(leftMs, true))}`
        : "";
    announce(state === "held" ? headline : `${s.keyboard.say.mine}${back}`);
  }, [s, state, headline, isShown, isReader, agent, leftMs]);

  return (
    <div role="alert" className="sr-only">
      {isShown && state === "secret" ? s.keyboard.say.secret(name) : ""}
    </div>
  );
}

/** What the terminal is called: who acts in it, and whose keyboard it is. */
export function useTerminalLabel(id: string, { banner, agent }: ShownBanner): string {
  const s = useStrings();
  const name = useSession(id)?.name ?? id.slice(0, 8);
  const isMine = mine.has(banner.state);
  return s.keyboard.terminalLabel(name, agent, isMine ? s.keyboard.say.mine : "");
}
