// Rows as one `pre` element that may be put into any page under our content security policy: every character escaped, colours as inline
// styles, links only where checkLink lets them be links and their text does not lie (T84). Invisible characters are left out. Pure.
import type { Rgb } from "#lib/terminal/contrast.ts";
import type { CleanRow } from "#lib/terminal/hygiene.ts";
import { checkLink } from "#lib/terminal/link.ts";
import type { Look } from "./cell-pen.ts";
import { drawnColors } from "./colors.ts";
import { background, foreground } from "./palette.ts";
import { type StyledScreen, withinBudget } from "./styled-budget.ts";
import type { StyledRow, StyledRun } from "./styled-rows.ts";

const bold = 1;
const italic = 2;
const concealed = 16;
const struck = 64;
const overlined = 128;
const underlineStyles = ["", "solid", "double", "wavy", "dotted", "dashed"];

type PaletteColor = (index: number) => Rgb;

/** `clean` belongs to the same rows. */
export function htmlScreen(
  rows: readonly StyledRow[],
  clean: readonly CleanRow[],
  cols: number,
  paletteColor: PaletteColor,
): StyledScreen {
  const own = { text: hex(paletteColor(foreground)), ground: hex(paletteColor(background)) };
  const styleOf = (look: Look) => inlineStyle(look, own, paletteColor);
  const { rows: written, unstyledFrom } = withinBudget(
    rows,
    (row, y) => htmlRow(row, clean[y], styleOf),
    (_row, y) => escaped(clean[y]?.text ?? ""),
    cols,
  );
  const style = `color:${own.text};background:${own.ground}`;
  // A parser drops one line feed right after the tag.
  const text = `<pre class="cotty-screen" style="${style}">\n${written.join("\n")}</pre>`;
  return { text, unstyledFrom };
}

function htmlRow(
  row: StyledRow,
  clean: CleanRow | undefined,
  styleOf: (look: Look) => string,
): string {
  let out = "";
  for (const [index, run] of row.runs.entries()) {
    const isLast = index === row.runs.length - 1;
    let text = withoutRemoved(row.text, run, clean);
    if (isLast && isPlain(run)) text = text.replace(/ +$/, "");
    if (text === "") continue;
    const style = styleOf(run.look);
    const content = escaped(text);
    const span = style === "" ? content : `<span style="${style}">${content}</span>`;
    out += linked(run, text, span);
  }
  return out;
}

function isPlain({ look }: StyledRun): boolean {
  return look.bg === 0 && look.flags === 0 && look.underline === 0;
}

function withoutRemoved(
  text: string,
  run: Pick<StyledRun, "start" | "end">,
  clean: CleanRow | undefined,
): string {
  let out = "";
  let at = run.start;
  for (const { start, end } of clean?.removed ?? []) {
    if (end <= at || start >= run.end) continue;
    out += text.slice(at, Math.max(at, start));
    at = Math.min(end, run.end);
  }
  return out + text.slice(at, run.end);
}

function inlineStyle(
  look: Look,
  own: { readonly text: string; readonly ground: string },
  paletteColor: PaletteColor,
): string {
  const parts: string[] = [];
  const drawn = drawnColors(look, paletteColor);
  const text = hex(drawn.foreground);
  const ground = hex(drawn.background);
  if (text !== own.text) parts.push(`color:${text}`);
  if (ground !== own.ground) parts.push(`background:${ground}`);
  if (look.flags & bold) parts.push("font-weight:bold");
  if (look.flags & italic) parts.push("font-style:italic");
  const lines = [
    look.underline ? "underline" : "",
    look.flags & struck ? "line-through" : "",
    look.flags & overlined ? "overline" : "",
  ].filter(Boolean);
  if (lines.length > 0) parts.push(`text-decoration:${lines.join(" ")}`);
  if (look.underline > 1) parts.push(`text-decoration-style:${underlineStyles[look.underline]}`);
  // Neither seen nor copied.
  if (look.flags & concealed) parts.push("visibility:hidden");
  return parts.join(";");
}

function linked({ link }: StyledRun, text: string, span: string): string {
  if (link === undefined) return span;
  const check = checkLink(link, text.replace(/\p{Cf}/gu, ""));
  if (!check.ok || check.misleading) return span;
  const rel = "noopener noreferrer nofollow ugc";
  return `<a href="${escaped(check.href)}" title="${escaped(check.host)}" target="_blank" rel="${rel}">${span}</a>`;
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

function hex(color: Rgb): string {
  const value = (color[0] << 16) | (color[1] << 8) | color[2];
  return `#${value.toString(16).padStart(6, "0")}`;
}
