// The page in Chinese: chosen by the browser's languages or by the person, at once, and remembered (UI 5.1, 12).
import { ScriptedAgent } from "../fixtures/agent.ts";
import { findings } from "../fixtures/axe.ts";
import { expect, test } from "../fixtures/cotty-test.ts";
import type { Dashboard } from "../fixtures/dashboard.ts";

test.use({ hasWebgl: false });

/** As `Dashboard.open`, whose words are English. */
async function openChinese(dash: Dashboard, id: string) {
  await dash.page.goto(`${dash.origin}/?s=${id}`);
  await expect(dash.page.getByText(/^在线/)).toBeVisible();
  return dash.terminal(id).ready();
}

const language = (dash: Dashboard) => dash.page.locator("html").getAttribute("lang");

test("a Chinese browser sees the dashboard and the banner in Chinese; English and back, without a reload", async ({
  cotty,
  newWindow,
  session,
}) => {
  const { id } = await session({ name: "workshop" });
  await session({ name: "broken", command: ["false"] });
  const agent = await ScriptedAgent.at(cotty, id, "claude-1");
  const dash = await newWindow({ locale: "zh-CN" });
  const { page } = dash;
  // Nothing of the workspace is ever there in English.
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { englishSeen: seen });
    new MutationObserver(() => {
      const text = document.body?.textContent ?? "";
      if (/Sessions|New terminal|Ready\b/.test(text)) seen.push(text);
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
  const terminal = await openChinese(dash, id);
  await terminal.shows("$");
  expect(await language(dash)).toBe("zh-CN");
  await expect(page.getByRole("navigation", { name: "会话" })).toContainText("退出码 1");
  await agent.write([{ text: "true" }, { key: "Enter" }]);
  await expect(dash.banner).toContainText("就绪");
  await expect(dash.banner).toContainText("claude-1 可以输入。直接打字即可接管键盘。");
  expect(
    await page.evaluate(() => (window as unknown as { englishSeen: string[] }).englishSeen),
  ).toEqual([]);

  await terminal.type("x");
  await expect(dash.banner).toContainText("你正在输入");
  await expect(page.locator(`[data-terminal="${id}"] textarea`)).toHaveAttribute(
    "aria-label",
    /^终端 workshop。claude-1 已连接。键盘由你控制。/,
  );
  expect(await findings(page), "typing").toEqual([]);

  // A mark of the page shows that it is still the same one.
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  const settings = page.getByRole("button", { name: "设置", exact: true });
  await settings.click();
  expect(await findings(page), "menu").toEqual([]);
  await page.getByRole("menuitemradio", { name: "English" }).click();
  await expect(dash.banner).toContainText("You’re typing");
  await expect(dash.rail).toContainText("Exit 1");
  expect(await language(dash)).toBe("en");
  // The menu gives the focus back when it has gone.
  await expect(page.getByRole("button", { name: "Settings", exact: true })).toBeFocused();
  await terminal.type("y");
  await terminal.shows("xy");

  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await page.getByRole("menuitemradio", { name: "简体中文" }).click();
  await expect(settings).toBeVisible();
  await expect(dash.banner).toContainText("你正在输入");
  expect(await language(dash)).toBe("zh-CN");
  expect(await page.evaluate(() => "isSamePage" in window)).toBe(true);

  // What the person chose comes before what the browser says, from the first paint of the next visit on.
  await settings.click();
  await page.getByRole("menuitemradio", { name: "English" }).click();
  await dash.goto();
  expect(await language(dash)).toBe("en");
});

test("pages without the workspace speak Chinese too, and name themselves in it", async ({
  newWindow,
  watch,
}) => {
  watch.expect(/status of 40[14]/);
  const dash = await newWindow({ locale: "zh-TW", isSignedOut: true });
  const { page } = dash;
  await page.goto(`${dash.origin}/`);
  await expect(page.getByRole("heading", { name: "你已退出登录" })).toBeVisible();
  await page.goto(`${dash.origin}/docs/`);
  await expect(page.getByRole("heading", { level: 1, name: "快速入门" })).toBeVisible();
  await expect(page).toHaveTitle("快速入门");
  expect(await language(dash)).toBe("zh-CN");
  await page.goto(`${dash.origin}/s/`);
  await expect(page.getByRole("heading", { name: "未指定会话" })).toBeVisible();
  await page.goto(`${dash.origin}/nowhere`);
  await expect(page.getByRole("heading", { name: "这里什么都没有" })).toBeVisible();
  await expect(page.getByRole("link", { name: "前往工作区" })).toBeVisible();
});

test("an English browser loads no Chinese, and one that cannot load it stays in English", async ({
  newWindow,
  session,
  watch,
}) => {
  const { id } = await session({ name: "workshop" });
  const chinese: string[] = [];
  const english = await newWindow({ locale: "en-GB" });
  english.page.on("response", async (response) => {
    if (response.url().endsWith(".js") && (await response.text()).includes("智能体"))
      chinese.push(response.url());
  });
  await english.open(id);
  expect(chinese).toEqual([]);
  await english.page.getByRole("button", { name: "Settings" }).click();
  await english.page.getByRole("menuitemradio", { name: "简体中文" }).click();
  await expect(english.page.getByText(/^在线/)).toBeVisible();
  await expect.poll(() => chinese.length).toBe(1);

  const path = new URL(chinese[0] as string).pathname;
  watch.expect(/Failed to load resource/);
  const cut = await newWindow({ locale: "zh-CN" });
  await cut.page.route(`**${path}`, (route) => route.abort());
  await cut.open(id);
  expect(await language(cut)).toBe("en");
  await expect(cut.rail).toBeVisible();
});
