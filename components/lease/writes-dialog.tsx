"use client";
// Every write of agents in a session, newest first: when, exactly what, for which request, and what the agent said about it.
import { Bot, User } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useApp, useSession, useUi } from "#components/dashboard/app-context.tsx";
import { useStrings } from "#components/strings/strings.ts";
import { Button } from "#components/ui/button.tsx";
import { cx } from "#components/ui/cx.ts";
import { Dialog } from "#components/ui/dialog.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { limits } from "#lib/protocol/limits.ts";
import type { WriteEntry, WritesReply } from "#lib/protocol/writes.ts";
import { TypedText } from "./typed-text.tsx";

export default function WritesDialog() {
  const app = useApp();
  const s = useStrings();
  const words = s.keyboard.history;
  const open = useUi((state) => state.writesOf);
  const last = useRef(open ?? "");
  if (open !== null) last.current = open;
  const id = last.current;
  const name = useSession(id)?.name ?? "";
  const [reply, setReply] = useState<WritesReply | "failed" | null>(null);
  const [withPeople, setWithPeople] = useState(false);
  const close = () => app.ui.setState({ writesOf: null });

  useEffect(() => {
    if (open === null) return;
    setReply(null);
    let isCurrent = true;
    app.api.listWrites({ params: { id: open }, query: { limit: limits.writes.kept } }).then(
      (found) => isCurrent && setReply(found),
      () => isCurrent && setReply("failed"),
    );
    return () => {
      isCurrent = false;
    };
  }, [app, open]);

  const entries =
    reply === null || reply === "failed"
      ? []
      : reply.writes.filter(({ actor }) => withPeople || actor.kind === "agent").reverse();
  return (
    <Dialog
      open={open !== null}
      onClose={close}
      wide
      title={words.title}
      description={name}
      actions={
        <>
          <label className="mr-auto flex items-center gap-2 text-caption text-text-2">
            <input
              type="checkbox"
              checked={withPeople}
              onChange={(event) => setWithPeople(event.target.checked)}
              className="size-4 accent-accent"
            />
            {words.people}
          </label>
          <Button onClick={close}>{s.common.close}</Button>
        </>
      }
    >
      <ScrollRegion label={words.title} className="min-h-24">
        {reply === null ? <p className="text-text-3">{s.common.loading}</p> : null}
        {reply === "failed" ? <p className="text-danger">{words.failed}</p> : null}
        {reply !== null && reply !== "failed" && entries.length === 0 ? (
          <p className="text-text-2">{words.none}</p>
        ) : null}
        <ol className="flex flex-col divide-y divide-line">
          {entries.map((entry) => (
            <Entry key={entry.n} entry={entry} />
          ))}
        </ol>
        {reply !== null && reply !== "failed" && reply.oldest_n > 0 ? (
          <p className="pt-2 text-caption text-text-3">{words.lost(reply.oldest_n)}</p>
        ) : null}
      </ScrollRegion>
    </Dialog>
  );
}

function Entry({ entry }: { entry: WriteEntry }) {
  const s = useStrings();
  const words = s.keyboard.history;
  const isAgent = entry.actor.kind === "agent";
  const Icon = isAgent ? Bot : User;
  return (
    <li className="flex flex-col gap-1 py-2">
      <span className="flex items-center gap-2 text-caption text-text-3 tnum">
        <Icon
          size={14}
          strokeWidth={2}
          aria-hidden
          className={cx("shrink-0", isAgent ? "text-acting" : "text-human")}
        />
        <span className="truncate font-strong text-text-2">{entry.actor.name}</span>
        <time dateTime={entry.at}>{s.format.time(new Date(entry.at))}</time>
        <span className="ml-auto truncate font-mono">
          {entry.request === null ? "" : words.request(entry.request)}
        </span>
      </span>
      {entry.note ? <span className="text-body text-text-1">{entry.note}</span> : null}
      <code
        className={cx(
          "whitespace-pre-wrap break-all font-mono text-caption",
          entry.text === null ? "text-text-3" : "text-text-1",
        )}
      >
        {entry.text !== null ? (
          <TypedText text={entry.text} />
        ) : entry.bytes === null ? (
          words.hidden
        ) : (
          words.bytes(entry.bytes)
        )}
      </code>
    </li>
  );
}
