// The 28 px tile that stands for a session: `$_` for a shell, the first letters of the program otherwise.

import { Lock, Unplug } from "lucide-react";
import { useStrings } from "#components/strings/strings.ts";
import { cx } from "#components/ui/cx.ts";
import type { SessionInfo } from "#lib/protocol/session.ts";
import { isShell, programName } from "./session-status.ts";

export function Avatar({ session, isUnread }: { session: SessionInfo; isUnread: boolean }) {
  const s = useStrings();
  const shell = isShell(session.command);
  const letters = shell
    ? "$_"
    : programName(session.command[0] ?? "?")
        .replace(/^\W+/, "")
        .slice(0, 2);
  return (
    <span className="relative flex size-7 shrink-0 items-center justify-center rounded-control border border-line bg-bg-2 font-mono text-[11px] leading-none font-medium text-text-2">
      <span aria-hidden>{letters}</span>
      {session.access === "collaborate" || session.exited ? null : (
        <span
          className={cx(
            "-bottom-[5px] -left-[5px] absolute flex size-4 items-center justify-center rounded-full border border-line bg-bg-1",
            session.access === "sealed" ? "text-danger" : "text-observe",
          )}
        >
          {session.access === "sealed" ? (
            <Unplug size={10} strokeWidth={2} aria-hidden />
          ) : (
            <Lock size={10} strokeWidth={2} aria-hidden />
          )}
          <span className="sr-only">
            {session.access === "sealed"
              ? s.keyboard.status.accessSealed
              : s.keyboard.status.accessObserve}
          </span>
        </span>
      )}
      {isUnread ? (
        <span className="-top-[3px] -right-[3px] absolute size-2 rounded-full border-2 border-bg-1 bg-accent box-content">
          <span className="sr-only">{s.rail.unread}</span>
        </span>
      ) : null}
    </span>
  );
}
