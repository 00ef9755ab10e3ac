"use client";
// The commands of all sessions in one list, for the overview.
import { useEffect, useMemo } from "react";
import { useStore } from "zustand";
import { useApp, useSessions } from "#components/dashboard/app-context.tsx";
import { useStrings } from "#components/strings/strings.ts";
import { EmptyJournal } from "./empty-journal.tsx";
import { JournalList } from "./journal-list.tsx";

export default function AllJournal() {
  const { book, follower } = useApp();
  const s = useStrings();
  const sessions = useSessions();
  const known = useStore(book, (state) => state.sessions);
  const ids = sessions.map(({ id }) => id).join(" ");
  useEffect(() => {
    const following = ids
      .split(" ")
      .filter(Boolean)
      .map((id) => follower.follow(id));
    return () => {
      for (const one of following) one.dispose();
    };
  }, [follower, ids]);
  const filed = useMemo(
    () =>
      sessions.flatMap(({ id, name }) =>
        (known[id]?.records ?? []).map((record) => ({ session: id, sessionName: name, record })),
      ),
    [sessions, known],
  );
  const isLoaded = sessions.every(({ id }) => known[id]?.isLoaded);
  const hasAny = sessions.some(
    ({ integration }) => integration === "osc133" || integration === "osc633",
  );
  return (
    <section
      aria-label={s.commands.journalAll}
      className="flex min-h-0 flex-1 flex-col overflow-hidden rounded-tile border border-line bg-bg-1"
    >
      <JournalList
        commands={filed}
        withSession
        empty={isLoaded ? <EmptyJournal integration={hasAny ? "osc633" : "none"} /> : null}
      />
    </section>
  );
}
