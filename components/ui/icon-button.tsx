// A square button with an icon; its label is its accessible name and its tooltip.
import type { ComponentProps } from "react";
import { cx } from "./cx.ts";
import { PlainButton } from "./plain-button.tsx";
import { Tooltip } from "./tooltip.tsx";

export interface IconButtonProps
  extends Omit<ComponentProps<"button">, "className" | "aria-label"> {
  label: string;
  /** Chord shown in the tooltip, e.g. "Alt+Shift+T". */
  keys?: string | undefined;
  /** Why it cannot act now; replaces the label in the tooltip. */
  reason?: string | undefined;
  size?: "small" | "normal";
  className?: string;
  tooltipSide?: "top" | "bottom" | "left" | "right";
}

export function IconButton({
  label,
  keys,
  reason,
  size = "normal",
  className,
  disabled,
  tooltipSide = "bottom",
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip content={reason ?? label} keys={reason ? undefined : keys} side={tooltipSide}>
      <PlainButton
        {...rest}
        aria-label={label}
        aria-description={reason}
        disabled={disabled || reason !== undefined}
        className={cx(
          "inline-flex shrink-0 items-center justify-center rounded-control text-text-2",
          "transition-colors duration-120",
          size === "small" ? "touch-target size-5 rounded-kbd" : "size-[var(--control-icon)]",
          "hover:not-data-disabled:bg-bg-3 hover:not-data-disabled:text-text-1",
          "data-popup-open:bg-bg-3 data-popup-open:text-text-1 aria-pressed:bg-bg-3 aria-pressed:text-text-1",
          "data-disabled:cursor-not-allowed data-disabled:text-text-3 data-disabled:opacity-60",
          className,
        )}
      />
    </Tooltip>
  );
}
