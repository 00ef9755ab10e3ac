// A single-line text input with an optional icon in front.
import type { ComponentProps, ReactNode } from "react";
import { cx } from "./cx.ts";

export function TextField({
  icon,
  className,
  compact,
  ...rest
}: ComponentProps<"input"> & { icon?: ReactNode; compact?: boolean }) {
  return (
    <span className={cx("relative flex min-w-0 items-center", className)}>
      {icon ? (
        <span className="pointer-events-none absolute left-2 text-text-3">{icon}</span>
      ) : null}
      <input
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        {...rest}
        className={cx(
          "w-full min-w-0 rounded-control border border-line-strong bg-bg-0 text-text-1 focus-inset",
          compact ? "h-7 text-caption pointer-coarse:h-11" : "h-[var(--control)] text-body",
          // iOS zooms into inputs smaller than 16 px.
          "pointer-coarse:text-[16px]",
          icon ? "pr-2 pl-7" : "px-2",
        )}
      />
    </span>
  );
}
