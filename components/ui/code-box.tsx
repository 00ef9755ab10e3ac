"use client";
// Text to be copied and run elsewhere.
import { useStrings } from "#components/strings/strings.ts";
import { CopyIconButton } from "./copy-button.tsx";
import { cx } from "./cx.ts";

export function CodeBox({
  code,
  label,
  why,
}: {
  code: string;
  label: string;
  /** Why it is not to be copied yet: it is shown as a preview. */
  why?: string;
}) {
  const s = useStrings();
  return (
    <div className="flex min-w-0 items-start rounded-control border border-line bg-bg-0">
      <section
        // Long lines scroll; without a tab stop the keyboard could not reach their ends.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region has to be focusable.
        tabIndex={0}
        aria-label={label}
        className="focus-inset min-w-0 flex-1 overflow-x-auto rounded-control"
      >
        <pre
          className={cx(
            "w-max px-3 py-2.5 text-caption leading-[18px]",
            why === undefined ? "text-text-1" : "text-text-2",
          )}
        >
          <code>{code}</code>
        </pre>
      </section>
      <span className="p-1">
        <CopyIconButton text={code} label={s.common.copyOf(label)} reason={why} />
      </span>
    </div>
  );
}
