import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import xterm from "@xterm/headless";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { systemClock } from "#lib/base/clock.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import type { Modes } from "#lib/protocol/screen.ts";
import { compareFrame, isWholeRow } from "#server/testing/frame-check.ts";
import { feed, screenOf, Viewer } from "#server/testing/screen-dsl.ts";
import { gridSize, streamSteps } from "#server/testing/terminal-stream.ts";
import { cellText, cellWidth, hasContent } from "./cells.ts";
import { clippedView } from "./frame.ts";
import { measure } from "./grapheme-state.ts";
import { inputModes } from "./input-modes.ts";
import type { Screen } from "./screen.ts";
import { coreOf, type RawLine } from "./xterm-internals.ts";

const session = { cols: 80, rows: 24 };
const large = { cols: 120, rows: 40 };
const folder = join(import.meta.dirname, "../../../e2e/recordings");
const runs = Number(process.env.COTTY_LAW_RUNS ?? 400);

/** A viewer whose terminal is full of something else. */
function usedViewer(size: GridSize): Viewer {
  const viewer = new Viewer(size);
  viewer.write(`\x1b[41;4m${"#".repeat(size.cols * size.rows)}\x1b[5;7r\x1b[?6h\x1b(0`);
  viewer.terminal.clear();
  return viewer;
}

async function paint(screen: Screen, viewer: Viewer): Promise<string> {
  const { cols, rows } = viewer.terminal;
  const frame = await screen.frame(clippedView({ cols, rows }, screen.size));
  const { baseY } = viewer.terminal.buffer.active;
  viewer.write(frame);
  expect(viewer.terminal.buffer.active.baseY, "a frame scrolls nothing").toBe(baseY);
  return new TextDecoder().decode(frame);
}

function lineOf(screen: Screen, y: number): RawLine {
  const { lines, ybase } = coreOf(screen.emulator).buffers.active;
  return lines.get(ybase + y) as RawLine;
}

/** Widths that the receiving terminal would choose itself; autowrap off at the edge makes others. */
function isDrawable(screen: Screen): boolean {
  const { cols, rows } = screen.size;
  const core = coreOf(screen.emulator);
  const { lines, ybase } = core.buffers.active;
  for (let y = 0; y < rows; y++) {
    const line = lines.get(ybase + y);
    if (!line || line.length !== cols || !isWholeRow(line, cols)) return false;
    for (let x = 0; x < cols; x++) {
      if (!hasContent(line, x)) continue;
      const { width } = measure(cellText(line, x), (code, before) =>
        core.unicodeService.charProperties(code, before),
      );
      if (width !== cellWidth(line, x)) return false;
    }
  }
  return true;
}

