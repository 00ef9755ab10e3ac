// What is known of one command, as pairs of a word and a value: in the card and wherever else it is told.
import { useMirror } from "#components/dashboard/app-context.tsx";
import { useNow } from "#components/dashboard/use-now.ts";
import { useStrings } from "#components/strings/strings.ts";
import { cx } from "#components/ui/cx.ts";
import type { CommandRecord } from "#lib/protocol/journal.ts";
import { durationOf, resultOf } from "#lib/store/command-view.ts";
import { resultTones, resultWord, typistText } from "./result-mark.tsx";

export function CommandFacts({ record }: { record: CommandRecord }) {
  const s = useStrings();
  const { fields, runningFor } = s.commands;
  const me = useMirror((state) => state.me?.actor.name);
  const isRunning = record.ended_at === null;
  const now = useNow(isRunning ? 1_000 : null);
  const lasted = s.format.duration(durationOf(record, now));
  const started = new Date(record.started_at);
  const rows: readonly (readonly [string, string, string?])[] = [
    [fields.result, resultWord(record, s), resultTones[resultOf(record)]],
    [fields.duration, isRunning ? runningFor(lasted) : s.format.exact(record.duration_ms)],
    [fields.started, s.format.dateTime(started)],
    [fields.by, typistText(record.by, me, s)],
    [fields.directory, record.cwd, "font-mono break-all"],
  ];
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 text-caption">
      {rows.map(([name, value, look]) => (
        <div key={name} className="contents">
          <dt className="text-text-3 nowrap">{name}</dt>
          <dd className={cx("min-w-0 tnum", look ?? "text-text-1")}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
