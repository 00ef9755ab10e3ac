// How long the command of a session has been running, beside what it is. Nothing for the first two seconds.
import { useNow } from "#components/dashboard/use-now.ts";
import { useStrings } from "#components/strings/strings.ts";
import type { LastCommand } from "#lib/protocol/session.ts";
import { shownDurationMs } from "#lib/store/command-view.ts";

export function CommandElapsed({ last }: { last: LastCommand | null }) {
  return last?.running ? <Ticking since={Date.parse(last.started_at)} /> : null;
}

function Ticking({ since }: { since: number }) {
  const s = useStrings();
  const ms = useNow(1_000) - since;
  return ms < shownDurationMs ? null : (
    <span className="shrink-0 nowrap tnum">{s.format.duration(ms)}</span>
  );
}
