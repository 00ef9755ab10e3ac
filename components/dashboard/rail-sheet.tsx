"use client";
// The list of sessions on narrow windows: slides in from the left, Back and Escape close it.
import { Dialog } from "@base-ui/react/dialog";
import { Bot, X } from "lucide-react";
import { useStrings } from "#components/strings/strings.ts";
import { IconButton } from "#components/ui/icon-button.tsx";
import { useBackCloses } from "#components/ui/use-back-closes.ts";
import { useApp, useUi } from "./app-context.tsx";
import { NewTerminalButton } from "./new-terminal-button.tsx";
import { RailList } from "./rail.tsx";

export default function RailSheet() {
  const app = useApp();
  const s = useStrings();
  const isOpen = useUi((state) => state.isRailSheetOpen);
  const close = () => app.ui.setState({ isRailSheetOpen: false });
  useBackCloses(isOpen, close);
  return (
    <Dialog.Root open={isOpen} onOpenChange={(next) => (next ? undefined : close())}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-30 bg-scrim transition-opacity duration-180 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Popup className="sheet fixed inset-y-0 left-0 z-30 flex w-[min(320px,86vw)] flex-col border-line border-r bg-bg-1 outline-none">
          <div className="flex h-12 shrink-0 items-center justify-between pr-2 pl-4">
            <Dialog.Title className="text-title">{s.rail.label}</Dialog.Title>
            <IconButton label={s.common.close} onClick={close}>
              <X size={18} strokeWidth={1.75} />
            </IconButton>
          </div>
          <nav aria-label={s.rail.label} className="flex min-h-0 flex-1 flex-col">
            <RailList />
          </nav>
          <div className="flex items-center gap-1 border-line border-t p-2">
            <NewTerminalButton look="quiet" className="min-w-0 flex-1" isWide />
            <IconButton
              label={s.connect.title}
              tooltipSide="top"
              onClick={() => app.ui.setState({ isRailSheetOpen: false, isConnectOpen: true })}
            >
              <Bot size={18} strokeWidth={1.75} />
            </IconButton>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
