// Shown by 6, the browser's part: whatever one session prints, the tab lives, another session is typed in, and the picture is true.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { bombs } from "#server/testing/bombs.ts";
import { patience } from "#server/testing/patience.ts";
import { expect, test } from "../fixtures/cotty-test.ts";
import type { TerminalPage } from "../fixtures/dashboard.ts";
import { screenOf, screenText } from "../fixtures/programs.ts";
import { scratchFolder } from "../fixtures/scratch.ts";

const folder = scratchFolder();

/** The longest time in which the page could do nothing else, in ms. */
async function watchStalls(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const state = globalThis as typeof globalThis & { longestStall?: number };
    state.longestStall = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        state.longestStall = Math.max(state.longestStall ?? 0, entry.duration);
    }).observe({ type: "longtask" });
  });
  return () =>
    page.evaluate(
      () => (globalThis as typeof globalThis & { longestStall?: number }).longestStall ?? 0,
    );
}

/** Of the numbered frames: how many the terminal has held when its page painted, and the last of them. */
async function watchFrames({ page, id }: TerminalPage) {
  await page.evaluate((session) => {
    const painted = { count: 0, last: 0 };
    Object.assign(globalThis, { painted });
    const look = () => {
      const lines = globalThis.cottyTerminals?.get(session)?.lines() ?? [];
      const frame = Number(/frame (\d+)/.exec(lines.join("\n"))?.[1] ?? 0);
      if (frame !== painted.last) painted.count += 1;
      painted.last = frame;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, id);
  return () =>
    page.evaluate(
      () => (globalThis as unknown as { painted: { count: number; last: number } }).painted,
    );
}

/** From key to picture, in ms. */
async function echo(terminal: TerminalPage, key: string, expected: string): Promise<number> {
  const start = performance.now();
  await terminal.page.keyboard.type(key);
  await terminal.page.waitForFunction(
    ([id, text]) =>
      globalThis.cottyTerminals
        ?.get(id as string)
        ?.lines()
        .join("")
        .includes(text as string),
    [terminal.id, expected],
    { polling: 10 },
  );
  return performance.now() - start;
}

test("[SC8] all bombs in one session: its tab stays alive, and another session echoes meanwhile", async ({
  cotty,
  newWindow,
  session,
}) => {
  test.setTimeout(180_000);
  // One file, as a person would `cat` it; each ends in what brings a terminal back.
  const corpus = bombs();
  const file = join(folder, "bombs.bin");
  writeFileSync(
    file,
    Buffer.concat(
      corpus.flatMap(({ bytes }) => [Buffer.from(bytes), Buffer.from("\x18\x1b\\\x1bc")]),
    ),
  );
  const bombed = await session({
    name: "bombed",
    command: ["sh", "-c", `stty raw -echo; cat ${file}; printf '\\033cSUR''VIVED'; sleep 600`],
  });
  const watched = await newWindow();
  const there = await watched.open(bombed.id);
  const longestStall = await watchStalls(watched.page);

  const typed = await session({ command: ["cat"], name: "typed" });
  const dash = await newWindow({ hasWebgl: false });
  const terminal = await dash.open(typed.id);
  await terminal.focus();
  const times: number[] = [];
  let text = "";
  for (const key of "thequickbrownfoxjumpsoverthelazydog") {
    text += key;
    times.push(await echo(terminal, key, text));
  }
  await there.shows("SURVIVED", 150_000);
  times.sort((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)] as number;
  // What SC8 asks of the server is measured there; here a test driver and a software renderer are part of each figure.
  expect(median, `echo, sorted: ${times.map(Math.round)}`).toBeLessThan(patience(250));
  expect(await longestStall()).toBeLessThan(patience(1_000));
  // The page that showed all of it can be used at once.
  expect((await there.lines()).join("").trim()).toBe("SURVIVED");
  expect(await screenText(cotty, bombed.id)).toContain("SURVIVED");
  await watched.newTerminal();
});

test("[B123] a stream of emoji, wide characters and colours, and synchronised frames, is painted as it comes", async ({
  cotty,
  dash,
  session,
}) => {
  const frames = join(folder, "frames.mjs");
  writeFileSync(
    frames,
    `let n = 0;
const faces = ["\u{1f600}", "\u{1f680}", "\u65e5\u672c", "e\u0301", "\u{1f468}\u200d\u{1f4bb}"];
function frame() {
  n += 1;
  let text = "\\x1b[?2026h\\x1b[H";
  for (let row = 1; row < 12; row++)
    text += "\\x1b[38;5;" + ((n + row) % 256) + "m" + faces[(n + row) % faces.length].repeat(9) + " \\x1b[48;2;" + (n % 256) + ";9;99mrow " + row + "\\x1b[0m\\x1b[K\\r\\n";
  text += "frame " + n + "\\x1b[K\\x1b[?2026l";
  process.stdout.write(text, () => (n < 4000 && !process.exitCode ? setTimeout(frame, 2) : process.stdout.write("\\r\\nFINISHED")));
}
process.on("SIGUSR1", () => { process.exitCode = 7; });
frame();
setInterval(() => {}, 1000);
`,
  );
  const { id } = await session({ command: [process.execPath, frames], name: "frames" });
  const terminal = await dash.open(id);
  await terminal.shows(/frame \d+/);
  const frameIn = (text: string) => Number(/frame (\d+)/.exec(text)?.[1] ?? 0);
  const painted = await watchFrames(terminal);
  const inTime = { timeout: patience(1_000), intervals: [20, 50] };
  for (const far of [1, 250, 500]) {
    // So far that a page which falls behind is behind.
    await expect
      .poll(async () => frameIn(await screenText(cotty, id)), { intervals: [50] })
      .toBeGreaterThanOrEqual(far);
    const before = frameIn(await screenText(cotty, id));
    const { count } = await painted();
    // Within a second of what the server had, where the processors are free; and not in one jump.
    await expect.poll(async () => (await painted()).last, inTime).toBeGreaterThanOrEqual(before);
    await expect.poll(async () => (await painted()).count, inTime).toBeGreaterThan(count + 5);
  }
  await cotty.api.signalSession({ params: { id }, body: { signal: "USR1" } });
  await terminal.shows("FINISHED");
  const server = await screenOf(cotty, id);
  expect((await terminal.cells()).lines).toEqual(server.lines);
});

test("[B124] a long session is opened at its end: no old output is seen to rush by", async ({
  dash,
  session,
}) => {
  const { id } = await session({
    command: ["sh", "-c", "seq -f 'line-%g' 1 5000; printf THE-END; sleep 600"],
    name: "long",
  });
  // What is painted is looked at in every frame from the first on.
  await dash.page.addInitScript((session) => {
    const firsts: string[] = [];
    Object.assign(globalThis, { firsts });
    const look = () => {
      const terminal = globalThis.cottyTerminals?.get(session);
      const rows = document.querySelector(`[data-session="${session}"] .xterm-rows`);
      const isShown = rows?.closest<HTMLElement>("[data-session]")?.style.visibility !== "hidden";
      if (terminal && rows && isShown) {
        const text = (rows.textContent ?? "").trim();
        if (text !== "" && firsts.at(-1) !== text) firsts.push(text);
      }
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    localStorage.setItem("cotty.settings.v1", JSON.stringify({ renderer: "dom" }));
  }, id);
  const terminal = await dash.open(id);
  await terminal.shows("THE-END");
  await expect
    .poll(() =>
      dash.page.evaluate(() => (globalThis as unknown as { firsts: string[] }).firsts.length),
    )
    .toBeGreaterThan(0);
  const painted = await dash.page.evaluate(
    () => (globalThis as unknown as { firsts: string[] }).firsts,
  );
  for (const text of painted) expect(text).toContain("THE-END");
});

test("[B015] [B136] Ctrl-C stops a flood within a second, and the last screen is true", async ({
  cotty,
  dash,
  session,
}) => {
  const { id } = await session();
  const terminal = await dash.open(id);
  await terminal.shows("$");
  const longestStall = await watchStalls(dash.page);
  await terminal.enter("yes flood");
  await terminal.shows(/flood\nflood\nflood/);
  await expect.poll(() => terminal.offset()).toBeGreaterThan(1_000_000);
  const start = Date.now();
  await dash.page.keyboard.press("Control+c");
  await expect.poll(() => screenText(cotty, id), { intervals: [20] }).toMatch(/\^C\n?.*\$\s*$/);
  expect(Date.now() - start).toBeLessThan(patience(1_000));
  await terminal.enter("echo $((40+2))");
  await terminal.shows(/^42$/m);
  expect((await terminal.cells()).lines).toEqual((await screenOf(cotty, id)).lines);
  expect(await longestStall()).toBeLessThan(patience(1_000));
});
