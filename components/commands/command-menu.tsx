// The menu of a mark. The popup is loaded with the first one.
import { Suspense } from "react";
import { part } from "#components/ui/part.ts";
import type { CommandRecord } from "#lib/protocol/journal.ts";
import type { SessionTerminal } from "#lib/xterm/terminal-status.ts";

const MenuPopup = part(() => import("#components/ui/menu-popup.tsx"));
const CommandMenuItems = part(() => import("./command-menu-items.tsx"));

export interface OpenMark {
  readonly index: number;
  readonly anchor: HTMLElement;
}

export function CommandMenu({
  id,
  terminal,
  record,
  open,
  onClose,
}: {
  id: string;
  terminal: SessionTerminal;
  record: CommandRecord | undefined;
  open: OpenMark;
  onClose: () => void;
}) {
  // The mark may scroll away meanwhile; the menu stays where it was opened.
  const box = open.anchor.getBoundingClientRect();
  return (
    <Suspense fallback={null}>
      <MenuPopup
        isOpen
        onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
        anchor={{ getBoundingClientRect: () => box }}
        side="right"
        align="start"
      >
        {record ? <CommandMenuItems id={id} record={record} terminal={terminal} /> : null}
      </MenuPopup>
    </Suspense>
  );
}
