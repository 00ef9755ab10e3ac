// Commands in the drawer: marks at their lines, what can be done with them, the lists, and notices (UI.md 8, 9, 13).
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import type { TerminalLook } from "#lib/xterm/terminal-registry.ts";
import { expect, test } from "../fixtures/cotty-test.ts";
import type { TerminalPage } from "../fixtures/dashboard.ts";
import { scratchFolder } from "../fixtures/scratch.ts";

test.use({ hasWebgl: false });

declare const cottyTerminals: Map<string, TerminalLook>;

interface SeenMark {
  index: number;
  result: string | null;
  /** What stands in the row beside it. */
  text: string;
}

/** Marks in sight, from top to bottom. */
function marks(page: Page, id: string): Promise<SeenMark[]> {
  return page.evaluate((session) => {
    const { buffer, rows } = cottyTerminals.get(session) as TerminalLook;
    const screen = document.querySelector(`[data-terminal="${session}"] .xterm-screen`);
    const box = screen?.getBoundingClientRect() ?? new DOMRect();
    return [
      ...document.querySelectorAll<HTMLElement>(`[data-commands="${session}"] [data-mark]`),
    ].map((mark) => {
      const { top, height } = mark.getBoundingClientRect();
      const row = Math.floor(((top + height / 2 - box.top) / box.height) * rows);
      return {
        index: Number(mark.dataset.mark),
        result: mark.querySelector<HTMLElement>("[data-result]")?.dataset.result ?? null,
        text: buffer.getLine(buffer.viewportY + row)?.translateToString(true) ?? "",
      };
    });
  }, id);
}

async function showsMarks(terminal: TerminalPage, wanted: readonly (readonly [string, string])[]) {
  await expect
    .poll(async () =>
      (await marks(terminal.page, terminal.id)).map(({ text, result }) => [text, result]),
    )
    .toEqual(wanted);
}

const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

test("marks stand at their lines with the right result: live, after a reload, another size and scrolling", async ({
  dash,
  session,
}) => {
  const { page } = dash;
  const { id } = await session();
  let terminal = await dash.open(id);
  await terminal.shows("$");
  // One after the other: what is typed ahead stands before the prompt.
  await terminal.enter("true");
  await showsMarks(terminal, [["$ true", "ok"]]);
  await terminal.enter("(exit 3)");
  await terminal.shows(/exit 3\)\n\$$/);
  await terminal.enter("");
  await terminal.shows(/\$\n\$$/);
  await terminal.enter("sleep 600");
  const four = [
    ["$ true", "ok"],
    ["$ (exit 3)", "failed"],
    ["$ sleep 600", "running"],
  ] as const;
  await showsMarks(terminal, four);
  await page.reload();
  terminal = await dash.terminal(id).ready();
  await showsMarks(terminal, four);
  await terminal.focus();
  await page.keyboard.press("Control+C");
  await terminal.shows(/\^C\n\$$/);
  await terminal.enter("seq 1 200");
  await terminal.shows("200");
  const { rows } = await terminal.cells();
  await page.setViewportSize({ width: 620, height: 560 });
  await expect.poll(async () => (await terminal.cells()).rows).toBeLessThan(rows);
  await terminal.focus();
  await page.keyboard.press("Shift+Home");
  const all = [
    ["$ true", "ok"],
    ["$ (exit 3)", "failed"],
    ["$ sleep 600", "failed"],
    ["$ seq 1 200", "ok"],
  ] as const;
  await expect
    .poll(async () =>
      (await marks(page, id)).map(({ text, result }) => [text.replace("^C", ""), result]),
    )
    .toEqual(all);
  await expect(page.locator(`[data-commands="${id}"] [data-tick]`)).toHaveCount(2);
  // In the middle of a long output its command is on top, and leads back to its line.
  await page.keyboard.press("Shift+End");
  await page.keyboard.press("Shift+PageUp");
  const sticky = page.getByRole("button", { name: "Go to the beginning of seq 1 200" });
  await sticky.click();
  await expect(sticky).toBeHidden();
  await expect.poll(async () => (await marks(page, id)).at(-1)?.text).toBe("$ seq 1 200");
});

