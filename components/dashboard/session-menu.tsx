"use client";
// What can be done to a session, as menu items: for the context menu and the "more" button alike.
import {
  CircleHelp,
  Copy,
  ExternalLink,
  EyeOff,
  History,
  Pencil,
  Pin,
  RotateCw,
  ScanEye,
  SquareTerminal,
  SquareX,
} from "lucide-react";
import { useStrings } from "#components/strings/strings.ts";
import { useCopy } from "#components/ui/copy-button.tsx";
import { MenuItem, MenuSeparator } from "#components/ui/menu-items.tsx";
import { may } from "#lib/protocol/roles.ts";
import type { SessionInfo } from "#lib/protocol/session.ts";
import { useApp, useMirror, useWorkspace } from "./app-context.tsx";
import type { RenamePlace } from "./ui-state.ts";

const icon = { size: 16, strokeWidth: 1.75 } as const;

export default function SessionMenuItems({
  session,
  place,
  anchor,
  isPhone = false,
}: {
  session: SessionInfo;
  place: RenamePlace;
  /** Beside what a question about ending is shown. */
  anchor: () => Element | null;
  /** The line above the terminal has room for one button there: Hold is here. */
  isPhone?: boolean;
}) {
  const app = useApp();
  const s = useStrings();
  const { copy } = useCopy();
  const isTab = useWorkspace((state) => state.tabs.includes(session.id));
  const mayWatch = useMirror((state) => may(state.me?.actor.role ?? "owner", "audit.read"));
  const { actions } = app;
  // The menu gives focus back when it closes; what takes focus itself waits for that.
  const afterClose = (run: () => void) => setTimeout(run, 50);
  return (
    <>
      <MenuItem
        icon={<SquareTerminal {...icon} />}
        onSelect={() => afterClose(() => actions.open(session.id))}
      >
        {s.session.open}
      </MenuItem>
      <MenuItem icon={<ExternalLink {...icon} />} onSelect={() => actions.openInWindow(session.id)}>
        {s.session.openInWindow}
      </MenuItem>
      <MenuItem
        icon={<Pencil {...icon} />}
        keys="F2"
        onSelect={() => afterClose(() => app.ui.setState({ renaming: { id: session.id, place } }))}
      >
        {s.session.rename}
      </MenuItem>
      {mayWatch ? (
        <>
          <MenuItem
            icon={<ScanEye {...icon} />}
            keys="Alt+Shift+E"
            onSelect={() =>
              afterClose(() => {
                actions.open(session.id);
                app.ui.setState({ agentView: session.id });
              })
            }
          >
            {s.keyboard.view.open}
          </MenuItem>
          <MenuItem
            icon={<History {...icon} />}
            onSelect={() => afterClose(() => app.ui.setState({ writesOf: session.id }))}
          >
            {s.keyboard.history.open}
          </MenuItem>
        </>
      ) : null}
      {isPhone && !session.exited ? (
        <MenuItem icon={<Pin {...icon} />} onSelect={() => app.keyboard.run("hold", session.id)}>
          {s.keyboard.hints.hold}
        </MenuItem>
      ) : null}
      <MenuItem icon={<Copy {...icon} />} onSelect={() => copy(session.id)}>
        {s.session.copyId}
      </MenuItem>
      <MenuItem
        icon={<CircleHelp {...icon} />}
        onSelect={() => afterClose(() => app.ui.setState({ explaining: session.id }))}
      >
        {s.explain.menu}
      </MenuItem>
      <MenuSeparator />
      {isTab ? (
        <MenuItem icon={<EyeOff {...icon} />} onSelect={() => actions.hide(session.id)}>
          {s.session.hide}
        </MenuItem>
      ) : null}
      {session.exited ? (
        <MenuItem icon={<RotateCw {...icon} />} onSelect={() => void actions.restart(session.id)}>
          {s.session.restart}
        </MenuItem>
      ) : null}
      <MenuItem
        danger
        icon={<SquareX {...icon} />}
        onSelect={() => afterClose(() => actions.requestEnd(session.id, anchor()))}
      >
        {s.session.end}
      </MenuItem>
    </>
  );
}
