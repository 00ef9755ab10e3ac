// A button without a look. Disabled, it stays focusable, so that it can say why; it does nothing then.
import type { ComponentProps, MouseEvent } from "react";

const noHandlers = {
  onMouseDown: undefined,
  onPointerDown: undefined,
  onKeyDown: undefined,
  onKeyUp: undefined,
  // Also keeps a form from being sent: Enter in one of its fields clicks its button.
  onClick: (event: MouseEvent) => event.preventDefault(),
} as const;

export function PlainButton({ disabled, ...rest }: ComponentProps<"button">) {
  return (
    <button
      type="button"
      {...rest}
      {...(disabled ? noHandlers : {})}
      aria-disabled={disabled || undefined}
      data-disabled={disabled ? "" : undefined}
    />
  );
}