test("from its mark a command is told, copied with its exact output, and typed again without Enter; keys do the same", async ({
  dash,
  session,
}) => {
  const { page } = dash;
  const { id } = await session();
  const terminal = await dash.open(id);
  await terminal.shows("$");
  await terminal.enter("printf 'a  b\\n\\tc\\n'; sleep 2.1; (exit 7)");
  const mark = page.locator(`[data-mark="1"]`);
  await expect(mark.locator("[data-result=failed]")).toBeVisible();
  await expect(page.locator('[data-badge="1"]')).toHaveText("exit 7 · 2 s");
  await expect(page.getByTestId("last-command")).toContainText("exit 7 · 2 s");
  await mark.hover();
  const card = page.getByRole("tooltip").filter({ hasText: "Typed by" });
  await expect(card).toContainText("sleep 2.1");
  await expect(card).toContainText("exit 7");
  await expect(card).toContainText("You");

  await mark.click();
  await page.getByRole("menuitem", { name: "Copy output" }).click();
  await expect.poll(() => copied(page)).toBe("a  b\n        c\n");
  await mark.click();
  await page.getByRole("menuitem", { name: "Copy command" }).click();
  await expect.poll(() => copied(page)).toBe("printf 'a  b\\n\\tc\\n'; sleep 2.1; (exit 7)");

  await terminal.focus();
  await terminal.enter("echo again");
  await expect(page.locator('[data-mark="2"] [data-result=ok]')).toBeVisible();
  await page.locator('[data-mark="2"]').click();
  await page.getByRole("menuitem", { name: "Type it again" }).click();
  await expect.poll(async () => (await terminal.text()).match(/\$ echo again/g)?.length).toBe(2);
  await page.keyboard.press("Enter");
  await expect(page.locator('[data-mark="3"] [data-result=ok]')).toBeVisible();
  expect((await terminal.text()).match(/^again$/gm)).toHaveLength(2);

  await terminal.focus();
  await page.keyboard.press("Control+Shift+ArrowUp");
  await expect(page.locator('[data-selected-command="3"]')).toBeVisible();
  await page.keyboard.press("Control+Shift+ArrowUp");
  await page.keyboard.press("Control+Shift+ArrowUp");
  await expect(page.locator('[data-selected-command="1"]')).toBeVisible();
  await page.keyboard.press("Control+Shift+ArrowDown");
  await expect(page.locator('[data-selected-command="2"]')).toBeVisible();
  await page.keyboard.press("c");
  await expect.poll(() => copied(page)).toBe("again\n");
  await page.keyboard.press("r");
  await expect(page.locator("[data-selected-command]")).toBeHidden();
  await expect.poll(async () => (await terminal.text()).match(/\$ echo again/g)?.length).toBe(3);
  expect((await terminal.text()).match(/^again$/gm)).toHaveLength(2);
  await expect(page.getByText("Output copied")).toBeVisible();
});

/** Headless browsers have nobody to ask: what the page asks for and shows is what counts. */
function standInForNotifications(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    const seen = { permission: "default", asked: 0, shown: [] as unknown[] };
    Object.assign(window, { seen });
    Object.defineProperty(Notification, "permission", { get: () => seen.permission });
    Notification.requestPermission = async () => {
      seen.asked += 1;
      seen.permission = "granted";
      return "granted";
    };
    ServiceWorkerRegistration.prototype.showNotification = async (title, options) => {
      seen.shown.push([title, options?.body, options?.tag]);
    };
  });
}
const noticesSeen = (page: Page) =>
  page.evaluate(() => (window as never as { seen: { asked: number; shown: unknown[] } }).seen);

