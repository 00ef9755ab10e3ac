// The line on which a password was asked for: not copied, by no way, and not found (UI.md 7, CR3).
import { expect, test } from "../fixtures/cotty-test.ts";

test.use({ hasWebgl: false });

test("[UI 7] [CR3] the line of a password is left out of what is copied, by key, by the browser and as output, and is not found", async ({
  dash,
  session,
}) => {
  const { page } = dash;
  const { id } = await session({ name: "asks" });
  const terminal = await dash.open(id);
  await terminal.shows("$");
  await terminal.enter(
    `bash -c 'echo one-line; printf "Passphrase for key: "; read x; echo two-line'`,
  );
  await expect(dash.banner).toContainText("Password needed");
  // It stands on the line that was typed, and where it is asked.
  await page.keyboard.press("Control+Shift+F");
  const search = page.getByRole("search");
  await search.getByRole("textbox").fill("Passphrase");
  await expect(search.getByRole("status")).toHaveText("1 of 1");
  await search.getByRole("textbox").fill("-line");
  await expect(search.getByRole("status")).toHaveText(/of 3$/);
  await page.keyboard.press("Escape");

  await terminal.enter("hunter2");
  await terminal.shows(/^Passphrase for key: •+$/m);
  await terminal.shows(/^two-line$/m);
  await expect(dash.banner).not.toContainText("Password needed");
  const rows = await terminal.lines();
  const first = rows.indexOf("one-line");
  const drag = async () => {
    const from = await terminal.pointOf(0, first);
    const to = await terminal.pointOf(12, first + 2);
    await page.mouse.move(from.x - 2, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await page.mouse.up();
  };
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await drag();
  await page.keyboard.press("Control+Shift+C");
  await expect.poll(copied).toBe("one-line\ntwo-line");
  await expect(page.getByText("The line of a password was left out.")).toBeVisible();

  await page.evaluate(() => navigator.clipboard.writeText("nothing"));
  await page.evaluate(() => document.execCommand("copy"));
  await expect.poll(copied).toBe("one-line\ntwo-line");
  // What the browser's own menu would copy.
  const { x, y } = await terminal.pointOf(4, first);
  await page.mouse.click(x, y, { button: "right" });
  expect(await terminal.box.locator("textarea").inputValue()).toBe("one-line\ntwo-line");
  await page.keyboard.press("Escape");

  await page.evaluate(() => navigator.clipboard.writeText("nothing"));
  await terminal.focus();
  await page.keyboard.press("Control+Shift+ArrowUp");
  await page.keyboard.press("c");
  await expect.poll(copied).toBe("one-line\ntwo-line\n");
});
