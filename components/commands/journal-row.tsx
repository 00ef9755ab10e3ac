"use client";
// One command in a list: how it went, its line, how long; below that when, who, where.
import { Bot, Ellipsis } from "lucide-react";
import { useApp, useMirror } from "#components/dashboard/app-context.tsx";
import { shortPath } from "#components/dashboard/session-status.ts";
import { useStrings } from "#components/strings/strings.ts";
import { IconButton } from "#components/ui/icon-button.tsx";
import { ContextMenu, Menu } from "#components/ui/menu.tsx";
import {
  durationOf,
  type FiledCommand,
  resultOf,
  shownDurationMs,
} from "#lib/store/command-view.ts";
import { CommandMenuItems } from "./lazy-commands.ts";
import {
  commandText,
  durationOrNothing,
  ResultMark,
  resultWord,
  typistText,
} from "./result-mark.tsx";

export function JournalRow({
  command: { session, sessionName, record },
  withSession,
  isFirst,
  now,
}: {
  command: FiledCommand;
  withSession: boolean;
  /** The one tab stop of the list. */
  isFirst: boolean;
  now: number;
}) {
  const app = useApp();
  const s = useStrings();
  const me = useMirror((state) => state.me?.actor.name);
  const text = commandText(record, s);
  const result = resultOf(record);
  const ms = durationOf(record, now);
  const lasted =
    result === "running" ? s.format.duration(ms) : durationOrNothing(ms, shownDurationMs, s);
  const items = (
    <CommandMenuItems id={session} record={record} terminal={app.terminals.terminal(session)} />
  );
  const details = [
    ...(withSession ? [sessionName] : []),
    s.format.moment(new Date(record.started_at), now),
    shortPath(record.cwd, 28),
    "",
  ];
  return (
    <ContextMenu items={items} target={<li className="group relative rounded-control" />}>
      <button
        type="button"
        data-row={record.index}
        tabIndex={isFirst ? 0 : -1}
        onClick={() => app.commandActions.jump(session, record.index)}
        className="focus-inset flex w-full min-w-0 flex-col gap-0.5 rounded-control py-1.5 pr-9 pl-2 text-left group-hover:bg-bg-2 group-has-data-popup-open:bg-bg-2 pointer-coarse:min-h-14 pointer-coarse:justify-center pointer-coarse:pr-12"
      >
        <span className="flex min-w-0 items-center gap-2">
          <ResultMark result={result} />
          <span className="sr-only">{resultWord(record, s)} </span>
          <span className="min-w-0 flex-1 truncate font-mono text-caption text-text-1">{text}</span>
          <span className="text-caption nowrap tnum" aria-hidden={lasted === "" || undefined}>
            {result === "failed" ? (
              <span className="text-danger" aria-hidden>
                {resultWord(record, s)}
              </span>
            ) : null}
            {lasted === "" ? null : (
              <span className="text-text-3">
                {result === "failed" ? " \u00b7 " : ""}
                {lasted}
              </span>
            )}
          </span>
        </span>
        <span className="truncate pl-5 text-[11px] text-text-3 leading-4 tnum" title={record.cwd}>
          {details.join(" \u00b7 ")}
          {record.by_agent ? (
            <Bot
              size={11}
              className="mx-1 inline-block align-[-1.5px]"
              strokeWidth={2}
              aria-hidden
            />
          ) : (
            " "
          )}
          {typistText(record.by, me, s)}
        </span>
      </button>
      <span className="-translate-y-1/2 absolute top-1/2 right-1 pointer-fine:opacity-0 pointer-fine:focus-within:opacity-100 pointer-fine:group-focus-within:opacity-100 pointer-fine:group-hover:opacity-100 pointer-fine:group-has-data-popup-open:opacity-100">
        <Menu
          trigger={
            <IconButton label={s.commands.more(text)} tabIndex={isFirst ? 0 : -1}>
              <Ellipsis size={16} strokeWidth={1.75} />
            </IconButton>
          }
        >
          {items}
        </Menu>
      </span>
    </ContextMenu>
  );
}
