// The TUI as ink draws it: output pane above, input line below, status at the bottom; or the list of sessions. Decides nothing.
import { Box, Text } from "ink";
import { type ReactNode, useSyncExternalStore } from "react";
import { padded, shorten } from "../text-width.ts";
import type { TuiModel } from "./tui-model.ts";

/** Pane and input line share a border. */
const upper = {
  topLeft: "╭",
  top: "─",
  topRight: "╮",
  left: "│",
  right: "│",
  bottomLeft: "├",
  bottom: "─",
  bottomRight: "┤",
};
const lower = { ...upper, bottomLeft: "╰", bottomRight: "╯" };

export interface ViewFacts {
  readonly model: TuiModel;
  /** Changes with every change of the model. */
  readonly version: () => number;
  readonly isPlain: boolean;
}

export function TuiView({ model, version, isPlain }: ViewFacts): ReactNode {
  useSyncExternalStore((listener) => {
    const subscription = model.onChange(listener);
    return () => subscription.dispose();
  }, version);
  const { whole } = model.layout;
  return (
    <Box flexDirection="column" width={whole.cols} height={whole.rows - 1}>
      {model.view === "list" ? <List model={model} /> : <Pane model={model} isPlain={isPlain} />}
      <Status model={model} />
    </Box>
  );
}

function Pane({ model, isPlain }: { model: TuiModel; isPlain: boolean }): ReactNode {
  const { pane } = model.layout;
  const { terminal, above } = model;
  const hasCursor = above === 0 && terminal?.facts.link === "live";
  const rows = terminal?.screen.rows(pane, above, { isPlain, hasCursor }) ?? [];
  return (
    <>
      <Box flexDirection="column" borderStyle={upper} borderDimColor height={pane.rows + 2}>
        {Array.from({ length: pane.rows }, (_, y) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
          <Text key={y} wrap="truncate">
            {rows[y] || " "}
          </Text>
        ))}
      </Box>
      <Box borderStyle={lower} borderTop={false} borderDimColor height={2} paddingLeft={1}>
        <Input model={model} />
      </Box>
    </>
  );
}

function Input({ model }: { model: TuiModel }): ReactNode {
  const { line, terminal } = model;
  if (model.isDirect)
    return (
      <Text dimColor wrap="truncate">
        keys go to the program; Ctrl-] takes them back
      </Text>
    );
  const shown = terminal?.facts.isPassword ? "•".repeat([...line.text].length) : visible(line.text);
  const cursor = terminal?.facts.isPassword
    ? [...line.text.slice(0, line.cursor)].length
    : visible(line.text.slice(0, line.cursor)).length;
  const room = Math.max(8, model.layout.whole.cols - 6);
  const from = Math.max(0, cursor - room + 1);
  const at = shown.slice(cursor, cursor + 1) || " ";
  return (
    <Text wrap="truncate">
      <Text bold>{"> "}</Text>
      {shown.slice(from, cursor)}
      <Text inverse>{at}</Text>
      {shown.slice(cursor + 1, from + room)}
    </Text>
  );
}

/** Control characters of a paste as something that can be seen. */
function visible(text: string): string {
  return text.replace(/\n/g, "⏎").replace(/[\x00-\x1f\x7f]/g, "·");
}

function Status({ model }: { model: TuiModel }): ReactNode {
  const { terminal, above, notice, view } = model;
  const facts = terminal?.facts;
  const ofTerminal = [
    facts?.name ?? "cotty",
    above > 0 && `${above} lines up`,
    facts?.link === "waiting" ? "reconnecting" : facts?.phase,
    terminal && `${terminal.screen.size.cols}x${terminal.screen.size.rows}`,
    facts?.isPassword ? "password asked" : facts?.keyboard && `keyboard: ${facts.keyboard}`,
  ];
  // The list has a row for what the terminal behind it is doing.
  const words = view === "list" ? [model.where] : ofTerminal.filter(Boolean);
  const keys = keysOf(model);
  // What a person should hear now stands where they look.
  const left = ` ${notice || words.join(" · ")}`;
  const room = model.layout.whole.cols - keys.length - 2;
  return (
    <Box width={model.layout.whole.cols} justifyContent="space-between" height={1}>
      <Box width={Math.max(10, room)}>
        <Text wrap="truncate" bold={notice !== ""}>
          {clean(left)}
        </Text>
      </Box>
      <Text dimColor wrap="truncate">
        {keys}{" "}
      </Text>
    </Box>
  );
}

function keysOf({ view, isDirect, above, hasList }: TuiModel): string {
  if (view === "list") return "Enter opens · n new · q leaves";
  if (isDirect) return "^] takes the keys back";
  if (above > 0) return "PgUp PgDn";
  return hasList ? "^O list · ^Q leave" : "^Q leave";
}

function List({ model }: { model: TuiModel }): ReactNode {
  const { sessions, selected } = model;
  const { pane, whole } = model.layout;
  const height = pane.rows + 4;
  const rows = Math.max(1, height - 4);
  const first = Math.max(0, Math.min(selected - Math.floor(rows / 2), sessions.length - rows));
  const width = Math.max(8, whole.cols - 4 - 2 - 17 - 9 - 17);
  const row = (cells: readonly [string, string, string, string]) =>
    `${column(cells[0], width)} ${column(cells[1], 16)} ${column(cells[2], 8)} ${column(cells[3], 16)}`;
  return (
    <Box flexDirection="column" borderStyle="round" borderDimColor height={height} paddingX={1}>
      <Text bold wrap="truncate">{`  ${row(["NAME", "STATE", "SIZE", "KEYBOARD"])}`}</Text>
      {sessions.length === 0 && <Text dimColor> no sessions; n opens one</Text>}
      {sessions.slice(first, first + rows).map((one, index) => (
        <Text key={one.id} wrap="truncate" inverse={first + index === selected}>
          {`${first + index === selected ? "› " : "  "}${row([one.name, one.state, one.size, one.keyboard])}`}
        </Text>
      ))}
    </Box>
  );
}

function column(text: string, width: number): string {
  return padded(shorten(clean(text), width), width);
}

/** Names and titles are others' words. */
function clean(text: string): string {
  return text.replace(/[\x00-\x1f\x7f-\x9f]/g, "\ufffd");
}
