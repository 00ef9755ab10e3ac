// Notices as they look; looked after by sonner, dressed in globals.css. Loaded by toast.tsx.
import { useEffect } from "react";
import { Toaster as Base, toast } from "sonner";
import { useStrings } from "#components/strings/strings.ts";
import type { Notice, NoticeBoard } from "./toast.tsx";

const board: NoticeBoard = {
  show(notice: Notice) {
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
  },
  dismiss: (id) => void toast.dismiss(id),
};

export default function Notices({ onReady }: { onReady: (board: NoticeBoard) => void }) {
  const s = useStrings();
  // After the one inside: it shows only what comes once it listens.
  useEffect(() => onReady(board), [onReady]);
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
