// The command whose output is being read, when its own line is further up. A press goes there.
import { CornerLeftUp } from "lucide-react";
import { useNow } from "#components/dashboard/use-now.ts";
import { useStrings } from "#components/strings/strings.ts";
import type { CommandRecord } from "#lib/protocol/journal.ts";
import { durationOf, resultOf, shownDurationMs } from "#lib/store/command-view.ts";
import { commandText, durationOrNothing, ResultMark, resultWord } from "./result-mark.tsx";

export function StickyCommand({
  record,
  left,
  height,
  onJump,
}: {
  record: CommandRecord;
  left: number;
  /** Down to the end of a row: none is cut in half. */
  height: number;
  onJump: () => void;
}) {
  const s = useStrings();
  const isRunning = record.ended_at === null;
  const now = useNow(isRunning ? 1_000 : null);
  const ms = durationOf(record, now);
  const text = commandText(record, s);
  return (
    <button
      type="button"
      data-sticky={record.index}
      aria-label={s.commands.sticky(text)}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onJump}
      className="focus-inset pointer-events-auto absolute inset-x-0 top-0 z-[5] flex items-center gap-2 border-line border-b bg-bg-2 pr-4 text-left text-caption text-text-1 hover:bg-bg-3"
      style={{ paddingLeft: left + 1, height }}
    >
      <ResultMark result={resultOf(record)} />
      <span className="min-w-0 flex-1 truncate font-mono">{text}</span>
      <span className="nowrap text-text-3 tnum">
        {isRunning
          ? s.format.duration(ms)
          : [resultWord(record, s), durationOrNothing(ms, shownDurationMs, s)]
              .filter(Boolean)
              .join(" \u00b7 ")}
      </span>
      <CornerLeftUp size={12} strokeWidth={2} className="shrink-0 text-text-3" aria-hidden />
    </button>
  );
}
