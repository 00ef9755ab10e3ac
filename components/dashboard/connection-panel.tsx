"use client";
// What there is to know about the connection, and a copy of it for a fault report.
import { useStrings } from "#components/strings/strings.ts";
import { Button } from "#components/ui/button.tsx";
import { CopyTextButton } from "#components/ui/copy-button.tsx";
import { cx } from "#components/ui/cx.ts";
import { useApp, useMirror } from "./app-context.tsx";
import { linkTone, linkWord } from "./connection-pill.tsx";
import { diagnostics } from "./diagnostics.ts";
import { Sparkline } from "./sparkline.tsx";

export default function ConnectionPanel() {
  const app = useApp();
  const s = useStrings();
  const link = useMirror((state) => state.link);
  const me = useMirror((state) => state.me);
  const rttsMs = useMirror((state) => state.rttsMs);
  const open = useMirror((state) => state.order.length);
  const rows: [string, string][] = [
    [s.connection.transport, s.connection.transportValue(location.protocol === "https:")],
    [s.connection.address, location.host],
    ...(me
      ? ([
          [s.connection.server, `cotty ${me.server.version}`],
          [s.connection.host, me.server.hostname],
          [s.connection.sessions, s.connection.sessionCount(open, me.server.sessions.max)],
          [s.connection.you, me.actor.name],
        ] satisfies [string, string][])
      : []),
  ];
  return (
    <>
      <div className="mt-2 flex items-baseline justify-between gap-2">
        <span className="text-caption text-text-2">{s.connection.roundTrip}</span>
        <span className={cx("font-strong tnum", linkTone(link))}>
          {link.kind === "online" ? s.connection.ms(link.rttMs) : linkWord(link, s)}
        </span>
      </div>
      <Sparkline
        values={rttsMs}
        label={s.connection.chart(s.connection.ms(rttsMs[rttsMs.length - 1] ?? 0))}
        empty={s.connection.noSamples}
      />
      {link.kind === "offline" ? (
        <p className="mt-1 text-caption text-text-2">{link.detail}</p>
      ) : null}
      <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 border-line border-t pt-2 text-caption">
        {rows.map(([term, value]) => (
          <div key={term} className="contents">
            <dt className="text-text-3">{term}</dt>
            <dd className="truncate text-right text-text-1 tnum">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-3 flex justify-end gap-2">
        {link.kind === "offline" ? (
          <Button size="banner" onClick={() => void app.feed.refresh()}>
            {s.terminal.retry}
          </Button>
        ) : null}
        <CopyTextButton label={s.connection.copyDiagnostics} text={() => diagnostics(app)} />
      </div>
    </>
  );
}
