// A screen, or what changed on it, in as few words as possible (SC5): one line about the whole, then the rows worth reading. Pure.
import type { ScreenDifference } from "./screen-difference.ts";
import type { ScreenView } from "./screen-view.ts";

export interface CompactText {
  readonly text: string;
  /** The rows in it. */
  readonly rows: readonly number[];
}

/** `since` is the version that `difference` starts from; without a difference every row that is not empty is told. */
export function compactText(
  view: ScreenView,
  difference: ScreenDifference | undefined,
  since: { readonly version: number; readonly title: string } | undefined,
): CompactText {
  const { lines } = view.agent;
  const rows = difference?.changed ?? [...lines.keys()].filter((y) => lines[y] !== "");
  const body = rows.map((y) => `${y}|${lines[y]}`);
  return { text: [headline(view, difference, since), ...body].join("\n"), rows };
}

function headline(
  view: ScreenView,
  difference: ScreenDifference | undefined,
  since: { readonly version: number; readonly title: string } | undefined,
): string {
  const { cursor, cols, rows, modes, title, agent } = view;
  const words = [`v${view.version}`, `${cols}x${rows.length}`, `cursor=${cursor.x},${cursor.y}`];
  if (!cursor.visible) words.push("cursor_hidden");
  if (view.altScreen) words.push("alt_screen");
  if (modes.mouse !== "off") words.push(`mouse=${modes.mouse}`);
  if (agent.ghostRemoved > 0) words.push(`ghost_text_removed=${agent.ghostRemoved}`);
  if (difference && since) words.push(`since=${since.version}`);
  else words.push("full");
  if (difference?.scrolled) words.push(`scrolled=${difference.scrolled}`);
  if (difference?.restyled.length) words.push(`restyled=${ranges(difference.restyled)}`);
  // Last and quoted: it is the program's words and must not be able to pass for ours.
  if (title !== (difference ? since?.title : "")) words.push(`title=${JSON.stringify(title)}`);
  return words.join(" ");
}

/** `3,5-7` */
function ranges(rows: readonly number[]): string {
  const found: [number, number][] = [];
  for (const row of rows) {
    const last = found.at(-1);
    if (last && last[1] === row - 1) last[1] = row;
    else found.push([row, row]);
  }
  return found.map(([a, b]) => (a === b ? `${a}` : `${a}-${b}`)).join(",");
}
