// Parts of the page that are loaded when they are wanted, and cannot be had just then.
import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/cotty-test.ts";

test.use({ hasWebgl: false });

/** No script comes from now on; what is returned ends that. */
async function withholdScripts(page: Page): Promise<() => Promise<void>> {
  const scripts = "**/_next/static/chunks/**";
  await page.route(scripts, (route) => route.abort());
  return () => page.unroute(scripts);
}

test("[UI 16] notices that cannot be shown yet wait, in their order, and the page works meanwhile", async ({
  dash,
  session,
  watch,
}) => {
  watch.expect(/ERR_FAILED/);
  const { page } = dash;
  // Else what shows them is there before anybody can take it away.
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0;
  });
  const [first, second] = [await session({ name: "first" }), await session({ name: "second" })];
  await dash.open(first.id);
  await dash.open(second.id);
  await expect(dash.tabs).toHaveText(["first", "second"]);

  const end = async (id: string) => {
    await page.locator(`#tab-${id}`).focus();
    await page.keyboard.press("Delete");
  };
  const come = await withholdScripts(page);
  const asked = page.waitForEvent("requestfailed");
  await end(second.id);
  await asked;
  await expect(dash.tabs).toHaveText(["first"]);
  await dash.terminal(first.id).enter("echo STILL-HERE");
  await dash.terminal(first.id).shows("STILL-HERE");
  await come();
  await end(first.id);
  const notices = page.getByRole("region", { name: "Notifications" });
  await expect(notices).toContainText("first");
  await expect(notices).toContainText("second");
});

test("[UI 16] a menu that cannot be loaded yet leaves the page as it is, says so, and opens when it has come", async ({
  dash,
  session,
  watch,
}) => {
  watch.expect(/ERR_FAILED/);
  const { page } = dash;
  const { id } = await session({ name: "shop" });
  const terminal = await dash.open(id);
  // The rest of the page is there: what shows notices comes last.
  await expect(page.getByRole("region", { name: "Notifications" })).toBeAttached();
  const come = await withholdScripts(page);
  const settings = page.getByRole("button", { name: "Settings", exact: true });
  await settings.click();
  await expect(page.getByText(/could not be loaded yet/)).toBeVisible();
  await terminal.enter("echo STILL-HERE");
  await terminal.shows("STILL-HERE");
  await come();
  await expect(page.getByRole("menuitemradio", { name: "English" })).toBeVisible();
});
