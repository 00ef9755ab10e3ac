// The card beside a mark under the mouse. Tells what the list of commands tells too, so nothing is lost to who has no mouse.
import { useStrings } from "#components/strings/strings.ts";
import type { CommandRecord } from "#lib/protocol/journal.ts";
import { CommandFacts } from "./command-facts.tsx";
import { commandText } from "./result-mark.tsx";

export function CommandCard({
  record,
  left,
  top,
  bottom,
  isBelow,
}: {
  record: CommandRecord;
  left: number;
  /** Under the line, and over it: which one is used, `isBelow` says. */
  top: number;
  bottom: number;
  isBelow: boolean;
}) {
  const s = useStrings();
  return (
    <div
      role="tooltip"
      className="after-300 absolute z-20 flex w-[360px] max-w-[calc(100%-40px)] flex-col gap-2 rounded-card border border-line bg-bg-1 p-3 text-text-1 shadow-2"
      style={isBelow ? { left, top } : { left, top: bottom, transform: "translateY(-100%)" }}
    >
      <p className="line-clamp-3 whitespace-pre-wrap break-all font-mono text-caption">
        {record.command ?? commandText(record, s)}
      </p>
      <CommandFacts record={record} />
    </div>
  );
}
