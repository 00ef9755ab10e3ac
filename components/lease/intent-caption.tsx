"use client";
// What an agent says about what it just typed, beside the cursor for a moment.
import { Bot } from "lucide-react";
import { useEffect, useState } from "react";
import { useStrings } from "#components/strings/strings.ts";
import type { SessionTerminal } from "#lib/xterm/terminal-status.ts";
import type { WhoseHands } from "#lib/xterm/whose-hands.ts";

const shownMs = 4_000;
/** So wide at most, and this far from the edges. */
const maxWidth = 320;
const margin = 8;

export function IntentCaption({
  terminal,
  hands,
}: {
  terminal: SessionTerminal;
  hands: WhoseHands | null;
}) {
  const s = useStrings();
  const agent = hands?.agent ?? null;
  const caption = hands?.credential ? null : (agent?.caption ?? null);
  const atMs = caption?.atMs ?? null;
  const [place, setPlace] = useState<{ atMs: number; left: number; top: number } | null>(null);

  useEffect(() => {
    if (atMs === null) return;
    const look = () => {
      const point = terminal.cursorPoint();
      if (!point) return setPlace(null);
      const left = Math.max(
        margin,
        Math.min(point.x + 2 * margin, point.width - maxWidth - margin),
      );
      // Below the line, or above it where there is no room.
      const top =
        point.y + point.line * 3 > point.height
          ? point.y - point.line - 20
          : point.y + point.line + 4;
      setPlace({ atMs, left: Math.max(margin, left), top: Math.max(margin, top) });
    };
    // What the keys print moves the cursor: it is looked at when that is on the screen.
    const timers = [setTimeout(look, 0), setTimeout(look, 120)];
    const end = setTimeout(() => setPlace(null), shownMs - (performance.now() - atMs));
    return () => {
      for (const timer of timers) clearTimeout(timer);
      clearTimeout(end);
    };
  }, [atMs, terminal]);

  if (!agent || !caption || place?.atMs !== atMs || !place) return null;
  return (
    <div
      data-caption
      className="rise pointer-events-none absolute z-10 flex max-w-80 items-center gap-1.5 rounded-control border border-acting bg-bg-1 px-2 py-1 text-caption text-text-1 shadow-1"
      style={{ left: place.left, top: place.top }}
    >
      <Bot size={14} strokeWidth={2} aria-hidden className="shrink-0 text-acting" />
      <span className="truncate">
        <span className="text-text-3">{s.keyboard.caption(agent.name)}</span> {caption.text}
      </span>
    </div>
  );
}
