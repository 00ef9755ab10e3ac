// What is odd about text that agents are given (T84, T88): characters taken out, and text that a person would not see or would misread. Pure:
// gets rows of text and asks which runs are hidden, knows no emulator and no colours. Findings say where and what in our words and never repeat what was
// hidden: a hidden instruction must not reach the reader through the warning about it.
import { limits } from "#lib/protocol/limits.ts";
import type { Hygiene, Suspicion, SuspicionKind } from "#lib/protocol/screen.ts";
import { cleanText, type HiddenKind, type HiddenRun } from "./hidden-characters.ts";
import { checkLink } from "./link.ts";

/** Neighbouring cells that look the same. */
export interface InspectedRun {
  /** UTF-16 units of the row's text. */
  readonly start: number;
  readonly end: number;
  /** Target of a link (OSC 8). */
  readonly link: string | undefined;
}

export type Hiding = Extract<SuspicionKind, "concealed_text" | "invisible_text">;

export interface InspectedRow<Run extends InspectedRun = InspectedRun> {
  readonly text: string;
  /** Cell of each UTF-16 unit; left out where they are the same number. */
  readonly columns?: readonly number[] | undefined;
  /** A wrap leads here from the row above. */
  readonly isContinuation: boolean;
  readonly runs: readonly Run[];
}

export interface CleanRow {
  readonly text: string;
  readonly removed: readonly HiddenRun[];
  /** Code points taken out. */
  readonly stripped: number;
  /** In order of column, at most as many as one report has. */
  readonly suspicious: readonly Suspicion[];
}

const ink = /[\p{L}\p{N}]/u;

/** `links` are those of all rows (see suspiciousLinks). */
export function inspectRow<Run extends InspectedRun>(
  row: InspectedRow<Run>,
  y: number,
  links: readonly Suspicion[],
  hidingOf: (run: Run) => Hiding | undefined,
): CleanRow {
  const { text, removed } = cleanText(row.text);
  const suspicious = [
    ...hiddenCharacters(row, y, removed),
    ...hiddenText(row, y, hidingOf),
    ...links.filter((link) => link.row === y),
  ].sort((a, b) => (a.col ?? 0) - (b.col ?? 0));
  const stripped = removed.reduce((sum, { count }) => sum + count, 0);
  return { text, removed, stripped, suspicious: suspicious.slice(0, limits.hygieneFindings) };
}

/** One bounded report of rows, and of what is on no row. */
export function hygieneOf(
  rows: readonly Pick<CleanRow, "stripped" | "suspicious">[],
  others: readonly Suspicion[] = [],
): Hygiene {
  return {
    stripped: rows.reduce((sum, { stripped }) => sum + stripped, 0),
    suspicious: [...others, ...rows.flatMap(({ suspicious }) => suspicious)].slice(
      0,
      limits.hygieneFindings,
    ),
  };
}

const sentences: Record<Exclude<HiddenKind, "harmless">, (count: number) => string> = {
  bidi_control: (n) => `${characters(n)} that reorder the text around them were taken out`,
  zero_width: (n) => `${characters(n)} without width were taken out`,
  tag_characters: (n) => `${characters(n)} that copy ASCII invisibly were taken out`,
  variation_selectors: (n) => `${characters(n)} that select no variant were taken out`,
};

function characters(count: number): string {
  return `${count} character${count === 1 ? "" : "s"}`;
}

/** One finding per kind and row, at its first place. */
function hiddenCharacters(
  row: InspectedRow,
  y: number,
  removed: readonly HiddenRun[],
): Suspicion[] {
  const found = new Map<Exclude<HiddenKind, "harmless">, { col: number; count: number }>();
  for (const { kind, start, count } of removed) {
    if (kind === "harmless") continue;
    const known = found.get(kind);
    if (known) known.count += count;
    else found.set(kind, { col: columnOf(row, start), count });
  }
  return [...found].map(([kind, { col, count }]) => ({
    kind,
    row: y,
    col,
    detail: sentences[kind](count),
  }));
}

/** Stretches of letters or digits that are drawn so that nobody sees them. Blanks between them have no ink and end no stretch. */
function hiddenText<Run extends InspectedRun>(
  row: InspectedRow<Run>,
  y: number,
  hidingOf: (run: Run) => Hiding | undefined,
): Suspicion[] {
  const found: Suspicion[] = [];
  let open: { kind: Hiding; start: number; end: number } | undefined;
  const close = () => {
    if (!open) return;
    const { kind, start, end } = open;
    open = undefined;
    const text = row.text.slice(start, end);
    if (!ink.test(text)) return;
    const col = columnOf(row, start + (text.length - text.trimStart().length));
    const last = columnOf(row, start + text.trimEnd().length - 1);
    const how =
      kind === "concealed_text"
        ? "is concealed by the program (SGR 8)"
        : "has the colour of its background, or nearly";
    found.push({ kind, row: y, col, cols: last - col + 1, detail: `text here ${how}` });
  };
  for (const run of row.runs) {
    const kind = hidingOf(run);
    if (!kind && !open) continue;
    const { start, end } = run;
    if (row.text.slice(start, end).trim() === "") continue;
    if (open && open.kind !== kind) close();
    if (!kind) continue;
    if (open) open.end = end;
    else open = { kind, start, end };
  }
  close();
  return found;
}

/** Links are read over the wraps of their text. */
export function suspiciousLinks(rows: readonly InspectedRow[]): Suspicion[] {
  const found: Suspicion[] = [];
  let open: { uri: string; text: string; row: number; col: number } | undefined;
  const close = () => {
    if (open) {
      const verdict = linkVerdict(open.uri, open.text);
      if (verdict) found.push({ ...verdict, row: open.row, col: open.col });
    }
    open = undefined;
  };
  for (const [y, row] of rows.entries()) {
    if (!row.isContinuation) close();
    for (const { start, end, link } of row.runs) {
      if (link !== open?.uri) close();
      if (link === undefined) continue;
      const text = row.text.slice(start, end);
      if (open) open.text += text;
      else open = { uri: link, text, row: y, col: columnOf(row, start) };
    }
  }
  close();
  return found;
}

/** Schemes that run or embed what the address says. */
const activeScheme = /^(?:javascript|data|vbscript):/i;

function linkVerdict(uri: string, shown: string): Pick<Suspicion, "kind" | "detail"> | undefined {
  // Invisible characters in the text have a finding of their own.
  const text = shown.replace(/\p{Cf}/gu, "").trim();
  const check = checkLink(uri, text);
  if (check.ok) {
    if (!check.misleading) return undefined;
    const host = check.host.replace(/[^\w.:@-]/g, "?").slice(0, 80);
    return {
      kind: "misleading_link",
      detail: `the text names another host than it opens: ${host}`,
    };
  }
  const namesAddress = /^(?:https?:\/\/|www\.)/i.test(text);
  if (check.reason === "control_characters" || check.reason === "too_long") {
    return { kind: "unsafe_link", detail: "the address it opens cannot be shown as it is" };
  }
  if (!activeScheme.test(uri.trim()) && !namesAddress) return undefined;
  const scheme =
    /^\s*([a-z][a-z0-9+.-]{0,20}):/i.exec(uri)?.[1]?.toLowerCase() ?? "another kind of";
  return { kind: "unsafe_link", detail: `opens a ${scheme} address` };
}

function columnOf(row: InspectedRow, unit: number): number {
  return row.columns?.[unit] ?? unit;
}