describe("frames", () => {
  const contents: Record<string, string> = {
    "an empty screen": "",
    "coloured rows to the edge": `\x1b[44m${"x".repeat(80 * 24)}`,
    "a background erased to the edge": "\x1b[42m\x1b[2J\x1b[5;5Hmiddle",
    "wrapped text": "word ".repeat(60),
    "text after scrolling": Array.from({ length: 100 }, (_, i) => `line ${i}`).join("\r\n"),
    "wide characters at the edge": `${"中".repeat(40)}\r\n${"中".repeat(39)}a中`,
    "clusters and marks": "👨‍👩‍👧 e\u0301 🇩🇪 ❤️ क्षि x",
    "the alternate screen": "normal\x1b[?1049h\x1b[3;3Halternate\x1b[?25l",
    "a waiting wrap": `\x1b[7;1H${"x".repeat(80)}`,
    "two cells at the edge that are empty and underlined":
      "\x1b[31;4m\x1b[1;79H中\x1b[79G \x1b[78G中\x1b[78G ",
    "a link": "\x1b]8;;http://example.org/\x1b\\here\x1b]8;;\x1b\\ not",
    "a bar cursor": "\x1b[5 q$ ",
    "a scroll region and origin mode": "\x1b[3;9r\x1b[?6hinside\r\n\n\n\n\n\n\n\nlast",
    "line drawing": "\x1b(0lqqk\x1b(B",
    "every attribute": "\x1b[1;3;4:3;5;7;9;53;38;2;1;2;3;48;5;99;58;5;7mall\x1b[m\x1b[2;8mdim",
  };
  for (const [name, output] of Object.entries(contents)) {
    it(`[AT6] ${name}: a larger, an equal, a wider, a taller and a smaller terminal show it cell by cell`, async () => {
      const screen = await screenOf(output, session);
      for (const size of [
        large,
        session,
        { cols: 120, rows: 24 },
        { cols: 80, rows: 40 },
        { cols: 33, rows: 7 },
      ]) {
        const viewer = usedViewer(size);
        await paint(screen, viewer);
        expect(compareFrame(screen.emulator, viewer.terminal), `${size.cols}x${size.rows}`).toEqual(
          [],
        );
        viewer.dispose();
      }
      screen.dispose();
    });
  }

  for (const file of readdirSync(folder).filter((name) => name.endsWith(".bin"))) {
    it(`[AT6] ${file}: at 15 places of the recording the viewer shows the screen, nothing of the frame before`, async () => {
      const [, cols, rows] = /-(\d+)x(\d+)\.bin$/.exec(file) ?? [];
      const bytes = readFileSync(join(folder, file));
      const screen = await screenOf("", { cols: Number(cols), rows: Number(rows) });
      const viewers = [
        large,
        { cols: Number(cols), rows: Number(rows) },
        { cols: 31, rows: 9 },
      ].map(usedViewer);
      for (let i = 0; i < 15; i++) {
        await feed(screen, bytes.subarray((bytes.length * i) / 15, (bytes.length * (i + 1)) / 15));
        for (const viewer of viewers) {
          await paint(screen, viewer);
          expect(compareFrame(screen.emulator, viewer.terminal), `part ${i}`).toEqual([]);
        }
      }
      for (const viewer of viewers) viewer.dispose();
      screen.dispose();
    });
  }

  it(`[AT6] ${runs} random streams: one viewer follows through every step, resizes too`, async () => {
    await fc.assert(
      fc.asyncProperty(gridSize, gridSize, streamSteps, async (size, view, steps) => {
        const screen = await screenOf("", size, 20);
        const viewer = usedViewer(view);
        try {
          for (const step of steps) {
            if (step.kind === "bytes") await feed(screen, step.text);
            else screen.resize(step.size);
            await paint(screen, viewer);
            if (!isDrawable(screen)) continue;
            expect(compareFrame(screen.emulator, viewer.terminal)).toEqual([]);
          }
          expect(viewer.answered, "nothing in a frame asks").toBe("");
        } finally {
          viewer.dispose();
          screen.dispose();
        }
      }),
      {
        numRuns: runs,
        ...(process.env.COTTY_LAW_SEED ? { seed: Number(process.env.COTTY_LAW_SEED) } : {}),
      },
    );
  }, 600_000);

  it("[AT6] what is between begin and end of the update neither scrolls nor rings nor asks", async () => {
    const screen = await screenOf("\x1b[31mred\x07\r\n".repeat(50), session);
    const viewer = new Viewer(large);
    const text = await paint(screen, viewer);
    expect(text.startsWith("\x1b[?2026h")).toBe(true);
    expect(text.endsWith("\x1b[?2026l")).toBe(true);
    expect(text.slice(8, -8)).not.toContain("2026");
    expect(text).not.toMatch(/[\n\x07\t]/);
    viewer.dispose();
    screen.dispose();
  });

  it("[AT6] a terminal that takes symbols and clusters for wider or narrower still has everything else in its place", async () => {
    const rows = ["👨‍👩‍👧 family", "🇩🇪 flag", "❤️ heart", "⌚ watch", "e\u0301 accent", "中文 text"];
    const screen = await screenOf(rows.join("\r\n"), session);
    const older = new xterm.Terminal({ ...large, allowProposedApi: true, logLevel: "off" });
    const write = (data: string | Uint8Array) =>
      new Promise<void>((resolve) => older.write(data, resolve));
    await write("#".repeat(large.cols * large.rows));
    await write(await screen.frame(clippedView(large, session)));
    rows.forEach((row, y) => {
      const word = row.split(" ")[1] ?? "";
      const line = older.buffer.active.getLine(older.buffer.active.baseY + y);
      const at =
        Array.from({ length: 80 }, (_, x) => x).find(
          (x) => cellText(lineOf(screen, y), x) === word[0],
        ) ?? -1;
      expect(line?.translateToString(true, at), row).toBe(word);
      expect(line?.translateToString(true), row).not.toContain("#");
    });
    older.dispose();
    screen.dispose();
  });

  it("[AT6] all larger terminals get the same picture", () => {
    expect(clippedView(large, session)).toEqual(clippedView({ cols: 999, rows: 300 }, session));
    expect(clippedView(session, session)).toEqual(session);
    expect(clippedView({ cols: 20, rows: 60 }, session)).toEqual({ cols: 20, rows: 25 });
  });

  it("[SN4] the largest screen is drawn in pieces that leave the loop to others", async () => {
    const size = { cols: 1_000, rows: 500 };
    const screen = await screenOf("", size, 0);
    for (let y = 1; y <= size.rows; y++)
      await feed(screen, `\x1b[${y}H${"\x1b[31mab\x1b[32mcd".repeat(250)}`);
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const beganMs = systemClock.monotonic();
    await screen.frame(size);
    isDone = true;
    const tookMs = systemClock.monotonic() - beganMs;
    // A piece is 6 ms and a row; tolerant of a machine that is busy.
    expect(turns).toBeGreaterThan(Math.min(3, tookMs / 40));
    screen.dispose();
  });
});

