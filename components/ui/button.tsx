// Text buttons. A button that cannot act stays focusable and says why in its tooltip; it is never hidden.
import type { ComponentProps } from "react";
import { cx } from "./cx.ts";
import { PlainButton } from "./plain-button.tsx";
import { Tooltip } from "./tooltip.tsx";

export type ButtonLook = "primary" | "secondary" | "quiet" | "danger" | "accent";
export type ButtonSize = "banner" | "normal" | "large";

const looks: Record<ButtonLook, string> = {
  primary:
    "bg-accent text-on-accent border-transparent hover:not-data-disabled:brightness-110 active:not-data-disabled:brightness-95",
  secondary:
    "bg-bg-1 text-text-1 border-line hover:not-data-disabled:bg-bg-2 hover:not-data-disabled:border-line-strong active:not-data-disabled:bg-bg-3 data-popup-open:bg-bg-3",
  quiet:
    "data-disabled:bg-transparent! data-disabled:border-transparent! bg-transparent text-text-2 border-transparent hover:not-data-disabled:bg-bg-2 hover:not-data-disabled:text-text-1 active:not-data-disabled:bg-bg-3 data-popup-open:bg-bg-3 data-popup-open:text-text-1",
  danger:
    "bg-danger-fill text-danger border-transparent hover:not-data-disabled:border-danger active:not-data-disabled:brightness-95",
  accent:
    "bg-transparent text-accent border-transparent hover:not-data-disabled:bg-accent-fill active:not-data-disabled:bg-bg-3",
};

const sizes: Record<ButtonSize, string> = {
  banner: "h-[26px] px-2.5 text-caption gap-1.5 pointer-coarse:h-11 pointer-coarse:px-4",
  normal: "h-[var(--control)] px-3 text-body gap-2",
  large: "h-9 px-4 text-body gap-2 pointer-coarse:h-11",
};

export interface ButtonProps extends Omit<ComponentProps<"button">, "className"> {
  look?: ButtonLook;
  size?: ButtonSize;
  className?: string;
  /** Why the button cannot act now. Present: it is disabled, and this is its tooltip. */
  reason?: string | undefined;
}

export function buttonClass(look: ButtonLook, size: ButtonSize, extra?: string): string {
  return cx(
    "inline-flex shrink-0 items-center justify-center rounded-control border font-strong nowrap",
    "transition-[background-color,border-color,color,filter] duration-120",
    "data-disabled:text-text-3 data-disabled:bg-bg-2 data-disabled:border-line data-disabled:cursor-not-allowed",
    looks[look],
    sizes[size],
    extra,
  );
}

export function Button({
  look = "secondary",
  size = "normal",
  className,
  reason,
  disabled,
  ...rest
}: ButtonProps) {
  const button = (
    <PlainButton
      {...rest}
      disabled={disabled || reason !== undefined}
      aria-description={reason}
      className={buttonClass(look, size, className)}
    />
  );
  return reason === undefined ? button : <Tooltip content={reason}>{button}</Tooltip>;
}
