"use client";
// Before the first list of sessions: nothing for a moment, then that it loads, or why it cannot.
import { WifiOff } from "lucide-react";
import { useStrings } from "#components/strings/strings.ts";
import { Button } from "#components/ui/button.tsx";
import { useApp, useMirror } from "./app-context.tsx";
import { useNow } from "./use-now.ts";

export function Trouble() {
  const app = useApp();
  const s = useStrings();
  const link = useMirror((state) => state.link);
  const now = useNow(link.kind === "offline" ? 500 : null);
  if (link.kind !== "offline")
    return (
      <p className="after-300 flex h-full items-center justify-center text-text-3">
        {s.connection.connecting}
      </p>
    );
  const seconds =
    link.untilMs === null ? null : Math.max(0, Math.ceil((link.untilMs - now) / 1000));
  return (
    <div className="flex h-full flex-col items-center justify-center gap-2 p-6 text-center">
      <WifiOff size={24} strokeWidth={1.75} className="text-attention" aria-hidden />
      <h1 className="text-title">{s.fatal.title}</h1>
      <p className="max-w-md text-text-2">{s.welcome.unreachable}</p>
      <p className="max-w-lg break-words font-mono text-caption text-text-3">{link.detail}</p>
      <p className="text-caption text-text-3 tnum">{s.fatal.next(link.attempt, seconds)}</p>
      <Button className="mt-2" onClick={() => void app.feed.refresh()}>
        {s.terminal.retry}
      </Button>
    </div>
  );
}
