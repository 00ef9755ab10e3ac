// At the right end of a command's line: how long it took, and the exit code when that is no good news. Only where the line leaves room.
import { useStrings } from "#components/strings/strings.ts";
import { cx } from "#components/ui/cx.ts";
import type { CommandRecord } from "#lib/protocol/journal.ts";
import { resultOf, shownDurationMs } from "#lib/store/command-view.ts";
import type { CommandLayout, CommandMark } from "#lib/xterm/command-layout.ts";
import { resultWord } from "./result-mark.tsx";

export function CommandBadge({
  record,
  mark,
  layout,
  top,
}: {
  record: CommandRecord;
  mark: CommandMark;
  layout: CommandLayout;
  top: number;
}) {
  const s = useStrings();
  if (record.ended_at === null) return null;
  const isFailed = resultOf(record) === "failed";
  const text = [
    ...(isFailed ? [resultWord(record, s)] : []),
    ...(record.duration_ms >= shownDurationMs ? [s.format.duration(record.duration_ms)] : []),
  ].join(" \u00b7 ");
  if (text === "" || mark.room < cellsOf(text) + 3) return null;
  const { grid, cols } = layout;
  return (
    <span
      data-badge={record.index}
      className={cx(
        "absolute flex items-center justify-end font-mono text-[11px] nowrap tnum",
        isFailed ? "text-danger" : "text-text-3",
      )}
      style={{
        left: grid.left,
        width: cols * grid.cellWidth - 10,
        top,
        height: grid.cellHeight,
      }}
    >
      {text}
    </span>
  );
}

/** A Chinese character is as wide as two others. */
function cellsOf(text: string): number {
  return text.replace(/\p{Script=Han}/gu, "xx").length;
}
