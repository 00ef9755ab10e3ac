"use client";
// What can be done with a command, as menu items: from its mark and from the lists.
import { ClipboardCopy, Copy, CornerDownLeft, List, TextCursorInput } from "lucide-react";
import { useApp, useSession } from "#components/dashboard/app-context.tsx";
import { useStrings } from "#components/strings/strings.ts";
import { MenuGroup, MenuItem, MenuLabel, MenuNote } from "#components/ui/menu-items.tsx";
import type { CommandRecord } from "#lib/protocol/journal.ts";
import { may } from "#lib/protocol/roles.ts";
import type { SessionTerminal } from "#lib/xterm/terminal-status.ts";
import { whyNoRerun } from "./command-actions.ts";
import { commandText } from "./result-mark.tsx";

const icon = { size: 16, strokeWidth: 1.75 } as const;

export default function CommandMenuItems({
  id,
  record,
  terminal,
}: {
  id: string;
  record: CommandRecord;
  /** The terminal it is in, when that is on screen. */
  terminal: SessionTerminal | null;
}) {
  const app = useApp();
  const s = useStrings();
  const session = useSession(id);
  const { commandActions } = app;
  const role = app.mirror.getState().me?.actor.role ?? "owner";
  const isReader = terminal?.getSnapshot().isReadOnly ?? !may(role, "input.write");
  const why = whyNoRerun(session, isReader, s);
  const isUnknown = record.command === null;
  return (
    <MenuGroup>
      <MenuLabel>
        <span className="line-clamp-1 break-all font-mono">{commandText(record, s)}</span>
      </MenuLabel>
      <MenuItem
        icon={<Copy {...icon} />}
        disabled={isUnknown}
        onSelect={() => commandActions.copyCommand(record)}
      >
        {s.commands.copyCommand}
      </MenuItem>
      <MenuItem
        icon={<ClipboardCopy {...icon} />}
        onSelect={() => void commandActions.copyOutput(id, record.index)}
      >
        {s.commands.copyOutput}
      </MenuItem>
      {terminal ? (
        <MenuItem
          icon={<TextCursorInput {...icon} />}
          disabled={isUnknown || why !== undefined}
          // When the menu is gone and has given the focus back.
          onSelect={() => setTimeout(() => commandActions.rerun(id, record), 50)}
        >
          {s.commands.rerun}
        </MenuItem>
      ) : null}
      <MenuItem
        icon={<CornerDownLeft {...icon} />}
        onSelect={() => setTimeout(() => commandActions.jump(id, record.index), 50)}
      >
        {s.commands.jump}
      </MenuItem>
      {terminal ? (
        <MenuItem icon={<List {...icon} />} onSelect={() => app.ui.setState({ journalOf: id })}>
          {s.commands.showInJournal}
        </MenuItem>
      ) : null}
      {terminal && why !== undefined && !isUnknown ? <MenuNote>{why}</MenuNote> : null}
    </MenuGroup>
  );
}
