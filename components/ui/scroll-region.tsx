// A part of a dialog that scrolls, also by keyboard: it takes the focus and has a name.
import type { ReactNode } from "react";
import { cx } from "./cx.ts";

export function ScrollRegion({
  label,
  className,
  children,
}: {
  label: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrows scroll it.
      tabIndex={0}
      className={cx(
        "focus-inset -mx-1 flex-1 overflow-y-auto overscroll-contain rounded-control px-1",
        className,
      )}
    >
      {children}
    </section>
  );
}
