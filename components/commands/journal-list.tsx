"use client";
// A searchable list of commands, newest first: of one session or of all. Arrows move, Enter goes to the command, the menu has the rest.
import { Search } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from "react";
import { useNow } from "#components/dashboard/use-now.ts";
import { useStrings } from "#components/strings/strings.ts";
import { Button } from "#components/ui/button.tsx";
import { TextField } from "#components/ui/text-field.tsx";
import {
  type CommandFilter,
  commandFilters,
  type FiledCommand,
  filterCommands,
  isShown,
  newestFirst,
} from "#lib/store/command-view.ts";
import { JournalRow } from "./journal-row.tsx";

/** A page of rows; more are asked for. */
const pageRows = 200;

export function JournalList({
  commands,
  withSession,
  isSearchFocused,
  empty,
}: {
  commands: readonly FiledCommand[];
  /** Each row names its session. */
  withSession: boolean;
  isSearchFocused?: boolean;
  /** Shown when there is nothing to search in. */
  empty: ReactNode;
}) {
  const s = useStrings();
  const [text, setText] = useState("");
  const [filters, setFilters] = useState<ReadonlySet<CommandFilter>>(new Set());
  const [limit, setLimit] = useState(pageRows);
  const list = useRef<HTMLUListElement>(null);
  const hasRunning = commands.some(({ record }) => record.ended_at === null);
  const now = useNow(hasRunning ? 1_000 : 30_000);
  const ordered = useMemo(() => newestFirst(commands), [commands]);
  const all = ordered.filter(({ record }) => isShown(record)).length;
  const found = filterCommands(ordered, text, filters, now);
  const toggle = (filter: CommandFilter) =>
    setFilters((before) => {
      const after = new Set(before);
      if (!after.delete(filter)) after.add(filter);
      return after;
    });

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1, Home: "first", End: "last" }[event.key];
    if (step === undefined || !list.current) return;
    const rows = [...list.current.querySelectorAll<HTMLElement>("[data-row]")];
    const at = rows.indexOf(document.activeElement as HTMLElement);
    if (at < 0 && step !== 1) return;
    event.preventDefault();
    const to = step === "first" ? 0 : step === "last" ? rows.length - 1 : at + (step as number);
    rows[Math.min(rows.length - 1, Math.max(0, to))]?.focus();
  }

  if (all === 0) return empty;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows between the rows, which are buttons.
    <div className="flex min-h-0 flex-1 flex-col" onKeyDown={onKeyDown}>
      <div className="flex shrink-0 flex-col gap-2 border-line border-b p-2">
        <div className="flex items-center gap-2">
          <TextField
            compact
            className="flex-1"
            type="search"
            autoFocus={isSearchFocused ?? false}
            aria-label={s.commands.search}
            placeholder={s.commands.search}
            icon={<Search size={14} strokeWidth={1.75} aria-hidden />}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <output className="text-caption text-text-3 nowrap tnum">
            {s.commands.count(found.length, all)}
          </output>
        </div>
        <fieldset className="flex flex-wrap items-center gap-1">
          <legend className="sr-only">{s.commands.filters}</legend>
          {commandFilters.map((filter) => (
            <button
              key={filter}
              type="button"
              aria-pressed={filters.has(filter)}
              onClick={() => toggle(filter)}
              className="h-6 rounded-full border border-line px-2.5 text-caption text-text-2 nowrap transition-colors duration-120 hover:border-line-strong hover:text-text-1 aria-pressed:border-accent aria-pressed:bg-accent-fill aria-pressed:text-text-1 pointer-coarse:h-11 pointer-coarse:px-4"
            >
              {s.commands.filter[filter]}
            </button>
          ))}
        </fieldset>
      </div>
      {found.length === 0 ? (
        <p className="flex items-center gap-3 p-3 text-caption text-text-2">
          {s.commands.noMatch}
          <Button
            size="banner"
            onClick={() => {
              setText("");
              setFilters(new Set());
            }}
          >
            {s.rail.clear}
          </Button>
        </p>
      ) : (
        <ul
          ref={list}
          aria-label={s.commands.list}
          className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-1"
        >
          {found.slice(0, limit).map((command, at) => (
            <JournalRow
              key={`${command.session} ${command.record.index}`}
              command={command}
              withSession={withSession}
              isFirst={at === 0}
              now={now}
            />
          ))}
          {found.length > limit ? (
            <li className="p-2">
              <Button size="banner" onClick={() => setLimit(limit + pageRows)}>
                {s.commands.more200}
              </Button>
            </li>
          ) : null}
        </ul>
      )}
    </div>
  );
}
