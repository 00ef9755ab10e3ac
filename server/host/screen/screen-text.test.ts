import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { limits } from "#lib/protocol/limits.ts";
import type { ScreenQuery } from "#lib/protocol/screen.ts";
import { wholeScreen } from "#lib/protocol/screen.ts";
import { feed, screenOf, Viewer } from "#server/testing/screen-dsl.ts";
import { gridSize, streamSteps } from "#server/testing/terminal-stream.ts";
import type { Screen } from "./screen.ts";
import { screenReply } from "./screen-reply.ts";
import { blankCells, type StyledRow, splitCells, styledRows } from "./styled-rows.ts";

const open: Screen[] = [];
afterEach(() => {
  for (const screen of open.splice(0)) screen.dispose();
});

async function screen(data: string, cols = 40, rows = 4): Promise<Screen> {
  const made = await screenOf(data, { cols, rows });
  open.push(made);
  return made;
}

function ask(of: Screen, query: ScreenQuery) {
  return wholeScreen(screenReply(of.view(), query, undefined));
}

function drained<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

describe("join_wrapped", () => {
  it("[SC5] soft-wrapped rows are one line, hard line ends are not; the reply says where each begins", async () => {
    const of = await screen("abcdefghijklmnop\r\nshort\r\nx", 10, 5);
    expect(ask(of, {})).toMatchObject({ lines: ["abcdefghij", "klmnop", "short", "x", ""] });
    expect(ask(of, {})).not.toHaveProperty("joined");
    const joined = ask(of, { join_wrapped: "1" });
    expect(joined).toMatchObject({
      joined: true,
      lines: ["abcdefghijklmnop", "short", "x", ""],
      line_rows: [0, 2, 3, 4],
      cursor: { x: 1, y: 3 },
    });
  });

  it("[SC5] blanks inside a line stay, and the cell that a wide character left empty is no blank", async () => {
    const of = await screen("ab        cd\r\n123456789\u4e2d\u6587!", 10, 5);
    expect(ask(of, {}).lines).toEqual(["ab", "cd", "123456789", "\u4e2d\u6587!", ""]);
    expect(ask(of, { join_wrapped: "1" }).lines).toEqual([
      "ab        cd",
      "123456789\u4e2d\u6587!",
      "",
    ]);
  });

  it("[SC5] a line full of wide characters is joined without blanks", async () => {
    const of = await screen("\u4e2d".repeat(7), 10, 3);
    expect(ask(of, { join_wrapped: "1" }).lines).toEqual(["\u4e2d".repeat(7), ""]);
    const coloured = await screen(`\x1b[44m123456789${"\u4e2d".repeat(3)}\x1b[m`, 10, 3);
    expect(ask(coloured, { join_wrapped: "1" }).lines[0]).toBe(`123456789${"\u4e2d".repeat(3)}`);
  });

  it("[SC5] what was printed in one go is read in one piece, whatever the width", async () => {
    const text = fc
      .array(fc.constantFrom("a", "bc ", "\u4e2d", "e\u0301", "\u{1f44d}\u{1f3fd}", "  x", "-"), {
        minLength: 1,
        maxLength: 40,
      })
      .map((parts) => parts.join("").trim());
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 3, max: 30 }), async (line, cols) => {
        const of = await screenOf(`${line}\r\nend`, { cols, rows: 60 });
        const { lines } = ask(of, { join_wrapped: "1" });
        of.dispose();
        expect(lines.slice(0, 2)).toEqual([line, "end"]);
      }),
      { numRuns: 150 },
    );
  });
});

