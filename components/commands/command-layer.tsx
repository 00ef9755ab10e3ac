"use client";
// What is drawn around a terminal's grid about its commands: marks in the gutter, badges at the line's end, the header over a long output,
// ticks at the right. Sits over the terminal and takes the pointer only where it shows something.
import { useState } from "react";
import { useApp, useSession } from "#components/dashboard/app-context.tsx";
import { useStrings } from "#components/strings/strings.ts";
import { cx } from "#components/ui/cx.ts";
import { isShown, resultOf } from "#lib/store/command-view.ts";
import type { CommandLayout } from "#lib/xterm/command-layout.ts";
import type { SessionTerminal } from "#lib/xterm/terminal-status.ts";
import { CommandBadge } from "./command-badge.tsx";
import { CommandCard } from "./command-card.tsx";
import { CommandMenu, type OpenMark } from "./command-menu.tsx";
import { commandText, ResultMark, resultWord } from "./result-mark.tsx";
import { SelectionHint } from "./selection-hint.tsx";
import { StickyCommand } from "./sticky-command.tsx";
import { useCommandLayout, useCommands, useRecordsByIndex } from "./use-commands.ts";

/** The gutter, and what stands between it and the grid. */
const gutter = { width: 14, gap: 1 } as const;

export default function CommandLayer({ id, terminal }: { id: string; terminal: SessionTerminal }) {
  const layout = useCommandLayout(terminal);
  return layout ? <DrawnLayer id={id} terminal={terminal} layout={layout} /> : null;
}

function DrawnLayer({
  id,
  terminal,
  layout,
}: {
  id: string;
  terminal: SessionTerminal;
  layout: CommandLayout;
}) {
  const app = useApp();
  const s = useStrings();
  const session = useSession(id);
  const records = useRecordsByIndex(useCommands(id));
  const [hovered, setHovered] = useState<number | null>(null);
  const [open, setOpen] = useState<OpenMark | null>(null);
  const { grid, marks, above, selected, selectedRows, ruler } = layout;
  const top = (row: number) => grid.top + row * grid.cellHeight;
  const shown = marks.filter(({ index }) => {
    const record = records.get(index);
    return record ? isShown(record) : session?.last_command?.index === index;
  });
  const hoveredMark = open === null ? shown.find(({ index }) => index === hovered) : undefined;
  const hoveredRecord = hoveredMark && records.get(hoveredMark.index);
  const aboveRecord = above === null ? undefined : records.get(above);
  const isSticky =
    aboveRecord && isShown(aboveRecord) && (layout.isScrolledUp || aboveRecord.ended_at === null);
  return (
    <div data-commands={id} className="pointer-events-none absolute inset-0 overflow-hidden">
      {selectedRows ? (
        <div
          data-selected-command={selected}
          className="absolute rounded-kbd border border-accent/60 bg-accent/8"
          style={{
            left: grid.left - 2,
            width: layout.cols * grid.cellWidth + 4,
            top: top(selectedRows[0]),
            height: (selectedRows[1] - selectedRows[0]) * grid.cellHeight,
          }}
        />
      ) : null}
      {shown.map((mark) => {
        const record = records.get(mark.index);
        const isOpen = open?.index === mark.index || selected === mark.index;
        return (
          <span key={mark.index}>
            <button
              type="button"
              // By keyboard: Ctrl+Shift+Up and Down, or the list of commands.
              tabIndex={-1}
              data-mark={mark.index}
              aria-label={s.commands.mark(commandText(record, s), resultWord(record, s))}
              aria-haspopup="menu"
              className={cx(
                "pointer-events-auto absolute flex items-center justify-center rounded-kbd transition-colors duration-120 hover:bg-bg-3",
                isOpen && "bg-bg-3",
              )}
              style={{
                left: Math.max(0, grid.left - gutter.width - gutter.gap),
                width: gutter.width,
                top: top(mark.row),
                height: grid.cellHeight,
              }}
              // The terminal keeps the keyboard.
              onMouseDown={(event) => event.preventDefault()}
              onPointerEnter={(event) => event.pointerType === "mouse" && setHovered(mark.index)}
              onPointerLeave={() => setHovered(null)}
              onClick={(event) => setOpen({ index: mark.index, anchor: event.currentTarget })}
            >
              <ResultMark result={resultOf(record)} size={11} />
            </button>
            {record ? (
              <CommandBadge record={record} mark={mark} layout={layout} top={top(mark.row)} />
            ) : null}
          </span>
        );
      })}
      {isSticky ? (
        <StickyCommand
          record={aboveRecord}
          left={Math.max(0, grid.left - gutter.width - gutter.gap)}
          height={grid.top + grid.cellHeight}
          onJump={() => {
            terminal.commands.jump(aboveRecord.index);
            terminal.focus();
          }}
        />
      ) : null}
      <div className="absolute inset-y-2.5 right-0.5 w-1" aria-hidden>
        {ruler.map(({ index, at }) =>
          resultOf(records.get(index)) === "failed" ? (
            <span
              key={index}
              data-tick={index}
              className="absolute inset-x-0 h-[3px] rounded-full bg-danger"
              style={{ top: `${at * 100}%` }}
            />
          ) : null,
        )}
      </div>
      {hoveredMark && hoveredRecord ? (
        <CommandCard
          record={hoveredRecord}
          left={grid.left + 6}
          top={top(hoveredMark.row + 1) + 2}
          bottom={top(hoveredMark.row) - 2}
          isBelow={hoveredMark.row < layout.rows / 2}
        />
      ) : null}
      {selected !== null && selectedRows ? <SelectionHint isHigh={layout.isScrolledUp} /> : null}
      {open ? (
        <CommandMenu
          id={id}
          terminal={terminal}
          record={records.get(open.index)}
          open={open}
          onClose={() => {
            setOpen(null);
            setHovered(null);
            app.focusTerminal(id);
          }}
        />
      ) : null}
    </div>
  );
}
