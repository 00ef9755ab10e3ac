// Shown by 1: what the drawer shows is what the program draws, cell by cell: the page's xterm, the server's screen, an emulator fed
// by the API, and tmux fed with the same bytes.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Place, test } from "../fixtures/cotty-test.ts";
import type { TerminalPage } from "../fixtures/dashboard.ts";
import { screenOf } from "../fixtures/programs.ts";
import { Recorder } from "../fixtures/recorder.ts";
import { scratchFolder } from "../fixtures/scratch.ts";
import { tmuxScreen } from "../fixtures/tmux-screen.ts";

const folder = scratchFolder();

const source = join(folder, "sample.c");
writeFileSync(
  source,
  `#include <stdio.h>\n/* A comment, with "quotes" and a number: 42 */\n${Array.from(
    { length: 80 },
    (_, i) => `static int value_${i} = ${i}; // ${"long ".repeat(i % 40)}`,
  ).join("\n")}\nint main(void) { printf("\\t%d\\n", value_1); return 0; }\n`,
);

/** Characters on whose width every terminal agrees. */
const plainWide = [
  "CJK: \u65e5\u672c\u8a9e \u4e2d\u6587 \ud55c\uad6d\uc5b4 full\uff37\uff29\uff24\uff25",
  "combining: e\u0301 a\u0308 n\u0303 o\u0302\u0323 \u05e9\u05b8 \u0e01\u0e33",
  "emoji: \u{1f600} \u{1f680} \u{1f40d} end",
  `edge: ${"\u65e5".repeat(70)}`,
  "box: \u250c\u2500\u252c\u2510 \u2588\u2593\u2592\u2591 \ue0b0",
];
const wideFile = join(folder, "wide.txt");
writeFileSync(wideFile, `${plainWide.join("\n")}\n`);

/** Clusters that terminals still disagree about: ours agree with each other. */
const clusterFile = join(folder, "clusters.txt");
writeFileSync(
  clusterFile,
  [
    "family \u{1f468}\u200d\u{1f469}\u200d\u{1f467}|",
    "flags \u{1f1ef}\u{1f1f5}\u{1f1e9}\u{1f1ea}|",
    "skin \u{1f44b}\u{1f3fd}|",
    "heart \u2764\ufe0f|",
    "keycap 1\ufe0f\u20e3|",
    "hindi \u0915\u094d\u0937\u0947|",
    "zalgo z\u0310\u0311\u0312\u0313|",
    "",
  ].join("\n"),
);

const coloursFile = join(folder, "colours.txt");
writeFileSync(
  coloursFile,
  [
    Array.from({ length: 16 }, (_, i) => `\x1b[${i < 8 ? 30 + i : 82 + i}mf${i}`).join(" "),
    Array.from({ length: 16 }, (_, i) => `\x1b[0;${i < 8 ? 40 + i : 92 + i}mb${i}`).join(" "),
    "\x1b[0m",
    ...Array.from({ length: 8 }, (_, row) =>
      Array.from({ length: 32 }, (_, i) => `\x1b[48;5;${row * 32 + i}m `).join(""),
    ),
    `\x1b[0m${Array.from({ length: 60 }, (_, i) => `\x1b[38;2;${i * 4};${255 - i * 4};128m#`).join("")}`,
    "\x1b[0;1mbold\x1b[0;2mdim\x1b[0;3mitalic\x1b[0;4munder\x1b[0;5mblink\x1b[0;7minverse\x1b[0;9mstrike\x1b[0m",
    "\x1b[1;3;4;38;2;1;2;3;48;5;200mall at once\x1b[0m plain",
    "",
  ].join("\n"),
);

/** A shell in the window, at the window's size, and a recorder that gets what it prints from here on. */
async function shellIn(
  cotty: Place,
  terminal: TerminalPage,
): Promise<{ size: { cols: number; rows: number }; recorder: Recorder }> {
  await terminal.shows("$");
  // The window is the first viewer: the session takes its size.
  await expect.poll(async () => (await screenOf(cotty, terminal.id)).cols).toBeGreaterThan(100);
  const { cols, rows } = await screenOf(cotty, terminal.id);
  const recorder = await Recorder.attach({
    url: cotty.server.url,
    token: cotty.token,
    id: terminal.id,
    since: await terminal.offset(),
    size: { cols, rows },
  });
  return { size: { cols, rows }, recorder };
}

/** tmux does not print the erased cells at the end of a row, whatever their background. */
function withoutBlankTail(row: string): string {
  return row.replace(/(^|\u00b7) +\{[^}]*\}$/, "");
}

/** Compares all four when the program is quiet: nothing came between the first look and the last. */
async function sameEverywhere(
  cotty: Place,
  terminal: TerminalPage,
  recorder: Recorder,
  size: { cols: number; rows: number },
  options: { withTmux: boolean },
): Promise<void> {
  await expect(async () => {
    const before = recorder.offset;
    const server = await screenOf(cotty, terminal.id);
    const page = await terminal.cells();
    const second = await recorder.cells();
    const tmux = options.withTmux ? await tmuxScreen(Buffer.concat(recorder.bytes), size) : null;
    expect(await terminal.offset()).toBe(recorder.offset);
    expect(recorder.offset).toBe(before);
    expect({ cols: page.cols, rows: page.rows }).toEqual(size);
    expect(page.lines).toEqual(server.lines);
    expect(page.cursor).toEqual({ x: server.cursor.x, y: server.cursor.y });
    expect(second).toEqual(page);
    if (tmux) {
      expect(page.cells.map(withoutBlankTail)).toEqual(tmux.cells.map(withoutBlankTail));
      expect(page.cursor).toEqual(tmux.cursor);
    }
  }).toPass({ timeout: 20_000, intervals: [100, 300, 1000] });
}

const programs: { name: string; command: string; shows: string | RegExp; withTmux: boolean }[] = [
  {
    name: "vim with syntax colours",
    command: `vim -N -u NONE -i NONE -n +'syntax on' +'set number mouse=a' +40 ${source}`,
    shows: "static int value_39",
    withTmux: true,
  },
  { name: "htop", command: "htop -d 100", shows: /F10\s*Quit/, withTmux: true },
  { name: "less", command: `less -N ${source}`, shows: "sample.c", withTmux: true },
  {
    name: "wide, combining and emoji characters",
    command: `cat ${wideFile}`,
    shows: "\u2588\u2593\u2592\u2591",
    withTmux: true,
  },
  {
    name: "grapheme clusters",
    command: `cat ${clusterFile}`,
    shows: "zalgo",
    withTmux: false,
  },
  {
    name: "16, 256 and true colours with every attribute",
    command: `cat ${coloursFile}`,
    shows: "all at once",
    withTmux: true,
  },
];

for (const { name, command, shows, withTmux } of programs)
  test(`[SC1] [SC4] ${name}: the page, the server and a second emulator hold the same cells`, async ({
    cotty,
    dash,
    session,
  }) => {
    const { id } = await session();
    const terminal = await dash.open(id);
    const { size, recorder } = await shellIn(cotty, terminal);
    await terminal.enter(`clear; ${command}`);
    await terminal.shows(shows);
    // By the renderer that people have.
    await expect(terminal.box.locator("canvas").first()).toBeAttached();
    await sameEverywhere(cotty, terminal, recorder, size, { withTmux });
    recorder.close();
  });
