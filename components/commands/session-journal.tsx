"use client";
// The commands of one terminal: beside it where there is room, over it where there is not, as a sheet from below on a phone.
import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { useApp, useSession } from "#components/dashboard/app-context.tsx";
import { useLayout } from "#components/dashboard/use-media.ts";
import { useStrings } from "#components/strings/strings.ts";
import { IconButton } from "#components/ui/icon-button.tsx";
import { useBackCloses } from "#components/ui/use-back-closes.ts";
import { EmptyJournal } from "./empty-journal.tsx";
import { JournalList } from "./journal-list.tsx";
import { useCommands } from "./use-commands.ts";

export default function SessionJournal({ id }: { id: string }) {
  const app = useApp();
  const isPhone = useLayout() === "phone";
  const close = () => {
    app.ui.setState({ journalOf: null });
    app.focusTerminal(id);
  };
  return isPhone ? <Sheet id={id} onClose={close} /> : <Panel id={id} onClose={close} />;
}

function Panel({ id, onClose }: { id: string; onClose: () => void }) {
  const s = useStrings();
  const name = useSession(id)?.name ?? "";
  return (
    <aside
      data-journal={id}
      aria-label={s.commands.journalOf(name)}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.stopPropagation();
        onClose();
      }}
      className="@max-[760px]:absolute @max-[760px]:inset-y-0 @max-[760px]:right-0 z-20 flex w-[340px] min-w-0 max-w-full shrink-0 flex-col border-line border-l bg-bg-1 @max-[760px]:shadow-2"
    >
      <Head
        onClose={onClose}
        title={<h2 className="font-strong text-body">{s.commands.journal}</h2>}
      />
      <Body id={id} isSearchFocused />
    </aside>
  );
}

function Sheet({ id, onClose }: { id: string; onClose: () => void }) {
  const s = useStrings();
  const name = useSession(id)?.name ?? "";
  useBackCloses(true, onClose);
  return (
    <Dialog.Root open onOpenChange={(next) => (next ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-30 bg-scrim" />
        <Dialog.Popup
          data-journal={id}
          className="rise fixed inset-x-0 bottom-0 z-30 flex h-[78dvh] flex-col rounded-t-dialog border-line border-t bg-bg-1 pb-[env(safe-area-inset-bottom)] outline-none"
        >
          <Head
            onClose={onClose}
            title={
              <Dialog.Title className="min-w-0 truncate text-title">
                {s.commands.journalOf(name)}
              </Dialog.Title>
            }
          />
          <Body id={id} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Head({ title, onClose }: { title: ReactNode; onClose: () => void }) {
  const s = useStrings();
  return (
    <div className="flex h-9 shrink-0 items-center justify-between gap-2 border-line border-b pr-1 pl-3 pointer-coarse:h-13">
      {title}
      <IconButton label={s.commands.closeJournal} keys="Esc" onClick={onClose}>
        <X size={16} strokeWidth={1.75} />
      </IconButton>
    </div>
  );
}

function Body({ id, isSearchFocused = false }: { id: string; isSearchFocused?: boolean }) {
  const commands = useCommands(id);
  const name = useSession(id)?.name ?? "";
  const integration = useSession(id)?.integration ?? commands.integration;
  const filed = useMemo(
    () => commands.records.map((record) => ({ session: id, sessionName: name, record })),
    [commands.records, id, name],
  );
  return (
    <JournalList
      commands={filed}
      withSession={false}
      isSearchFocused={isSearchFocused}
      empty={commands.isLoaded ? <EmptyJournal integration={integration} /> : null}
    />
  );
}
