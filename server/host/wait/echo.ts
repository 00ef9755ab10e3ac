// Which parts of a text are the echo of what was typed (WT2). Pure. Exact where the shell's markers say where its input stands; elsewhere
// the typed line is looked for, blanks and line breaks left out of account, because shells wrap, indent and redraw what they echo.
import type { Cursor } from "#lib/protocol/cursor.ts";
import type { PlacedText } from "./placed-text.ts";
import type { Span } from "./spans.ts";
import type { TypedLine } from "./typed-lines.ts";

export interface Region {
  readonly start: Cursor;
  readonly end: Cursor;
}

/** From so many characters on a line is not met by chance. */
const telling = 6;

/**
 * `inputs`: where the shell said that lines were typed. A typed line that is found for good is told so (`line.echo`), so that the same
 * text printed by a program afterwards is output.
 */
export function echoSpans(
  placed: PlacedText,
  lines: readonly TypedLine[],
  inputs: readonly Region[],
): readonly Span[] {
  const { text } = placed;
  const spans: Span[] = inputs.map(({ start, end }) => {
    const to = placed.indexOf(end);
    // The line that was typed ends, and what comes next is still a line of its own.
    return { from: placed.indexOf(start), to: text[to - 1] === "\n" ? to - 1 : to };
  });
  let squeezed: Squeezed | null = null;
  let behind = 0;
  for (const line of lines) {
    if (line.echo) {
      const span = { from: placed.indexOf(line.echo.start), to: placed.indexOf(line.echo.end) };
      spans.push(span);
      behind = Math.max(behind, span.to);
      continue;
    }
    squeezed ??= squeeze(text);
    const start = placed.indexOf(line.start);
    const found = findEcho(text, squeezed, line, start, Math.max(start, behind));
    if (!found) continue;
    spans.push(found.span);
    behind = Math.max(behind, found.span.to);
    if (found.isWhole && line.isEnded) {
      line.echo = { start: placed.placeOf(found.span.from), end: placed.placeOf(found.span.to) };
    }
  }
  spans.push(...repeatedEchoes(text, lines));
  return spans.filter(({ from, to }) => to > from);
}

interface Squeezed {
  readonly text: string;
  /** Index in the whole text of each character. */
  readonly at: readonly number[];
}

function squeeze(text: string): Squeezed {
  const at: number[] = [];
  let rest = "";
  for (let i = 0; i < text.length; i++) {
    const char = text[i] as string;
    if (/\s/.test(char)) continue;
    rest += char;
    at.push(i);
  }
  return { text: rest, at };
}

function findEcho(
  text: string,
  squeezed: Squeezed,
  line: TypedLine,
  start: number,
  from: number,
): { span: Span; isWhole: boolean } | null {
  const wanted = squeeze(line.text).text;
  const first = squeezed.at.findIndex((at) => at >= from);
  if (wanted !== "" && first >= 0) {
    const whole = findWhole(text, squeezed, wanted, start, first);
    if (whole && line.isEdited)
      return { span: { ...whole, to: lineEnd(text, whole.to) }, isWhole: true };
    if (whole) return { span: withSignal(text, whole), isWhole: true };
    const part = findBegun(text, squeezed, wanted, start, first);
    if (part) return { span: part, isWhole: false };
  }
  if (!line.isEdited || start >= text.length) return null;
  // Completed, recalled or changed with the cursor: whatever the line became, it is what stands there.
  const to = lineEnd(text, start);
  return { span: { from: start, to }, isWhole: to < text.length };
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

function findWhole(
  text: string,
  { text: all, at }: Squeezed,
  wanted: string,
  start: number,
  first: number,
): Span | null {
  for (let i = all.indexOf(wanted, first); i >= 0; i = all.indexOf(wanted, i + 1)) {
    const from = at[i] as number;
    const to = (at[i + wanted.length - 1] as number) + 1;
    if (wanted.length >= telling || from === start) return { from, to };
    const isLineEnd = /^[^\S\n]*(?:\n|$)/.test(text.slice(to));
    if (isLineEnd && !/\w/.test(text[from - 1] ?? " ")) return { from, to };
  }
  return null;
}

/** The echo is under way: the text ends with a beginning of the line. */
function findBegun(
  text: string,
  { text: all, at }: Squeezed,
  wanted: string,
  start: number,
  first: number,
): Span | null {
  for (let length = Math.min(wanted.length - 1, all.length - first); length > 0; length--) {
    if (!all.endsWith(wanted.slice(0, length))) continue;
    const from = at[all.length - length] as number;
    const isHere = from === start || length >= telling / 2 || !/\w/.test(text[from - 1] ?? " ");
    if (isHere) return { from, to: text.length };
  }
  return null;
}

/** A line typed ahead is shown twice: by the terminal, and by the shell behind its prompt. Behind the same prompt it is no output. */
function repeatedEchoes(text: string, lines: readonly TypedLine[]): Span[] {
  const spans: Span[] = [];
  for (const { prompt, text: typed } of lines) {
    if (prompt.trim() === "" || typed.trim() === "") continue;
    const whole = `${prompt}${typed}`;
    for (let i = text.indexOf(whole); i >= 0; i = text.indexOf(whole, i + whole.length)) {
      const isOwnLine = i === 0 || text[i - 1] === "\n";
      if (isOwnLine) spans.push({ from: i + prompt.length, to: i + whole.length });
    }
  }
  return spans;
}

function withSignal(text: string, { from, to }: Span): Span {
  return { from, to: to + (/^\^[A-Z\\]/.exec(text.slice(to))?.[0].length ?? 0) };
}
