"use client";
// Starts a terminal: a plain press the default shell, the arrow beside it anything else there is. Visible in every state; where it cannot
// work it says why.
import { ChevronDown, Plus } from "lucide-react";
import { useStrings } from "#components/strings/strings.ts";
import { Button, type ButtonLook, type ButtonSize } from "#components/ui/button.tsx";
import { cx } from "#components/ui/cx.ts";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Menu } from "#components/ui/menu.tsx";
import { useApp, useMirror, useUi } from "./app-context.tsx";
import { ProfileItems } from "./lazy-parts.ts";
import { whyNoTerminal } from "./new-terminal.ts";

export const newTerminalKeys = "Alt+Shift+T";

export function useNewTerminalReason(): string | undefined {
  const s = useStrings();
  return useMirror((state) => whyNoTerminal(state, s));
}

export function NewTerminalButton({
  look = "secondary",
  size = "normal",
  label,
  className,
  isWide = false,
}: {
  look?: ButtonLook;
  size?: ButtonSize;
  label?: string;
  className?: string;
  /** Fills its place, with the words at the left. */
  isWide?: boolean;
}) {
  const app = useApp();
  const s = useStrings();
  const reason = useNewTerminalReason();
  const isCreating = useUi((state) => state.isCreating);
  return (
    <span className={cx("inline-flex gap-px", className)}>
      <Button
        look={look}
        size={size}
        reason={reason}
        disabled={isCreating}
        className={cx("rounded-r-none", isWide && "min-w-0 flex-1 justify-start px-2.5")}
        onClick={() => void app.actions.newTerminal()}
      >
        <Plus size={16} strokeWidth={1.75} aria-hidden />
        {label ?? s.rail.newTerminal}
      </Button>
      <Menu
        trigger={
          <Button
            look={look}
            size={size}
            reason={reason}
            disabled={isCreating}
            aria-label={s.profiles.menu}
            className="rounded-l-none px-1.5 pointer-coarse:w-11 pointer-coarse:px-0"
          >
            <ChevronDown size={14} strokeWidth={1.75} aria-hidden />
          </Button>
        }
      >
        <ProfileItems />
      </Menu>
    </span>
  );
}

export function NewTerminalIcon({
  side = "bottom",
  withMenu = false,
}: {
  side?: "bottom" | "right";
  withMenu?: boolean;
}) {
  const app = useApp();
  const s = useStrings();
  const reason = useNewTerminalReason();
  const button = (
    <IconButton
      label={s.rail.newTerminal}
      keys={newTerminalKeys}
      reason={reason}
      tooltipSide={side}
      onClick={() => void app.actions.newTerminal()}
    >
      <Plus size={16} strokeWidth={1.75} />
    </IconButton>
  );
  if (!withMenu) return button;
  return (
    <span className="inline-flex items-center">
      {button}
      <Menu
        align="start"
        trigger={
          <IconButton label={s.profiles.menu} reason={reason} className="w-5 pointer-coarse:w-8">
            <ChevronDown size={12} strokeWidth={2} />
          </IconButton>
        }
      >
        <ProfileItems />
      </Menu>
    </span>
  );
}
