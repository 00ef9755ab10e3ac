// What others put into a page's words and address stays words, and leads nowhere.
import { expect, test } from "../fixtures/cotty-test.ts";

test.use({ hasWebgl: false });

const markup = "<img src=x onerror=window.wasRun=1><b>bold</b>";

test("[T24] names, titles, commands, tags and folders are text wherever they stand; no element comes of them", async ({
  dash,
  session,
}) => {
  const { id } = await session({
    name: markup,
    tags: [markup],
    command: [
      "bash",
      "-c",
      `printf '\\033]0;%s\\007' "$1"; printf '%s\\r\\n' "$1"; exec cat`,
      "sh",
      markup,
    ],
  });
  const terminal = await dash.open(id);
  await terminal.shows("<b>bold</b>");
  const { page } = dash;
  await expect(dash.tab(markup)).toBeVisible();
  await dash.rail.getByRole("link", { name: markup }).hover();
  await expect(page).toHaveTitle(/<img src=x/);
  await page.goto(`${dash.origin}/`);
  await expect(page.getByText(markup).first()).toBeVisible();
  expect(await page.locator('img[src="x"], b').count()).toBe(0);
  expect(await page.evaluate(() => "wasRun" in window)).toBe(false);
});

test("[T48] a page talks to where it came from, whatever its address or its storage say", async ({
  dash,
  session,
}) => {
  const { id } = await session();
  const { page } = dash;
  const sockets: string[] = [];
  page.on("websocket", (socket) => sockets.push(socket.url()));
  await page.addInitScript(() => {
    for (const name of ["gatewayUrl", "server", "url", "origin", "cotty.server"])
      localStorage.setItem(name, "ws://evil.example:9");
  });
  const wish = encodeURIComponent("ws://evil.example:9");
  const address = `/?s=${id}&gatewayUrl=${wish}&server=${wish}&url=${wish}#url=${wish}`;
  await page.goto(dash.origin + address);
  await dash.terminal(id).ready();
  // That nothing else was asked, every test's watch says (page-watch.ts).
  expect(new Set(sockets.map((url) => new URL(url).host))).toEqual(
    new Set([new URL(dash.origin).host]),
  );
});
