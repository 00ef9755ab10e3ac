import { describe, expect, it } from "vitest";
import { type LayoutSource, layOutCommands, stepFrom } from "./command-layout.ts";

const grid = { left: 16, top: 10, cellWidth: 8, cellHeight: 16 };
const source = (part: Partial<LayoutSource> = {}): LayoutSource => ({
  places: [
    { index: 3, line: 2 },
    { index: 4, line: 50 },
    { index: 5, line: 92 },
  ],
  grid,
  cols: 80,
  rows: 20,
  isAlternate: false,
  viewportY: 80,
  baseY: 80,
  selected: null,
  usedCells: () => 30,
  ...part,
});

describe("where commands are in sight", () => {
  it("[UI 13] marks stand at the rows of their lines, with the room that the line leaves", () => {
    expect(layOutCommands(source())?.marks).toEqual([{ index: 5, row: 12, room: 50 }]);
    const up = layOutCommands(source({ viewportY: 50 }));
    expect(up?.marks).toEqual([{ index: 4, row: 0, room: 50 }]);
    expect(up?.isScrolledUp).toBe(true);
  });

  it("[UI 13] the command whose output is on top is told while its own line is above, and not on its own line", () => {
    expect(layOutCommands(source())?.above).toBe(4);
    expect(layOutCommands(source({ viewportY: 50 }))?.above).toBeNull();
    expect(layOutCommands(source({ viewportY: 20 }))?.above).toBe(3);
    expect(layOutCommands(source({ viewportY: 0 }))?.above).toBeNull();
    const evicted = source({ places: [{ index: 3, line: -1 }], viewportY: 0 });
    expect(layOutCommands(evicted)?.above).toBe(3);
  });

  it("nothing is drawn over a full-screen program, without commands, or while the grid is not on screen", () => {
    expect(layOutCommands(source({ isAlternate: true }))).toBeNull();
    expect(layOutCommands(source({ places: [] }))).toBeNull();
    expect(layOutCommands(source({ grid: null }))).toBeNull();
  });

  it("the ruler spans everything that can be scrolled to", () => {
    expect(layOutCommands(source())?.ruler).toEqual([
      { index: 3, at: 0.02 },
      { index: 4, at: 0.5 },
      { index: 5, at: 0.92 },
    ]);
    expect(layOutCommands(source({ baseY: 0, viewportY: 0 }))?.ruler).toEqual([]);
  });

  it("a selected command takes the rows up to the next one, as far as they are in sight", () => {
    const rows = (part: Partial<LayoutSource>) => layOutCommands(source(part))?.selectedRows;
    expect(rows({ selected: 4, viewportY: 48 })).toEqual([2, 20]);
    expect(rows({ selected: 4, viewportY: 80 })).toEqual([0, 12]);
    expect(rows({ selected: 5, viewportY: 80 })).toEqual([12, 20]);
    expect(rows({ selected: 3, viewportY: 80 })).toBeNull();
  });
});

describe("from command to command", () => {
  const { places } = source();
  const atEnd = { viewportY: 80, rows: 20 };

  it("[UI 9] up leads from the end to the newest and then to older ones, and stays at the oldest", () => {
    expect(stepFrom(places, null, -1, atEnd)).toBe(5);
    expect(stepFrom(places, 5, -1, atEnd)).toBe(4);
    expect(stepFrom(places, 3, -1, atEnd)).toBe(3);
    expect(stepFrom(places, null, -1, { viewportY: 10, rows: 20 })).toBe(3);
  });

  it("[UI 9] down leads to newer ones and, past the newest, to the end of the output", () => {
    expect(stepFrom(places, 4, 1, atEnd)).toBe(5);
    expect(stepFrom(places, 5, 1, atEnd)).toBeNull();
    expect(stepFrom(places, null, 1, { viewportY: 10, rows: 20 })).toBe(4);
    expect(stepFrom([{ index: 1, line: -1 }], null, -1, atEnd), "its line is gone").toBeNull();
  });
});
