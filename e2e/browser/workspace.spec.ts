// Tabs, docks, search and the way with the keyboard alone (UI.md 2, 4, 9, 13, 15).
import { expect, test } from "../fixtures/cotty-test.ts";
import type { Dashboard } from "../fixtures/dashboard.ts";

test.use({ hasWebgl: false });

const names = (dash: Dashboard) => dash.tabs.allTextContents();

/** Three idle shells, each with a tab, the last in front. */
async function threeTabs(
  dash: Dashboard,
  session: (body: { name: string }) => Promise<{ id: string }>,
) {
  const ids: string[] = [];
  for (const name of ["alpha", "beta", "gamma"]) ids.push((await session({ name })).id);
  await dash.open(ids[0] as string);
  for (const name of ["beta", "gamma"])
    await dash.rail.getByRole("link", { name: new RegExp(name) }).click();
  await dash.terminal(ids[2] as string).ready();
  await expect(dash.tabs).toHaveText(["alpha", "beta", "gamma"]);
  return ids as [string, string, string];
}

test("tabs are made, renamed, and put in order by keys and by dragging; a reload keeps all of it", async ({
  cotty,
  dash,
  session,
}) => {
  const { page } = dash;
  const [alpha, , gamma] = await threeTabs(dash, session);
  const made = await dash.newTerminal();
  await expect(dash.tabs).toHaveCount(4);
  await made.shows("$");
  await made.enter("echo typed-at-once");
  await made.shows(/^typed-at-once$/m);

  await page.keyboard.press("Alt+Shift+F");
  await dash.page.locator(`#tab-${made.id}`).focus();
  await page.keyboard.press("F2");
  const field = page.getByRole("textbox", { name: "Session name" });
  await expect(field).toBeFocused();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("delta");
  await page.keyboard.press("Enter");
  await expect(dash.tabs).toHaveText(["alpha", "beta", "gamma", "delta"]);
  // Whoever named it types on.
  await expect(made.box.locator("textarea")).toBeFocused();
  expect((await cotty.api.getSession({ params: { id: made.id } })).name).toBe("delta");

  await page.locator(`#tab-${gamma}`).click();
  await page.keyboard.press("Alt+Shift+Control+ArrowLeft");
  await expect(dash.tabs).toHaveText(["alpha", "gamma", "beta", "delta"]);

  const from = await page.locator(`#tab-${alpha}`).boundingBox();
  const to = await page.locator(`#tab-${made.id}`).boundingBox();
  if (!from || !to) throw new Error("the tabs are not on screen");
  await page.mouse.move(from.x + 20, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width - 8, to.y + 10, { steps: 12 });
  await page.mouse.up();
  await expect(dash.tabs).toHaveText(["gamma", "beta", "delta", "alpha"]);

  await page.reload();
  await expect(dash.tabs).toHaveText(["gamma", "beta", "delta", "alpha"]);
  await page.keyboard.press("Alt+Shift+Digit2");
  await expect(dash.tab("beta")).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Alt+Shift+BracketRight");
  await expect(dash.tab("delta")).toHaveAttribute("aria-selected", "true");
});

