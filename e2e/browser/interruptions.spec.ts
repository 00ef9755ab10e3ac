// Shown by 2: in the middle of vim everything between the page and the program breaks; the edit goes on as if nothing had been.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Place, test } from "../fixtures/cotty-test.ts";
import type { Dashboard, TerminalPage } from "../fixtures/dashboard.ts";
import { screenOf } from "../fixtures/programs.ts";
import { scratchFolder } from "../fixtures/scratch.ts";
import type { TcpProxy } from "../fixtures/tcp-proxy.ts";

const folder = scratchFolder();
let files = 0;

interface Edit {
  file: string;
  id: string;
  terminal: TerminalPage;
  /** What has been typed into the buffer so far, line by line. */
  lines: string[];
}

/** vim in insert mode in the middle of an unsaved file. */
async function startEdit(place: Place, dash: Dashboard): Promise<Edit> {
  const file = join(folder, `edit-${++files}.txt`);
  const { id } = await place.api.createSession({
    body: {
      command: ["vim", "-N", "-u", "NONE", "-i", "NONE", "-n", file],
      name: "vim",
    },
  });
  // A running program makes the page ask before it is left (B119).
  dash.page.on("dialog", (dialog) => void dialog.accept());
  const terminal = await dash.open(id);
  await terminal.type(":set mouse=a ttymouse=sgr showmode");
  await dash.page.keyboard.press("Enter");
  const lines = ["first line of the file", "second \u65e5\u672c\u8a9e line", "third line"];
  await terminal.type(`i${lines.join("\n")}`);
  await terminal.shows("third line");
  await terminal.shows("-- INSERT --");
  return { file, id, terminal, lines };
}

/** What must not change by itself. */
async function stateOf(place: Place, edit: Edit) {
  const { lines, cursor, modes, hash, alt_screen } = await screenOf(place, edit.id);
  return { lines, cursor, modes, hash, alt_screen };
}

/** Page and server agree, and nothing is other than `before`. */
async function isUntouched(
  place: Place,
  edit: Edit,
  before: Awaited<ReturnType<typeof stateOf>>,
  terminal = edit.terminal,
): Promise<void> {
  await terminal.isLive();
  const server = await stateOf(place, edit);
  expect(server).toEqual(before);
  await expect(async () => {
    const page = await terminal.cells();
    expect(page.lines).toEqual(before.lines);
    expect(page.cursor).toEqual({ x: before.cursor.x, y: before.cursor.y });
  }).toPass({ timeout: 10_000 });
  expect(await terminal.modes()).toMatchObject({
    mouse: "drag",
    isAlternate: true,
    bracketedPaste: before.modes.bracketed_paste,
    appCursorKeys: before.modes.app_cursor_keys,
    appKeypad: before.modes.app_keypad,
    focusReports: before.modes.focus_reporting,
  });
}

/** Types one more line: it arrives once, where the cursor was. */
async function typeOn(edit: Edit, text: string, terminal = edit.terminal): Promise<void> {
  await terminal.type(`\n${text}`);
  edit.lines.push(text);
  await terminal.shows(text);
  const shown = (await terminal.lines()).slice(0, edit.lines.length);
  expect(shown).toEqual(edit.lines);
}

/** A click still moves vim's cursor: mode and encoding of the mouse survived. */
async function mouseWorks(edit: Edit, terminal = edit.terminal): Promise<void> {
  await terminal.clickCell(3, 0);
  await expect.poll(async () => (await terminal.cells()).cursor).toEqual({ x: 3, y: 0 });
  const end = edit.lines.length - 1;
  const last = edit.lines[end] as string;
  // In insert mode a click beyond the end goes to the end.
  await terminal.clickCell(last.length + 5, end);
  await expect
    .poll(async () => (await terminal.cells()).cursor)
    .toEqual({ x: last.length, y: end });
}

async function saveAndLook(edit: Edit, terminal = edit.terminal): Promise<void> {
  await terminal.focus();
  await terminal.page.keyboard.press("Escape");
  await terminal.enter(":wq");
  await expect
    .poll(() => {
      try {
        return readFileSync(edit.file, "utf8");
      } catch {
        return null;
      }
    })
    .toBe(`${edit.lines.join("\n")}\n`);
}

test("[SN1] [AT8] vim goes on after a reload, in a second window, and after kill -9 of web; the file is saved as typed", async ({
  shaky,
  newWindow,
  watch,
}) => {
  watch.expect(/Failed to load resource|WebSocket connection/);
  const dash = await newWindow({ at: shaky });
  const edit = await startEdit(shaky, dash);

  await test.step("reload", async () => {
    const before = await stateOf(shaky, edit);
    await dash.page.reload();
    await edit.terminal.ready();
    await isUntouched(shaky, edit, before);
    await typeOn(edit, "after the reload");
    await mouseWorks(edit);
  });

  await test.step("a second window", async () => {
    const before = await stateOf(shaky, edit);
    const second = await newWindow({ at: shaky });
    const there = await second.open(edit.id);
    await isUntouched(shaky, edit, before, there);
    await isUntouched(shaky, edit, before);
    await typeOn(edit, "from the second window", there);
    await mouseWorks(edit, there);
    await edit.terminal.shows("from the second window");
    await second.page.close();
  });

  await test.step("the connection is reset", async () => {
    const before = await stateOf(shaky, edit);
    (shaky.proxy as TcpProxy).cut();
    await edit.terminal.isLive();
    await isUntouched(shaky, edit, before);
    await typeOn(edit, "after the reset");
  });

  await test.step("kill -9 of web, and a new one on the same port", async () => {
    const before = await stateOf(shaky, edit);
    await shaky.server.killWeb();
    await expect(dash.banner).toHaveText(/Reconnecting/);
    await shaky.server.start();
    await isUntouched(shaky, edit, before);
    await typeOn(edit, "after the kill");
    await mouseWorks(edit);
  });

  await saveAndLook(edit);
});

/** Issue 2's own figure: longer than every patience on the way. */
const outageMs = 60_000;

test("[AT8] [AT9] [B121] a network dead for 60 s is noticed within 45 s, keys are refused in sight, and vim goes on when it is back", async ({
  shaky,
  newWindow,
  watch,
}) => {
  test.setTimeout(outageMs + 90_000);
  watch.expect(/Failed to load resource|WebSocket connection/);
  const proxy = shaky.proxy as TcpProxy;
  const dash = await newWindow({ at: shaky, hasWebgl: false });
  const edit = await startEdit(shaky, dash);
  const before = await stateOf(shaky, edit);
  const outage = Date.now();
  proxy.freeze();
  // Nobody knows yet, so these are sent; they must not vanish in silence either.
  await edit.terminal.type("GONE");
  // Packets vanish, nobody is told: only silence gives it away.
  await expect(dash.banner).toHaveText(/Reconnecting/, { timeout: 45_000 });
  expect(Date.now() - outage).toBeLessThan(45_000);
  await edit.terminal.type("LOST!");
  await expect(dash.banner).toHaveText(/9 keys were not sent/);
  await expect(dash.page.getByText("Offline").first()).toBeVisible({ timeout: 20_000 });
  await dash.page.waitForTimeout(outage + outageMs - Date.now());
  await expect(dash.banner).toHaveText(/9 keys were not sent/);
  expect(await stateOf(shaky, edit)).toEqual(before);
  proxy.thaw();
  await isUntouched(shaky, edit, before);
  await typeOn(edit, "after the outage");
  await mouseWorks(edit);
  await saveAndLook(edit);
});
