"use client";
// One session's terminal with what belongs around it. Stays mounted while its tab is open; hidden it keeps its buffer and connection.
import { useApp, useSession } from "#components/dashboard/app-context.tsx";
import { failureText } from "#components/dashboard/failure-notice.ts";
import { useStrings } from "#components/strings/strings.ts";
import { Button } from "#components/ui/button.tsx";
import { cx } from "#components/ui/cx.ts";
import { ReadyPane } from "./pane-part.tsx";
import { usePooledTerminal } from "./use-terminal.ts";
import { Waiting } from "./waiting.tsx";

export function TerminalPane({
  id,
  isShown,
  isTabbed,
}: {
  id: string;
  isShown: boolean;
  /** It belongs to a tab; otherwise it stands alone. */
  isTabbed: boolean;
}) {
  const app = useApp();
  const s = useStrings();
  const session = useSession(id);
  const entry = usePooledTerminal(id, isShown);
  const pane = {
    role: isTabbed ? "tabpanel" : "group",
    "aria-label": session?.name ?? id.slice(0, 8),
  };
  return (
    <div
      id={`panel-${id}`}
      {...pane}
      hidden={!isShown}
      className={cx("min-h-0 flex-1 flex-col", isShown ? "flex" : "hidden")}
    >
      {entry.kind === "ready" ? (
        <ReadyPane id={id} terminal={entry.terminal} isShown={isShown} />
      ) : entry.kind === "failed" ? (
        <div className="flex flex-1 flex-col items-center justify-center gap-3 bg-term p-6 text-center">
          <h2 className="text-title">{s.terminal.failedTitle}</h2>
          <p className="max-w-md text-text-2">{failureText(entry.detail, s)}</p>
          <span className="flex gap-2">
            <Button onClick={() => app.terminals.open(id)}>{s.common.retry}</Button>
            <Button onClick={() => location.reload()}>{s.terminal.reload}</Button>
          </span>
        </div>
      ) : (
        <div className="relative flex-1 bg-term">
          <Waiting text={s.terminal.loading} />
        </div>
      )}
    </div>
  );
}
