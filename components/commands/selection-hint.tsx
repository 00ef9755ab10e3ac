// What the keys do while a command is selected.
import { useStrings } from "#components/strings/strings.ts";
import { cx } from "#components/ui/cx.ts";
import { Kbd } from "#components/ui/kbd.tsx";

export function SelectionHint({ isHigh }: { isHigh: boolean }) {
  const s = useStrings();
  const { copy, rerun, leave } = s.commands.hint;
  return (
    <p
      role="status"
      className={cx(
        "rise -translate-x-1/2 absolute left-1/2 z-[6] flex h-7 items-center gap-3 rounded-full border border-line bg-bg-2 px-3 text-caption text-text-2 nowrap shadow-2 pointer-coarse:hidden",
        // Over the way back to the end.
        isHigh ? "bottom-12" : "bottom-3",
      )}
    >
      {(
        [
          ["C", copy],
          ["R", rerun],
          ["Esc", leave],
        ] as const
      ).map(([key, what]) => (
        <span key={key} className="inline-flex items-center gap-1.5">
          <Kbd keys={key} />
          <span className="sr-only">{key} </span>
          {what}
        </span>
      ))}
    </p>
  );
}
