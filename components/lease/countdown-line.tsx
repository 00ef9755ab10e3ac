"use client";
// The 2 px line at the banner's lower edge: it shrinks to nothing when the keyboard goes back. Drawn by the compositor alone, from the
// server's deadline; each new deadline sets it right.
import { useEffect, useRef } from "react";
import type { WhoseHands } from "#lib/xterm/whose-hands.ts";
import { returnsAtMs } from "#lib/xterm/whose-hands.ts";

export function CountdownLine({ hands, line }: { hands: WhoseHands; line: "running" | "full" }) {
  const bar = useRef<HTMLSpanElement>(null);
  /** What a full line stands for: the most that was left since the keyboard was taken. */
  const full = useRef({ epoch: -1, ms: 0 });
  const untilMs = line === "running" ? returnsAtMs(hands) : null;
  const { epoch } = hands.lease;

  useEffect(() => {
    const element = bar.current;
    if (!element || untilMs === null) return;
    const leftMs = Math.max(0, untilMs - performance.now());
    const known = full.current.epoch === epoch ? full.current.ms : 0;
    full.current = { epoch, ms: Math.max(known, leftMs) };
    const from = full.current.ms === 0 ? 0 : leftMs / full.current.ms;
    const run = element.animate([{ transform: `scaleX(${from})` }, { transform: "scaleX(0)" }], {
      duration: leftMs,
      easing: "linear",
      fill: "forwards",
    });
    return () => run.cancel();
  }, [untilMs, epoch]);

  return (
    <span
      ref={bar}
      aria-hidden
      data-countdown={line}
      className="absolute inset-x-0 -bottom-px h-0.5 origin-left bg-current motion-reduce:hidden"
    />
  );
}
