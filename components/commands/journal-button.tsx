// Opens and closes the list of commands beside a terminal.
import { List } from "lucide-react";
import { useApp, useUi } from "#components/dashboard/app-context.tsx";
import { useStrings } from "#components/strings/strings.ts";
import { IconButton } from "#components/ui/icon-button.tsx";

export function JournalButton({ id, isTouch = false }: { id: string | null; isTouch?: boolean }) {
  const app = useApp();
  const s = useStrings();
  const isOpen = useUi((state) => id !== null && state.journalOf === id);
  return (
    <IconButton
      label={isOpen ? s.commands.closeJournal : s.commands.openJournal}
      keys="Alt+Shift+J"
      aria-pressed={isOpen}
      disabled={id === null}
      className={isTouch ? "size-11!" : ""}
      onClick={() => app.ui.setState({ journalOf: isOpen ? null : id })}
    >
      <List size={isTouch ? 20 : 16} strokeWidth={1.75} />
    </IconButton>
  );
}
