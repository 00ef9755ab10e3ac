"use client";
// How the server is reached: a word and a number always in sight, the rest on demand.
import { type Strings, useStrings } from "#components/strings/strings.ts";
import { cx } from "#components/ui/cx.ts";
import { Popover } from "#components/ui/popover.tsx";
import type { ServerLink } from "#lib/client/session-feed.ts";
import { useMirror } from "./app-context.tsx";
import { ConnectionPanel } from "./lazy-parts.ts";

/** Round trips up to these many ms are good, and bearable. */
export const rttGrades = { goodMs: 80, bearableMs: 250 } as const;

export function linkTone(link: ServerLink): string {
  if (link.kind === "offline" || link.kind === "signed_out") return "text-danger";
  if (link.kind === "starting") return "text-text-3";
  if (link.rttMs < rttGrades.goodMs) return "text-human";
  return link.rttMs <= rttGrades.bearableMs ? "text-attention" : "text-danger";
}

export function linkWord(link: ServerLink, s: Strings): string {
  switch (link.kind) {
    case "starting":
      return s.connection.connecting;
    case "online":
      return s.connection.liveMs(link.rttMs);
    case "offline":
      return s.connection.offline;
    case "signed_out":
      return s.connection.signedOut;
  }
}

export function ConnectionPill() {
  const s = useStrings();
  const link = useMirror((state) => state.link);
  return (
    <Popover
      title={s.connection.title}
      trigger={
        <button
          type="button"
          className="inline-flex h-7 items-center gap-2 rounded-full border border-line px-2.5 text-caption text-text-2 nowrap tnum transition-colors duration-120 hover:bg-bg-2 hover:text-text-1 data-popup-open:bg-bg-2 touch-target"
        >
          <span className={cx("flex", linkTone(link))} aria-hidden>
            <svg width="8" height="8" viewBox="0 0 8 8" focusable="false" aria-hidden>
              {link.kind === "online" ? (
                <circle cx="4" cy="4" r="4" fill="currentColor" />
              ) : (
                <circle
                  cx="4"
                  cy="4"
                  r="3"
                  fill="none"
                  stroke="currentColor"
                  strokeWidth="2"
                  strokeDasharray="2 1.500"
                />
              )}
            </svg>
          </span>
          {linkWord(link, s)}
        </button>
      }
    >
      <ConnectionPanel />
    </Popover>
  );
}
