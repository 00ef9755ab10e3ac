import { Terminal } from "@xterm/headless";
import { describe, expect, it } from "vitest";
import { utf8 } from "#lib/base/bytes.ts";
import type { Cursor } from "#lib/protocol/cursor.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import type { LinePlace } from "#lib/protocol/written-lines.ts";
import { Screen } from "#server/host/screen/screen.ts";
import { LinePlaces } from "#server/host/session/line-places.ts";
import { randomFrom } from "#server/testing/random.ts";
import { feed } from "#server/testing/screen-dsl.ts";
import { LineMarkers } from "./line-markers.ts";
import type { LineMarker } from "./normal-buffer.ts";
import { ScreenWriter } from "./screen-writer.ts";

type Named = LinePlace & { name: string };

/** A server's screen, and a viewer that gets the same later, as far as the test lets it. */
function pair(options: { scrollback?: number; mine?: number } = {}) {
  const { scrollback = 1_000, mine = scrollback } = options;
  const screen = new Screen({ size: { cols: 40, rows: 10 }, scrollback });
  const log = { entryCount: 0 };
  const pump = { appliedEntries: 0 };
  const lines = new LinePlaces(screen, pump, log);
  const terminal = new Terminal({ cols: 40, rows: 10, scrollback: mine, allowProposedApi: true });
  const marks = new Map<string, LineMarker>();
  /** Who typed where: what the server keeps. */
  const writes = new Map<string, Cursor>();
  let told: Named[] = [];
  const markers = new LineMarkers<Named>(terminal, {
    found: (marker, { name }) => marks.set(name, marker),
    lost: () => marks.clear(),
  });
  const writer = new ScreenWriter(terminal, {
    isScrolledUp: () => false,
    beforeRestart: () => markers.restarting(),
    restored() {},
    resized() {},
    printed: () => markers.look(),
    placed: ({ lowest }) => markers.placed(lowest, told),
    counted: (nth) => markers.counted(nth),
  });
  const due: (() => Promise<void>)[] = [];
  const catchUp = async () => {
    for (const step of due.splice(0)) await step();
  };
  return {
    screen,
    lines,
    terminal,
    catchUp,
    async attach() {
      due.length = 0;
      const { lowest } = lines;
      told = [...writes].flatMap(([name, at]) => {
        const line = lines.of(at);
        return line ? [{ ...line, name }] : [];
      });
      const { size, history, screen: top } = await screen.snapshot(0, 0);
      await new Promise<void>((drawn) =>
        writer.showSnapshot(size, history, top, drawn, { lowest }),
      );
    },
    async prints(data: string) {
      await feed(screen, data);
      due.push(() => new Promise((drawn) => writer.write(utf8(data), drawn)));
    },
    resize(size: GridSize) {
      log.entryCount += 1;
      pump.appliedEntries += 1;
      screen.resize(size);
      const nth = pump.appliedEntries;
      due.push(async () => {
        writer.resize(size, nth);
        await new Promise<void>((done) => terminal.write("", done));
      });
    },
    /** Somebody types where the cursor is: the viewer is told at once, however far it is. */
    tell(name: string) {
      writes.set(name, screen.position());
      const line = lines.of(screen.position());
      if (line) markers.want({ ...line, name });
    },
    rowOf: (name: string) => marks.get(name)?.line,
    /** What stands on the marked line; null: it is not marked. */
    seen(name: string): string | null {
      const marker = marks.get(name);
      if (!marker || marker.isDisposed) return null;
      let text = "";
      let row = marker.line;
      do text += terminal.buffer.normal.getLine(row++)?.translateToString(false) ?? "";
      while (terminal.buffer.normal.getLine(row)?.isWrapped);
      return text.trimEnd();
    },
    end() {
      markers.dispose();
      terminal.dispose();
      screen.dispose();
    },
  };
}