describe("ghost text", () => {
  const typed = (suggestion: string, rest = "") => `$ git pu${suggestion}${rest}\x1b[1;9H`;

  for (const [name, look] of [
    ["dim", "2"],
    ["palette 8 (zsh-autosuggestions)", "90"],
    ["256 colours, 8", "38;5;8"],
    ["a grey of 256", "38;5;240"],
    ["an RGB grey (fish)", "38;2;85;85;85"],
    ["Solarized's comment grey", "38;2;88;110;117"],
  ]) {
    it(`[SC5] a suggestion in ${name} is taken out of the text, and the reply counts it`, async () => {
      const of = await screen(typed(`\x1b[${look}msh origin\x1b[m`));
      expect(ask(of, {})).toMatchObject({ ghost_text_removed: 9, cursor: { x: 8, y: 0 } });
      expect(ask(of, {}).lines[0]).toBe("$ git pu");
      expect(ask(of, { ghost: "keep" }).lines[0]).toBe("$ git push origin");
      expect(ask(of, { ghost: "keep" })).not.toHaveProperty("ghost_text_removed");
      expect(ask(of, { format: "raw" }).raw).toContain("sh origin");
    });
  }

  it("[SC5] a right prompt keeps its place, grey or not", async () => {
    const of = await screen(typed("\x1b[90msh\x1b[m", "\x1b[1;30H\x1b[90m12:00:00\x1b[m"));
    expect(ask(of, {}).lines[0]).toBe(`${"$ git pu".padEnd(29)}12:00:00`);
    expect(ask(of, {}).ghost_text_removed).toBe(2);
  });

  it("[SC5] a suggestion is followed over wraps, wide characters too, and no further", async () => {
    const of = await screen(
      "$ echo \x1b[90m\u4e2d\u6587 abcdefghij\x1b[m\r\n\x1b[90mgrey\x1b[m\x1b[1;8H",
      12,
    );
    expect(ask(of, {}).lines).toEqual(["$ echo", "", "grey", ""]);
    expect(ask(of, { join_wrapped: "1" }).lines[0]).toBe("$ echo");
  });

  for (const [name, data] of [
    ["colours of what was typed", "$ git pu\x1b[31msh\x1b[m\x1b[1;9H"],
    ["grey text left of the cursor", "\x1b[90m12:00 \x1b[m$ ls"],
    ["a cursor inside grey text", "$ ls \x1b[90m# list all\x1b[m\x1b[1;9H"],
    ["a progress bar at column 0", "\x1b[2m#####.....\x1b[m\r"],
    ["a full-screen program", "\x1b[?1049h\x1b[Hint x; \x1b[90m// note\x1b[m\x1b[1;8H"],
    ["a hidden cursor", "> \x1b[2mtype here\x1b[m\x1b[1;3H\x1b[?25l"],
    ["grey further right", "$ ls      \x1b[90m12:00\x1b[m\x1b[1;5H"],
    ["another row", "$ ls\r\n\x1b[90mgrey\x1b[m\x1b[1;5H"],
    ["dim on a background", "$ ls\x1b[2;44m -la\x1b[m\x1b[1;5H"],
  ]) {
    it(`[SC5] not taken for a suggestion: ${name}`, async () => {
      const of = await screen(data as string);
      expect(ask(of, {})).not.toHaveProperty("ghost_text_removed");
      expect(ask(of, {}).lines).toEqual(ask(of, { ghost: "keep" }).lines);
    });
  }
});