test("an idle shell ends with an undo, a running program is asked about, hiding ends nothing", async ({
  cotty,
  dash,
  session,
}) => {
  const { page } = dash;
  const [alpha, beta, gamma] = await threeTabs(dash, session);
  const lives = async (id: string) =>
    (await cotty.api.listSessions({})).sessions.some((one) => one.id === id);

  await page.locator(`#tab-${gamma}`).focus();
  await page.keyboard.press("Delete");
  await expect(dash.tabs).toHaveText(["alpha", "beta"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(dash.tabs).toHaveText(["alpha", "beta", "gamma"]);
  expect(await lives(gamma)).toBe(true);

  const busy = dash.terminal(beta);
  await page.locator(`#tab-${beta}`).click();
  await busy.ready();
  await busy.enter("sleep 600");
  await expect
    .poll(async () => (await cotty.api.getSession({ params: { id: beta } })).foreground)
    .toMatch(/sleep/);
  await expect(dash.rail.getByRole("link", { name: /beta/ })).toContainText("Working");
  await page.locator(`[data-close="${beta}"]`).click();
  const question = page.getByRole("dialog", { name: "sleep is running" });
  await expect(question).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(question).toBeHidden();
  await expect(dash.tabs).toHaveCount(3);
  await page.locator(`[data-close="${beta}"]`).click();
  await question.getByRole("button", { name: "Hide" }).click();
  await expect(dash.tabs).toHaveText(["alpha", "gamma"]);
  await expect(dash.rail.getByRole("link", { name: /beta/ })).toContainText("Working");

  await dash.rail.getByRole("link", { name: /beta/ }).click();
  await page.locator(`[data-close="${beta}"]`).click();
  await question.getByRole("button", { name: "End" }).click();
  await expect(dash.rail.getByRole("link", { name: /beta/ })).toBeHidden();
  // After the time to undo.
  await expect.poll(() => lives(beta), { timeout: 10_000 }).toBe(false);

  await page.locator(`#tab-${alpha}`).click({ button: "middle" });
  await expect(dash.tabs).toHaveText(["gamma"]);
  expect(await lives(alpha)).toBe(true);
});

test("the panel docks below, right and over everything; each place keeps its size over a reload", async ({
  dash,
  session,
}) => {
  const { page } = dash;
  const { id } = await session();
  const terminal = await dash.open(id);
  await expect(dash.drawer).toHaveAttribute("data-dock", "max");
  await terminal.shows("$");
  // Fitted: until then it has the rows that every session begins with.
  await expect.poll(async () => (await terminal.cells()).rows).toBeGreaterThan(24);
  const { rows: most } = await terminal.cells();
  await terminal.focus();
  await page.keyboard.press("Alt+Shift+D");
  await expect(dash.drawer).toHaveAttribute("data-dock", "bottom");
  const grip = page.getByRole("separator", { name: "Size of the terminal panel" });
  await grip.focus();
  await page.keyboard.press("Shift+ArrowUp");
  await expect(grip).toHaveAttribute("aria-valuenow", "72");
  const bottom = await dash.drawer.evaluate((drawer) => drawer.clientHeight);
  await expect.poll(async () => (await terminal.cells()).rows).toBeLessThan(most);

  await page.getByRole("button", { name: "Panel position" }).click();
  await page.getByRole("menuitemradio", { name: "Right" }).click();
  await expect(dash.drawer).toHaveAttribute("data-dock", "right");
  const box = await grip.boundingBox();
  if (!box) throw new Error("no grip");
  await page.mouse.move(box.x + box.width / 2, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 - 120, box.y + 200, { steps: 6 });
  await page.mouse.up();
  const right = await dash.drawer.evaluate((drawer) => drawer.clientWidth);
  await expect.poll(async () => (await terminal.cells()).rows).toBe(most);

  await page.reload();
  await terminal.ready();
  await expect(dash.drawer).toHaveAttribute("data-dock", "right");
  expect(await dash.drawer.evaluate((drawer) => drawer.clientWidth)).toBeCloseTo(right, -1);
  await terminal.focus();
  await page.keyboard.press("Alt+Shift+D");
  await page.keyboard.press("Alt+Shift+D");
  await expect(dash.drawer).toHaveAttribute("data-dock", "bottom");
  expect(await dash.drawer.evaluate((drawer) => drawer.clientHeight)).toBeCloseTo(bottom, -1);
});

test("[B124] search finds what scrolled away; the place in the scrollback survives a lost connection", async ({
  shaky,
  newWindow,
  watch,
}) => {
  watch.expect(/Failed to load resource|WebSocket connection/);
  const dash = await newWindow({ at: shaky });
  const { page } = dash;
  const { id } = await shaky.api.createSession({ body: { name: "long" } });
  const terminal = await dash.open(id);
  await terminal.shows("$");
  await terminal.enter("seq -f 'needle-%05g' 1 3000");
  await terminal.shows("needle-03000");

  await page.keyboard.press("Control+Shift+F");
  const search = page.getByRole("search", { name: "Find in terminal" });
  await search.getByRole("textbox").fill("needle-00042");
  await expect(search.getByRole("status")).toHaveText("1 of 1");
  await search.getByRole("textbox").fill("needle-0004[12");
  await search.getByRole("button", { name: "Regular expression" }).click();
  await expect(search.getByRole("status")).toHaveText("Not a valid expression");
  await search.getByRole("textbox").fill("needle-0004[12]$");
  await expect(search.getByRole("status")).toHaveText(/of 2/);
  await page.keyboard.press("Escape");
  await expect(search).toBeHidden();
  await expect(terminal.box.locator("textarea")).toBeFocused();

  await page.keyboard.press("Shift+Home");
  await expect(page.getByRole("button", { name: "To the end" })).toBeVisible();
  const top = () =>
    page.evaluate((session) => globalThis.cottyTerminals?.get(session)?.buffer.viewportY, id);
  const place = await top();
  shaky.proxy?.cut();
  await expect
    .poll(async () => {
      const viewers = (await shaky.api.getSession({ params: { id } })).viewers;
      return viewers;
    })
    .toBe(1);
  await terminal.isLive();
  expect(await top()).toBe(place);
  // The token is another person: while the page's keyboard is not back yet, the first key is only a knock (LS9).
  await expect(async () => {
    const input = [{ text: "echo more" }, { key: "Enter" }];
    await shaky.api.writeInput({ params: { id }, body: { input } });
  }).toPass();
  await expect(page.getByRole("button", { name: "New output" })).toBeVisible();
  expect(await top()).toBe(place);
  await page.getByRole("button", { name: "New output" }).click();
  await terminal.shows(/^more$/m);
  await expect(terminal.box.locator("textarea")).toBeFocused();
});

test("with the keyboard alone: open, type, leave, switch, come back", async ({
  cotty,
  dash,
  session,
}) => {
  const { page } = dash;
  const { id } = await session({ name: "second" });
  await dash.goto();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to sessions" })).toBeFocused();
  await page.keyboard.press("Enter");
  const card = page.getByRole("main").getByRole("link", { name: "second" });
  // Past what to list (one stop), "New terminal" and its arrow.
  for (let i = 0; i < 4; i++) await page.keyboard.press("Tab");
  await expect(card).toBeFocused();
  await page.keyboard.press("Enter");
  const second = await dash.terminal(id).ready();
  await expect(second.box.locator("textarea")).toBeFocused();
  await page.keyboard.type("echo by-keys");
  await page.keyboard.press("Enter");
  await second.shows(/^by-keys$/m);

  await page.keyboard.press("Alt+Shift+T");
  await expect(dash.tabs).toHaveCount(2);
  const other = (await dash.ids()).find((one) => one !== id) as string;
  await dash.terminal(other).ready();
  await expect(dash.terminal(other).box.locator("textarea")).toBeFocused();
  await dash.terminal(other).shows("$");

  await page.keyboard.press("Alt+Shift+F");
  await expect(page.locator(`#tab-${other}`)).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await expect(dash.tab("second")).toBeFocused();
  // Moving is not choosing (manual activation).
  await expect(dash.tab("second")).toHaveAttribute("aria-selected", "false");
  await page.keyboard.press("Enter");
  await expect(second.box.locator("textarea")).toBeFocused();
  await page.keyboard.type("echo again");
  await page.keyboard.press("Enter");
  await second.shows(/^again$/m);
  await page.keyboard.press("Control+`");
  await expect(dash.drawer).toBeHidden();
  await page.keyboard.press("Control+`");
  await expect(second.box.locator("textarea")).toBeFocused();
  expect((await names(dash))[0]).toBe("second");
  expect((await cotty.api.listSessions({})).sessions).toHaveLength(2);
});

test("on a phone a session is a step forward, and Back leads to the list", async ({
  newWindow,
  session,
}) => {
  const { id } = await session({ name: "pocket" });
  const phone = await newWindow({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  });
  const { page } = phone;
  await phone.goto();
  await page.getByRole("link", { name: /pocket/ }).tap();
  const terminal = await phone.terminal(id).ready();
  await terminal.shows("$");
  // What the line above the terminal has no room for is in the menu.
  await phone.drawer.getByRole("button", { name: "Actions for pocket" }).tap();
  await page.getByRole("menuitem", { name: "Keep the keyboard" }).tap();
  await expect(phone.banner).toContainText("You hold the keyboard");
  await page.evaluate(() => navigator.clipboard.writeText("one\ntwo\n".repeat(800)));
  await terminal.focus();
  await page.keyboard.press("Control+Shift+V");
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  // What lies on top goes first.
  await page.goBack();
  await expect(dialog).toBeHidden();
  await expect(phone.drawer).toBeVisible();
  await page.goBack();
  await expect(phone.drawer).toBeHidden();
  await expect(page.getByRole("link", { name: /pocket/ })).toBeVisible();
  await page.goForward();
  await expect(phone.drawer).toBeVisible();
});

test("[UI 4] a card stays where it is while its menu is open, it is named, or the keyboard is at it; then it goes where it belongs", async ({
  cotty,
  dash,
  session,
}) => {
  const { page } = dash;
  const { id } = await session({ name: "moving", command: ["dash"] });
  await dash.goto();
  const card = dash.rail.getByRole("link", { name: /moving/ });
  const group = (name: string) =>
    dash.rail.locator("div", { has: page.getByRole("heading", { name }) }).last();
  const send = (text: string) =>
    cotty.api.writeInput({ params: { id }, body: { input: [{ text }, { key: "Enter" }] } });
  await expect(group("Idle").getByRole("link", { name: /moving/ })).toContainText("Ready");

  await card.click({ button: "right" });
  const menu = page.getByRole("menu");
  await expect(menu).toBeVisible();
  await send("sleep 600");
  await expect(card).toContainText("sleep");
  await expect(dash.rail.getByRole("heading", { name: "Working" })).toHaveCount(0);
  await menu.getByRole("menuitem", { name: "Rename" }).click();
  const field = dash.rail.getByRole("textbox");
  await expect(field).toBeFocused();
  await cotty.api.signalSession({ params: { id }, body: { signal: "INT" } });
  await page.keyboard.type("moved");
  await page.keyboard.press("Enter");
  await expect(dash.rail.getByRole("link", { name: /moved/ })).toContainText("Ready");

  const moved = dash.rail.getByRole("link", { name: /moved/ });
  await moved.focus();
  await page.keyboard.press("Shift");
  await send("sleep 600");
  await expect(moved).toContainText("sleep");
  await expect(moved).toBeFocused();
  await page.keyboard.press("Enter");
  await dash.terminal(id).ready();
  await expect(group("Working").getByRole("link", { name: /moved/ })).toBeVisible();
});

test("Back closes a menu and a question before it leaves, and what they do is not undone by the way back", async ({
  dash,
  session,
}) => {
  const { page } = dash;
  await dash.goto();
  // Another page, chosen from a menu, is not lost to the menu's own way back.
  for (let round = 0; round < 3; round++) {
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("menuitem", { name: "Quick start" }).click();
    await expect(page).toHaveURL(/\/docs\/$/);
    await page.goBack();
    await expect(page.getByText(/^Live/)).toBeVisible();
  }

  const [alpha, beta] = await threeTabs(dash, session);
  const address = () => new URL(page.url()).search;
  const menu = page.getByRole("menu");

  await page.locator(`#tab-${beta}`).click();
  await page.locator(`#tab-${beta}`).click({ button: "right" });
  await expect(menu).toBeVisible();
  await page.goBack();
  await expect(menu).toBeHidden();
  await expect(dash.tab("beta")).toHaveAttribute("aria-selected", "true");
  expect(address()).toBe(`?s=${beta}`);

  // Chosen from the menu: the tab goes, and neither the way back nor a reload opens it again.
  await page.locator(`#tab-${beta}`).click({ button: "right" });
  await menu.getByRole("menuitem", { name: "Hide" }).click();
  await expect(dash.tabs).toHaveText(["alpha", "gamma"]);
  await expect.poll(address).not.toContain(beta);
  expect(await page.evaluate(() => history.state?.cottyOverlays ?? 0)).toBe(0);
  await page.reload();
  await expect(dash.tabs).toHaveText(["alpha", "gamma"]);

  // The question of a running program, the same way.
  await page.locator(`#tab-${alpha}`).click();
  const busy = await dash.terminal(alpha).ready();
  await busy.shows("$");
  await busy.enter("sleep 600");
  await expect(dash.rail.getByRole("link", { name: /alpha/ })).toContainText("Working");
  await page.locator(`[data-close="${alpha}"]`).click();
  const question = page.getByRole("dialog", { name: "sleep is running" });
  await expect(question).toBeVisible();
  await page.goBack();
  await expect(question).toBeHidden();
  await expect(dash.tab("alpha")).toHaveAttribute("aria-selected", "true");
  await page.locator(`[data-close="${alpha}"]`).click();
  await question.getByRole("button", { name: "Hide" }).click();
  await expect(dash.tabs).toHaveText(["gamma"]);
  await expect.poll(address).not.toContain(alpha);
  await page.reload();
  await expect(dash.tabs).toHaveText(["gamma"]);
});
