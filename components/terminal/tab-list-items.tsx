"use client";
// All open tabs as menu items, for when they do not fit side by side.
import { useSession } from "#components/dashboard/app-context.tsx";
import { useSessionState } from "#components/dashboard/session-card.tsx";
import { StatusDot } from "#components/dashboard/status-label.tsx";
import { MenuItem } from "#components/ui/menu-items.tsx";
import type { SessionInfo } from "#lib/protocol/session.ts";

export default function TabListItems({
  tabs,
  active,
  onOpen,
}: {
  tabs: readonly string[];
  active: string | null;
  onOpen: (id: string) => void;
}) {
  return tabs.map((id) => (
    <TabItem key={id} id={id} isActive={id === active} onOpen={() => onOpen(id)} />
  ));
}

function TabItem(props: { id: string; isActive: boolean; onOpen: () => void }) {
  const session = useSession(props.id);
  return session ? (
    <MenuItem icon={<Dot session={session} />} onSelect={props.onOpen}>
      <span className={props.isActive ? "font-strong" : ""}>{session.name}</span>
    </MenuItem>
  ) : null;
}

function Dot({ session }: { session: SessionInfo }) {
  return <StatusDot status={useSessionState(session).status} />;
}
