import { Terminal } from "@xterm/headless";
import { describe, expect, it } from "vitest";
import { utf8 } from "#lib/base/bytes.ts";
import { code, commandRun, journalRig, mark } from "#server/testing/journal-rig.ts";
import { CommandPlaces } from "./command-places.ts";
import { ScreenWriter } from "./screen-writer.ts";

/** A server's screen and journal, and a viewer beside them that gets a snapshot and then the same bytes. */
function pair(scrollback = 1_000) {
  const rig = journalRig({ scrollback });
  const terminal = new Terminal({ cols: 40, rows: 10, scrollback, allowProposedApi: true });
  const places = new CommandPlaces(terminal, () => {});
  const writer = new ScreenWriter(terminal, {
    isScrolledUp: () => false,
    beforeRestart() {},
    restored() {},
    resized() {},
    printed() {},
    placed: ({ commands }) => places.placed(commands),
  });
  const commands = () => {
    const { rows, inputRow } = rig.journal.places();
    const { nextIndex: next_index, integration } = rig.journal;
    return { rows, input_row: inputRow, next_index, integration };
  };
  return {
    rig,
    async attach() {
      const told = commands();
      const { size, history, screen } = await rig.screen.snapshot(0, 0);
      await new Promise<void>((drawn) =>
        writer.showSnapshot(size, history, screen, drawn, { commands: told }),
      );
    },
    async both(data: string) {
      await rig.feed(data);
      await new Promise<void>((drawn) => writer.write(utf8(data), drawn));
    },
    resize(cols: number, rows: number) {
      rig.screen.resize({ cols, rows });
      terminal.resize(cols, rows);
    },
    /** Index and what stands there, here and at the server. */
    seen: () =>
      places.all().map(({ index, line }) => {
        const row =
          line < 0 ? "gone" : terminal.buffer.normal.getLine(line)?.translateToString(true);
        return `${index} ${row}`;
      }),
    told: () => rig.journal.places().rows,
    here: () => places.all().map(({ index, line }) => [index, line]),
    marked: () => rig.screen.text(),
    end() {
      places.dispose();
      terminal.dispose();
      rig.dispose();
    },
  };
}

const lines = (n: number) => "x\r\n".repeat(n);

describe("places of commands in a viewer", () => {
  it("[JR4] [UI 13] a snapshot says at which rows they stand, scrollback included", async () => {
    const rig = pair();
    await rig.rig.feed(commandRun("one", lines(30)) + commandRun("two", "y\r\n", "D;1"));
    await rig.attach();
    expect(rig.seen()).toEqual(["1 $ one", "2 $ two"]);
    expect(rig.here()).toEqual(rig.told());
    rig.end();
  });

  it("[UI 13] from there on each mark C is the next command, at the line that was typed before and after the snapshot", async () => {
    const rig = pair();
    await rig.rig.feed(`${commandRun("one")}${mark("A")}$ ${mark("B")}tw`);
    await rig.attach();
    await rig.both(`o\r\n${mark("C")}out\r\n${mark("D;0")}`);
    await rig.both(commandRun("three", lines(20)));
    expect(rig.seen()).toEqual(["1 $ one", "2 $ two", "3 $ three"]);
    expect(rig.here()).toEqual(rig.told());
    rig.end();
  });

  it("[JR1] the other dialect counts for nothing, as at the server", async () => {
    const rig = pair();
    await rig.rig.feed(commandRun("one"));
    await rig.attach();
    await rig.both(`${code("C")}${code("A")}${commandRun("two")}`);
    expect(rig.seen()).toEqual(["1 $ one", "2 $ two"]);
    expect(rig.here()).toEqual(rig.told());
    rig.end();
  });

  it("[JR4] a narrower and a wider terminal, cleared screens and a full scrollback move them as at the server", async () => {
    const rig = pair(40);
    await rig.attach();
    await rig.both(commandRun("a long line that will be wrapped", "out\r\n"));
    await rig.both(commandRun("two", "y".repeat(100)));
    rig.resize(15, 10);
    await rig.both(`\r\n${commandRun("three is wrapped too", lines(3))}`);
    rig.resize(60, 12);
    expect(rig.seen().map((row) => row.slice(0, 9))).toEqual(["1 $ a lon", "2 $ two", "3 $ three"]);
    expect(rig.here()).toEqual(rig.told());
    await rig.both(commandRun("clear", "\x1b[H\x1b[2J"));
    await rig.both(commandRun("four", lines(5)));
    expect(rig.seen().at(-1)).toBe("5 $ four");
    await rig.both(lines(60));
    expect(rig.seen()).toEqual(["5 gone"]);
    rig.end();
  });

  it("nothing is marked where the server does not say, and nothing stays after the program's reset", async () => {
    const rig = pair();
    await rig.both(commandRun("one"));
    expect(rig.seen()).toEqual([]);
    await rig.attach();
    expect(rig.seen()).toEqual(["1 $ one"]);
    await rig.both("\x1bc");
    expect(rig.seen()).toEqual([]);
    await rig.both(commandRun("two"));
    expect(rig.seen()).toEqual(["2 $ two"]);
    rig.end();
  });

  it("[JR3] no more are kept than the journal keeps", async () => {
    const rig = pair(5_000);
    await rig.attach();
    await rig.both(Array.from({ length: 300 }, (_, at) => commandRun(`c${at}`)).join(""));
    expect(rig.seen()).toHaveLength(256);
    expect(rig.here()).toEqual(rig.told());
    rig.end();
  });
});
