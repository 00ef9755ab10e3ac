// The mark of a status: shape and word always together, colour never alone.
import { Check, Pin, X } from "lucide-react";
import type { ReactNode } from "react";
import { useStrings } from "#components/strings/strings.ts";
import { cx } from "#components/ui/cx.ts";
import type { SessionInfo } from "#lib/protocol/session.ts";
import type { UiDot, UiStatus, UiToken } from "#lib/store/ui-status.ts";
import { statusWord } from "./session-status.ts";

const tones: Record<UiToken, string> = {
  "st-danger": "text-danger",
  "st-attention": "text-attention",
  "st-human": "text-human",
  "st-acting": "text-acting",
  "st-viewing": "text-viewing",
  "st-idle": "text-idle",
  "st-observe": "text-observe",
  "text-3": "text-text-3",
};

export function StatusDot({ status }: { status: UiStatus }) {
  return (
    <span
      className={cx(
        "status-dot inline-flex size-3 shrink-0 items-center justify-center",
        tones[status.token],
        status.pulses && "pulse rounded-full",
      )}
    >
      <Shape dot={status.dot} />
    </span>
  );
}

function Shape({ dot }: { dot: UiDot }) {
  const ring = { cx: 5, cy: 5, r: 4, fill: "none", stroke: "currentColor", strokeWidth: 1.75 };
  switch (dot) {
    case "check":
      return <Check size={12} strokeWidth={2.25} aria-hidden />;
    case "cross":
      return <X size={12} strokeWidth={2.25} aria-hidden />;
    case "square":
      return (
        <Drawing>
          <rect x="1" y="1" width="8" height="8" rx="1.5" fill="currentColor" />
        </Drawing>
      );
    case "filled":
      return (
        <Drawing>
          <circle cx="5" cy="5" r="4" fill="currentColor" />
        </Drawing>
      );
    case "presence":
      // Somebody else: a dot with a ring around it.
      return (
        <Drawing>
          <circle cx="5" cy="5" r="2.25" fill="currentColor" />
          <circle {...ring} r={4.25} strokeWidth={1} />
        </Drawing>
      );
    case "pinned":
      return <Pin size={12} strokeWidth={2.25} fill="currentColor" aria-hidden />;
    case "crossed":
      return (
        <Drawing>
          <circle {...ring} />
          <path d="M2.2 7.8 7.800 2.200" stroke="currentColor" strokeWidth="1.75" />
        </Drawing>
      );
    case "dashed":
      return (
        <Drawing>
          <circle {...ring} strokeDasharray="2.6 1.6" />
        </Drawing>
      );
    case "half":
      // Half filled: something is under way.
      return (
        <Drawing>
          <circle {...ring} />
          <path d="M5 1a4 4 0 0 1 0 8z" fill="currentColor" />
        </Drawing>
      );
    case "ring":
      return (
        <Drawing>
          <circle {...ring} />
        </Drawing>
      );
  }
}

function Drawing({ children }: { children: ReactNode }) {
  return (
    <svg width={10} height={10} viewBox="0 0 10 10" aria-hidden focusable="false">
      {children}
    </svg>
  );
}

export function StatusLabel({
  status,
  session,
  className,
}: {
  status: UiStatus;
  session: SessionInfo;
  className?: string;
}) {
  const s = useStrings();
  return (
    <span
      className={cx(
        "inline-flex shrink-0 items-center gap-1.5 text-caption nowrap tnum",
        tones[status.token],
        className,
      )}
    >
      <StatusDot status={status} />
      {/* A person's name may be long; the session's own name keeps its place. */}
      <span className="max-w-24 truncate">{statusWord(status, session, s)}</span>
    </span>
  );
}
