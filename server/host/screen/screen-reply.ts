// The answer to a reading of the screen, in the form that was asked for (OP2). Pure but for nothing: a view in, a reply out; whether the program
// still runs is added by the caller, who knows it.
import type {
  CompactScreen,
  Hygiene,
  ScreenQuery,
  ScreenReply,
  ScreenText,
  Suspicion,
  UnchangedScreen,
} from "#lib/protocol/screen.ts";
import { hygieneOf } from "#lib/terminal/hygiene.ts";
import { compactText } from "./screen-compact.ts";
import { differenceOf } from "./screen-difference.ts";
import { htmlScreen } from "./screen-html.ts";
import { rawScreen } from "./screen-raw.ts";
import { joinWrapped } from "./screen-text.ts";
import type { ScreenVersion } from "./screen-versions.ts";
import type { ScreenView } from "./screen-view.ts";

/** How the program ended, if it has. */
export interface ScreenExit {
  readonly exit_code: number | null;
}

export function screenReply(
  view: ScreenView,
  query: ScreenQuery,
  exit: ScreenExit | undefined,
): ScreenReply {
  const since = query.since === undefined ? undefined : view.earlier(Number(query.since));
  if (since?.version === view.version) return unchanged(view, exit);
  return query.view === "compact" ? compact(view, since, exit) : full(view, since, query, exit);
}

function unchanged(view: ScreenView, exit: ScreenExit | undefined): UnchangedScreen {
  return { unchanged: true, version: view.version, ...ended(exit) };
}

function compact(
  view: ScreenView,
  since: ScreenVersion | undefined,
  exit: ScreenExit | undefined,
): CompactScreen {
  const difference = since && differenceOf(since, view.now);
  const { text, rows } = compactText(view, difference, since);
  const hygiene = hygieneOf(
    rows.flatMap((y) => view.agent.clean[y] ?? []),
    titleNews(view, since),
  );
  const isOdd = hygiene.stripped > 0 || hygiene.suspicious.length > 0;
  return { version: view.version, text, ...(isOdd ? { hygiene } : {}), ...ended(exit) };
}

function full(
  view: ScreenView,
  since: ScreenVersion | undefined,
  query: ScreenQuery,
  exit: ScreenExit | undefined,
): ScreenText {
  const { agent, cols, cursor, title, modes, version, hash } = view;
  const chosen = query.ghost === "keep" ? view.whole : agent;
  const joined = query.join_wrapped === "1" ? joinWrapped(chosen.rows, cols) : undefined;
  const hygiene: Hygiene = hygieneOf(chosen.clean, titleNews(view, since));
  return {
    lines: joined?.lines ?? [...chosen.lines],
    ...(joined ? { joined: true, line_rows: joined.line_rows } : {}),
    cols,
    rows: view.rows.length,
    cursor,
    alt_screen: view.altScreen,
    title,
    modes,
    version,
    hash,
    exited: exit !== undefined,
    exit_code: exit?.exit_code ?? null,
    ...(chosen.ghostRemoved > 0 ? { ghost_text_removed: chosen.ghostRemoved } : {}),
    hygiene,
    ...styled(view, query.format),
  };
}

function styled(
  view: ScreenView,
  format: ScreenQuery["format"],
): Pick<ScreenText, "raw" | "html" | "unstyled_from"> {
  if (format !== "raw" && format !== "html") return {};
  const { rows, cols, whole, paletteColor } = view;
  const { text, unstyledFrom } =
    format === "raw" ? rawScreen(rows, cols) : htmlScreen(rows, whole.clean, cols, paletteColor);
  return {
    [format]: text,
    ...(unstyledFrom === undefined ? {} : { unstyled_from: unstyledFrom }),
  };
}

function ended(exit: ScreenExit | undefined): { exited?: true; exit_code?: number | null } {
  return exit ? { exited: true, exit_code: exit.exit_code } : {};
}

/** Since the version asked about, or since the session began. */
function titleNews(view: ScreenView, since: ScreenVersion | undefined): Suspicion[] {
  if (view.title === (since?.title ?? "")) return [];
  return [{ kind: "title_changed", detail: "the program set the title: its words, not ours" }];
}
