// axe on every state, dark and light (UI.md 15.8). Serious and critical findings fail, and so do those of contrast.
import { findings } from "../fixtures/axe.ts";
import { expect, test } from "../fixtures/cotty-test.ts";
import { echoProbe, untilReady } from "../fixtures/programs.ts";
import type { TcpProxy } from "../fixtures/tcp-proxy.ts";

test.use({ hasWebgl: false });

test(`axe finds nothing serious in light and dark: empty, sessions, menu, question, paste, search, phone`, async ({
  cotty,
  newWindow,
  session,
}) => {
  const dash = await newWindow();
  const { page } = dash;
  await dash.goto();
  await expect(page.getByRole("heading", { name: "Connect an agent" })).toBeVisible();
  expect(await findings(page), "empty").toEqual([]);

  const { id } = await session(echoProbe());
  await untilReady(cotty, id);
  await session({ name: "idle shell" });
  await session({ name: "ended", command: ["false"] });
  const terminal = await dash.open(id);
  await expect(dash.rail.getByRole("link", { name: /ended/ })).toContainText("Exit 1");
  expect(await findings(page), "one session, maximised").toEqual([]);

  await page.getByRole("button", { name: "Settings" }).click();
  await expect(page.getByRole("menuitemradio", { name: "High contrast" })).toBeVisible();
  expect(await findings(page), "menu").toEqual([]);
  await page.keyboard.press("Escape");
  // Focus goes back to where it came from: not before what is done next.
  await expect(page.getByRole("button", { name: "Settings" })).toBeFocused();

  await page.locator(`#tab-${id}`).focus();
  await page.keyboard.press("Delete");
  await expect(page.getByRole("dialog", { name: /is running/ })).toBeVisible();
  expect(await findings(page), "question before ending").toEqual([]);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();

  await page.evaluate(() => navigator.clipboard.writeText("one\ntwo"));
  await terminal.focus();
  await page.keyboard.press("Control+Shift+V");
  await expect(page.getByRole("dialog", { name: "Paste 2 lines?" })).toBeVisible();
  expect(await findings(page), "paste question").toEqual([]);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();

  await terminal.focus();
  await page.keyboard.press("Control+Shift+F");
  await page.getByRole("textbox", { name: "Find in terminal" }).fill("READY");
  await page.keyboard.press("Alt+Shift+D");
  await expect(dash.drawer).toHaveAttribute("data-dock", "bottom");
  await expect(page.getByRole("main").getByRole("link", { name: "idle shell" })).toBeVisible();
  expect(await findings(page), "search, overview and panel").toEqual([]);
  await page.close();

  const phone = await newWindow({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  });
  await phone.goto();
  await expect(phone.page.getByRole("link", { name: /idle shell/ })).toBeVisible();
  expect(await findings(phone.page), "phone, list").toEqual([]);
  await phone.open(id);
  expect(await findings(phone.page), "phone, session").toEqual([]);
  await phone.page.getByRole("button", { name: "Show commands" }).click();
  await expect(phone.page.getByRole("dialog", { name: /Commands in/ })).toBeVisible();
  expect(await findings(phone.page), "phone, commands").toEqual([]);
});

test(`axe finds nothing serious in light and dark: marks, their card and menu, lists of commands, why`, async ({
  dash,
  session,
}) => {
  const { page } = dash;
  const { id } = await session({ name: "shop" });
  const terminal = await dash.open(id);
  await terminal.shows("$");
  await terminal.enter("seq 1 200; false");
  await terminal.enter("sleep 600");
  await expect(page.locator('[data-mark="2"]')).toBeVisible();
  await terminal.focus();
  await page.keyboard.press("Control+Shift+ArrowUp");
  await page.keyboard.press("Shift+PageUp");
  await page.keyboard.press("Alt+Shift+J");
  await expect(page.locator("[data-row]")).toHaveCount(2);
  await expect(page.locator("[data-sticky]")).toBeVisible();
  expect(await findings(page), "header, list").toEqual([]);
  await page.keyboard.press("Escape");
  await terminal.focus();
  await page.keyboard.press("Shift+End");
  await page.locator('[data-mark="2"]').hover();
  await expect(page.getByText("Typed by")).toBeVisible();
  expect(await findings(page), "card").toEqual([]);
  await page.locator('[data-mark="2"]').click();
  await expect(page.getByRole("menuitem", { name: "Copy output" })).toBeVisible();
  expect(await findings(page), "menu").toEqual([]);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menuitem")).toHaveCount(0);
  await page.keyboard.press("Control+Backquote");
  await page.keyboard.press("Alt+Shift+J");
  await expect(page.getByRole("region", { name: "Commands in all sessions" })).toBeVisible();
  expect(await findings(page), "all commands").toEqual([]);
  await dash.rail.getByRole("link", { name: /shop/ }).click({ button: "right" });
  await page.getByRole("menuitem", { name: "Why this status?" }).click();
  await expect(page.getByText("How sure")).toBeVisible();
  expect(await findings(page), "why").toEqual([]);
});

test(`axe finds nothing serious in light and dark: offline, ended, signed out`, async ({
  shaky,
  newWindow,
  watch,
}) => {
  watch.expect(/Failed to load resource|WebSocket connection/);
  const dash = await newWindow({ at: shaky });
  const { id } = await shaky.api.createSession({ body: { name: "ends" } });
  const terminal = await dash.open(id);
  await shaky.server.killWeb();
  (shaky.proxy as TcpProxy).cut();
  await expect(dash.banner).toHaveText(/Reconnecting/);
  await expect(dash.page.getByText("Offline").first()).toBeVisible();
  const offline = await findings(dash.page);
  await shaky.server.start();
  expect(offline, "offline").toEqual([]);
  await terminal.isLive();
  await terminal.shows("$");
  await terminal.enter("exit 1");
  await expect(dash.banner).toHaveText(/exit 1/);
  expect(await findings(dash.page), "ended").toEqual([]);
  const visitor = await newWindow({ at: shaky, isSignedOut: true });
  await visitor.page.goto(visitor.origin);
  await expect(visitor.page.getByText("You are signed out")).toBeVisible();
  expect(await findings(visitor.page), "signed out").toEqual([]);
});