describe("raw", () => {
  /** A blank with nothing on it is the same as an empty cell. */
  const cellsOf = (row: StyledRow) =>
    row.runs.flatMap(({ start, end, look }) =>
      splitCells(row, { start, end })
        .filter(({ text }) => text !== " " || look.bg !== 0)
        .map((cell) => ({ ...cell, look })),
    );

  it("[OP2] raw has the rows, SGR and CRLF, and nothing that is not needed", async () => {
    const of = await screen(
      "plain \x1b[1;31mred\x1b[m\r\n\x1b[?1000h\x1b]8;;https://a.example\x1b\\link\x1b]8;;\x1b\\\x1b[44m\x1b[K",
      10,
      3,
    );
    expect(ask(of, { format: "raw" }).raw).toBe(
      "plain \x1b[0;1;31mred\x1b[m\r\nlink\x1b[44m      \x1b[49m\r\n",
    );
  });

  it("[OP2] raw written to a fresh terminal draws the same screen, and answers no question", async () => {
    await fc.assert(
      fc.asyncProperty(gridSize, streamSteps, async (size, steps) => {
        const of = await screenOf("", size);
        for (const step of steps) {
          if (step.kind === "resize") of.resize(step.size);
          else await feed(of, step.text);
        }
        const raw = ask(of, { format: "raw" }).raw ?? "";
        expect(raw.replace(/\x1b\[[\d;:]*m/g, "")).not.toMatch(/[\x00-\x09\x0b\x0c\x0e-\x1f]/);
        expect(raw.split("\r\n")).toHaveLength(of.size.rows);
        const viewer = new Viewer(of.size);
        viewer.write(raw);
        const drawn = drained(styledRows(viewer.terminal));
        const { cols } = of.size;
        for (const [y, shown] of of.view().rows.entries()) {
          const row = shown.cells > cols ? blankCells(shown, cols - 1, cols) : shown;
          const again = drawn[y] ?? row;
          expect(again.text.replace(/ +$/, "")).toBe(row.text.replace(/ +$/, ""));
          // A mark alone in a cell, which only cursor motion can bring about, joins the cell before it.
          if (again.columns?.join() !== row.columns?.join()) continue;
          // One that found no room, wrapping off, joins the last cell: whether that is wide then depends on what was dropped.
          if (row.cells === cols && /\p{M}$/u.test(row.text)) continue;
          expect(cellsOf(again)).toEqual(cellsOf(row));
        }
        expect(viewer.answered).toBe("");
        viewer.dispose();
        of.dispose();
      }),
      { numRuns: 150 },
    );
  });

  it("text is the same as the emulator's own, whatever the stream", async () => {
    await fc.assert(
      fc.asyncProperty(gridSize, streamSteps, async (size, steps) => {
        const of = await screenOf("", size);
        for (const step of steps) {
          if (step.kind === "resize") of.resize(step.size);
          else await feed(of, step.text);
        }
        const { active } = of.emulator.buffer;
        const own = Array.from({ length: of.size.rows }, (_, y) =>
          active
            .getLine(active.baseY + y)
            ?.translateToString(true, 0, of.size.cols)
            .replace(/ +$/, ""),
        );
        expect(of.view().whole.rows.map(({ text }) => text.replace(/ +$/, ""))).toEqual(own);
        of.dispose();
      }),
      { numRuns: 150 },
    );
  });
});

describe("html", () => {
  it("[OP2] html is one pre with inline styles, everything escaped", async () => {
    const of = await screen("<b>&\"'\x1b[1;4;31mx\x1b[7my\x1b[m\r\n\x1b[8mhid\x1b[m", 20, 2);
    expect(ask(of, { format: "html" }).html).toBe(
      '<pre class="cotty-screen" style="color:#e6eaf2;background:#0e1116">\n' +
        "&lt;b&gt;&amp;&quot;&#39;" +
        '<span style="color:#ff7a80;font-weight:bold;text-decoration:underline">x</span>' +
        '<span style="color:#0e1116;background:#ff7a80;font-weight:bold;text-decoration:underline">y</span>\n' +
        '<span style="visibility:hidden">hid</span></pre>',
    );
  });

  it("[T84] links are links only where they are allowed and tell the truth", async () => {
    const link = (uri: string, text: string) => `\x1b]8;;${uri}\x1b\\${text}\x1b]8;;\x1b\\ `;
    const of = await screen(
      link("https://a.example/?x=\"'<&", "docs") +
        link("javascript:alert(1)", "run") +
        link("https://evil.example", "https://bank.example"),
      80,
      2,
    );
    const html = ask(of, { format: "html" }).html ?? "";
    expect(html.match(/<a /g)).toHaveLength(1);
    expect(html).toContain(
      '<a href="https://a.example/?x=%22%27%3C&amp;" title="a.example" target="_blank" rel="noopener noreferrer nofollow ugc">docs</a>',
    );
    expect(html).not.toContain("javascript");
    expect(html).not.toContain("evil.example");
  });
});

it("a reading is a value: it stays as it was when the screen goes on", async () => {
  const of = await screen("one");
  const before = of.view();
  await feed(of, "\r\x1b[Ktwo");
  expect(before.agent.lines[0]).toBe("one");
  expect(of.view().agent.lines[0]).toBe("two");
});

describe("large screens", () => {
  const grid = { cols: 500, rows: 200 };
  const colourful = () =>
    Array.from(
      { length: grid.cols * grid.rows },
      (_, i) => `\x1b[38;5;${i % 256};4${i % 8}mx`,
    ).join("");

  it("[LM] colours stop where the styled form would be too large, the text goes on", async () => {
    const of = await screenOf(colourful(), grid, 10);
    open.push(of);
    for (const format of ["raw", "html"] as const) {
      const reply = ask(of, { format });
      const styled = reply[format] ?? "";
      expect(styled.length).toBeLessThan(limits.styledScreenChars + grid.cols * grid.rows * 2);
      const from = reply.unstyled_from ?? 0;
      expect(from).toBeGreaterThan(20);
      expect(from).toBeLessThan(grid.rows);
      const rows = styled.split(format === "raw" ? "\r\n" : "\n");
      const first = format === "raw" ? 0 : 1;
      expect(rows[first + from]?.replace("</pre>", "")).toBe("x".repeat(grid.cols));
      expect(rows[first + from - 1]?.length).toBeGreaterThan(grid.cols * 5);
    }
    expect(ask(of, { format: "text" })).not.toHaveProperty("unstyled_from");
  });

  it("[SC7] a reading gives other work its turn, and two at once are one", async () => {
    const of = await screenOf(colourful(), grid, 10);
    open.push(of);
    let turns = 0;
    let isReading = true;
    const count = () => {
      turns++;
      if (isReading) setImmediate(count);
    };
    setImmediate(count);
    const [one, two] = await Promise.all([of.viewInSlices(), of.viewInSlices()]);
    isReading = false;
    expect(turns).toBeGreaterThan(3);
    expect(two).toBe(one);
    expect(one).toEqual({ ...of.view() });
  });

  it("a reading that the screen outran begins again", async () => {
    const of = await screenOf(colourful(), grid, 10);
    open.push(of);
    const reading = of.viewInSlices();
    await feed(of, "\x1b[H\x1b[mnew");
    expect((await reading).agent.lines[0]?.startsWith("newx")).toBe(true);
  });
});