test("the lists, of one terminal and of all, are searched and filtered by keys; long commands that end unseen are told", async ({
  cotty,
  dash,
  session,
}) => {
  const { page } = dash;
  await standInForNotifications(page);
  const start = async (name: string, text: string) => {
    const { id } = await session({ name });
    const known = async () => (await cotty.api.getSession({ params: { id } })).integration;
    await expect.poll(known).not.toBe("none");
    await cotty.api.writeInput({ params: { id }, body: { input: [{ text }, { key: "Enter" }] } });
    // The lists go by when a command began, not by when it was sent.
    const last = async () => (await cotty.api.getSession({ params: { id } })).last_command;
    await expect.poll(last).not.toBeNull();
    return id;
  };
  const folder = scratchFolder();
  // They end when the test says so, and not before they are long.
  const untilSaid = (name: string) => `until [ -e ${folder}/${name} ]; do sleep 0.1; done`;
  await start("long", `${untilSaid("one")}; (exit 4)`);
  const longer = await start("longer", untilSaid("two"));
  const began = Date.now();
  const other = await start("build", "ls /nowhere");
  const { id } = await session({ name: "shop" });
  const plain = (await session({ name: "plain", command: ["dash"] })).id;
  const terminal = await dash.open(id);
  await terminal.shows("$");
  await terminal.enter("seq 1 300");
  await terminal.enter("false");
  await terminal.shows("$ false");

  await page.keyboard.press("Alt+Shift+J");
  const panel = page.getByRole("complementary", { name: "Commands in shop" });
  const rows = panel.locator("[data-row]");
  await expect(rows).toHaveText([/false/, /seq 1 300/]);
  await page.keyboard.type("seq");
  await expect(rows).toHaveText([/seq 1 300/]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await marks(page, id))[0]?.text).toBe("$ seq 1 300");
  await panel.getByRole("searchbox").fill("");
  await panel.getByRole("button", { name: "Failed" }).click();
  await expect(rows).toHaveText([/false/]);
  await panel.getByRole("searchbox").press("Escape");
  await expect(panel).toBeHidden();

  await page.keyboard.press("Control+Backquote");
  await page.keyboard.press("Alt+Shift+J");
  const all = page.getByRole("region", { name: "Commands in all sessions" });
  await expect(all.locator("[data-row]")).toHaveText([
    /false.*shop/,
    /seq 1 300.*shop/,
    /ls \/nowhere.*build/,
    /until.*longer/,
    /until.*exit 4.*long/,
  ]);
  await all.getByRole("button", { name: "Failed" }).click();
  await expect(all.locator("[data-row]").filter({ hasText: "shop" })).toHaveText([/false/]);
  await all.locator("[data-row]").filter({ hasText: "nowhere" }).click();
  await dash.terminal(other).ready();
  await expect(
    page.locator(`[data-commands="${other}"] [data-selected-command="1"]`),
  ).toBeVisible();

  // A shell without marks: nothing is invented, and it is said why.
  await dash.rail.getByRole("link", { name: /plain/ }).click();
  const silent = await dash.terminal(plain).ready();
  await silent.enter("echo hello");
  await silent.shows(/^hello/m);
  await page.keyboard.press("Alt+Shift+J");
  await expect(
    page.getByRole("heading", { name: "This shell announces no commands" }),
  ).toBeVisible();
  expect(await marks(page, plain)).toEqual([]);

  await dash.rail.getByRole("link", { name: /plain/ }).click({ button: "right" });
  await page.getByRole("menuitem", { name: "Why this status?" }).click();
  const why = page.getByRole("dialog", { name: /Why “plain” is/ });
  await expect(why).toContainText("How sure");
  await page.keyboard.press("Escape");

  await expect.poll(() => Date.now() - began).toBeGreaterThan(10_500);
  writeFileSync(join(folder, "one"), "");
  await expect(page.getByText("long finished (exit 4)", { exact: true })).toBeVisible({
    timeout: 30_000,
  });
  expect((await noticesSeen(page)).asked, "asked for by nobody but the person").toBe(0);
  await page.getByRole("button", { name: "Tell me next time" }).first().click();
  await expect(page.getByText("You will be told")).toBeVisible();
  writeFileSync(join(folder, "two"), "");
  const told = async () => (await noticesSeen(page)).shown;
  await expect
    .poll(told, { timeout: 30_000 })
    .toEqual([["longer finished (exit 0)", expect.stringMatching(/^After \d/), longer]]);
  const toast = page.locator("[data-sonner-toast]").filter({ hasText: "longer finished" });
  await toast.getByRole("button", { name: "Show" }).click();
  await dash.terminal(longer).ready();
});