describe("input modes of frames", () => {
  const plain: Modes = {
    mouse: "off",
    mouse_encoding: "default",
    app_cursor_keys: false,
    app_keypad: false,
    bracketed_paste: false,
    focus_reporting: false,
    insert: false,
    origin: false,
    autowrap: true,
  };
  const seen = (viewer: Viewer) => {
    const {
      mouseTrackingMode,
      applicationCursorKeysMode,
      applicationKeypadMode,
      bracketedPasteMode,
      sendFocusMode,
    } = viewer.terminal.modes;
    return {
      mouseTrackingMode,
      applicationCursorKeysMode,
      applicationKeypadMode,
      bracketedPasteMode,
      sendFocusMode,
      encoding: coreOf(viewer.terminal).coreMouseService.activeEncoding,
    };
  };
  const xtermName = {
    off: "none",
    x10: "x10",
    normal: "vt200",
    button_event: "drag",
    any_event: "any",
  } as const;

  it("[AT6] whatever the viewer's terminal was set to before, it sends keys, pastes and mouse as the program asked", () => {
    const viewer = new Viewer(large);
    for (const mouse of ["any_event", "button_event", "normal", "x10", "off"] as const) {
      for (const mouse_encoding of ["sgr", "sgr_pixels", "default"] as const) {
        for (const isOn of [true, false]) {
          viewer.write(
            inputModes({
              ...plain,
              mouse,
              mouse_encoding,
              app_cursor_keys: isOn,
              app_keypad: isOn,
              bracketed_paste: isOn,
              focus_reporting: isOn,
            }),
          );
          expect(seen(viewer)).toEqual({
            mouseTrackingMode: xtermName[mouse],
            applicationCursorKeysMode: isOn,
            applicationKeypadMode: isOn,
            bracketedPasteMode: isOn,
            sendFocusMode: isOn,
            encoding: { sgr: "SGR", sgr_pixels: "SGR_PIXELS", default: "DEFAULT" }[mouse_encoding],
          });
        }
      }
    }
    viewer.dispose();
  });

  it("[AT6] encodings that the emulator does not know are passed on", () => {
    expect(inputModes({ ...plain, mouse: "normal", mouse_encoding: "urxvt" })).toMatch(
      /\x1b\[\?1000h\x1b\[\?1015h$/,
    );
    expect(inputModes({ ...plain, mouse: "normal", mouse_encoding: "utf8" })).toMatch(
      /\x1b\[\?1000h\x1b\[\?1005h$/,
    );
  });
});