describe("markers at lines that the host names", () => {
  it("[AU2] a viewer that is behind marks the line when it is printed there; one that comes later finds the same", async () => {
    const two = pair();
    await two.attach();
    await two.prints("x\r\n".repeat(30));
    await two.prints("$ first");
    two.tell("first");
    expect(two.seen("first")).toBeNull();
    await two.prints(`\r\n${"flood\r\n".repeat(300)}$ second`);
    two.tell("second");
    await two.catchUp();
    expect([two.seen("first"), two.seen("second")]).toEqual(["$ first", "$ second"]);
    await two.attach();
    expect([two.seen("first"), two.seen("second")]).toEqual(["$ first", "$ second"]);
    two.end();
  });

  it("[AU2] news that come before a change of width wait for it, and marks stay at their line through it", async () => {
    const two = pair();
    await two.attach();
    await two.prints(`${"a line that is wrapped where there is less room\r\n".repeat(20)}$ one`);
    two.tell("one");
    await two.catchUp();
    await two.prints("\r\n");
    two.resize({ cols: 20, rows: 12 });
    await two.prints("$ two");
    two.tell("two");
    expect(two.seen("two")).toBeNull();
    await two.catchUp();
    expect([two.seen("one"), two.seen("two")]).toEqual(["$ one", "$ two"]);
    two.resize({ cols: 60, rows: 8 });
    await two.prints("\r\n$ three");
    two.tell("three");
    await two.catchUp();
    expect([two.seen("one"), two.seen("two")]).toEqual(["$ one", "$ two"]);
    // What the cursor's line had lost behind it is nobody's business here.
    expect(two.seen("three")).toMatch(/^\$ three/);
    two.end();
  });

  it("[AU2] a viewer with less scrollback marks the same lines, and not those that it has no more", async () => {
    const two = pair({ mine: 20 });
    await two.attach();
    await two.prints("$ old");
    const old = two.lines.of(two.screen.position());
    await two.prints(`\r\n${"x\r\n".repeat(100)}$ new`);
    await two.catchUp();
    two.tell("new");
    expect(two.seen("new")).toBe("$ new");
    expect(old && two.lines.of({ seq: 0, col: 5 })).toEqual(old);
    two.end();
  });

  it("[HO7] an older host names no places, and nothing is marked", async () => {
    const two = pair();
    await two.prints("$ one");
    await two.catchUp();
    two.tell("one");
    expect(two.seen("one")).toBeNull();
    two.end();
  });

  it("[AU2] whatever is printed and however the size changes, a marked line is the line that was typed on", async () => {
    let marked = 0;
    for (let seed = 1; seed <= 20; seed++) {
      const random = randomFrom(seed);
      const two = pair({ scrollback: 50 + Math.floor(random() * 100) });
      await two.attach();
      let typed = 0;
      for (let step = 0; step < 60; step++) {
        const what = Math.floor(random() * 10);
        if (what < 4) {
          await two.prints(`\r\n$ typed-${++typed} ${"w".repeat(Math.floor(random() * 90))}`);
          two.tell(`typed-${typed}`);
        } else if (what < 6) await two.prints("\r\nout".repeat(Math.floor(random() * 30)));
        else if (what === 6)
          two.resize({
            cols: 20 + Math.floor(random() * 60),
            rows: 5 + Math.floor(random() * 20),
          });
        else if (what === 7 && random() < 0.3) await two.prints("\x1b[H\x1b[2J\x1b[3J");
        else if (what === 8) await two.prints("\x1b[?1049hfull\r\nscreen\x1b[?1049l");
        else await two.catchUp();
        if (random() < 0.01) await two.prints("\x1bc");
        if (random() < 0.05) {
          await two.catchUp();
          await two.attach();
        }
      }
      await two.catchUp();
      for (let n = 1; n <= typed; n++) {
        const text = two.seen(`typed-${n}`);
        // Its beginning has left the scrollback.
        if (text === null || (two.rowOf(`typed-${n}`) === 0 && /^w*$/.test(text))) continue;
        marked += 1;
        expect(text, `seed ${seed}`).toMatch(new RegExp(`^\\$ typed-${n}( |$)`));
      }
      two.end();
    }
    expect(marked).toBeGreaterThan(100);
  });
});
