"use client";
// Short notices at the bottom right; looked after by sonner, dressed in globals.css.
import { Toaster as Base, toast } from "sonner";
import { useStrings } from "#components/strings/strings.ts";

export function Toaster() {
  const s = useStrings();
  return (
    <Base
      containerAriaLabel={s.common.notices}
      position="bottom-right"
      gap={8}
      visibleToasts={4}
      offset={{ bottom: 38, right: 12 }}
      mobileOffset={{ bottom: 56, left: 12, right: 12 }}
    />
  );
}

export interface Notice {
  id?: string;
  text: string;
  detail?: string;
  action?: { label: string; run: () => void };
  second?: { label: string; run: () => void };
  durationMs?: number;
  /** Called when it went away by time or by hand, not through its action. */
  onGone?: () => void;
}

/** Shows a notice; one with the same id replaces its predecessor. */
export function notify(notice: Notice): void {
  toast(notice.text, {
    ...(notice.id === undefined ? {} : { id: notice.id }),
    ...(notice.detail === undefined ? {} : { description: notice.detail }),
    duration: notice.durationMs ?? 4000,
    ...(notice.action
      ? { action: { label: notice.action.label, onClick: notice.action.run } }
      : {}),
    ...(notice.second
      ? { cancel: { label: notice.second.label, onClick: notice.second.run } }
      : {}),
    onAutoClose: () => notice.onGone?.(),
    onDismiss: () => notice.onGone?.(),
  });
}

export function dismissNotice(id: string): void {
  toast.dismiss(id);
}
