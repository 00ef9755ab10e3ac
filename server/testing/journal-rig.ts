// A real screen and a journal on it, fed as the session feeds them: for tests of what markers and text together make.
import type { GridSize } from "#lib/protocol/geometry.ts";
import type { CommandRecord } from "#lib/protocol/journal.ts";
import { Journal, type JournalOptions } from "#server/host/journal/journal.ts";
import type { JournalNews } from "#server/host/journal/journal-api.ts";
import { Screen } from "#server/host/screen/screen.ts";
import { FakeClock } from "./fake-clock.ts";
import { feed } from "./screen-dsl.ts";

export const journalNonce = "n0nce-1";

/** Markers of either dialect, as a shell prints them. */
export const osc = (payload: string, end: "\x07" | "\x1b\\" = "\x07") => `\x1b]${payload}${end}`;
export const mark = (payload: string) => osc(`133;${payload}`);
export const code = (payload: string) => osc(`633;${payload}`);

/** A prompt, a typed line as the terminal echoes it, its output, its end. */
export function commandRun(line: string, output = "", status = "D;0"): string {
  return `${mark("A")}$ ${mark("B")}${line}\r\n${mark("C")}${output}${mark(status)}`;
}

export function journalRig(
  options: { size?: GridSize; scrollback?: number } & Partial<Omit<JournalOptions, "screen">> = {},
) {
  const { size = { cols: 40, rows: 10 }, scrollback = 1_000, ...rest } = options;
  const clock = new FakeClock();
  const screen = new Screen({ size, scrollback });
  const journal = new Journal({
    screen,
    clock,
    nonce: journalNonce,
    isOff: false,
    hosts: ["here.example"],
    place: () => "/proc/says",
    ...rest,
  });
  const news: JournalNews[] = [];
  journal.onNews((one) => news.push(one));
  screen.onFact((fact) => {
    if (fact.kind === "marker") journal.marked(fact.marker, fact.at);
  });
  return {
    clock,
    screen,
    journal,
    news,
    feed: (data: string | Uint8Array) => feed(screen, data),
    all: (): readonly CommandRecord[] => journal.list(0, 10_000),
    /** What stands in a record's region now. */
    output(index: number): string {
      const { start, end } = journal.record(index) as CommandRecord;
      const cursor = (text: string) => {
        const [seq = 0, col = 0] = text.split(":").map(Number);
        return { seq, col };
      };
      return screen.outputBetween(cursor(start), cursor(end), 1 << 20).text;
    },
    dispose() {
      journal.dispose();
      screen.dispose();
    },
  };
}
