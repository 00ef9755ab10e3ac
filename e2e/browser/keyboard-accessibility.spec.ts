// axe on the states of the keyboard and on its dialogs, dark and light; and a way through them by keys alone (UI.md 15.8).
import { ScriptedAgent } from "../fixtures/agent.ts";
import { findings } from "../fixtures/axe.ts";
import { expect, test } from "../fixtures/cotty-test.ts";

test.use({ hasWebgl: false });

test("axe finds nothing serious in the states of the banner, the queue, and the keyboard's dialogs", async ({
  cotty,
  newWindow,
  session,
}) => {
  const dash = await newWindow();
  const { page } = dash;
  const { id } = await session({ name: "shell" });
  await session({ name: "broken", command: ["false"] });
  const terminal = await dash.open(id);
  await terminal.shows("$");
  const agent = await ScriptedAgent.at(cotty, id, "claude-1");
  await agent.write([{ text: "true" }, { key: "Enter" }]);

  await terminal.type("half a line");
  await expect(dash.banner).toHaveAttribute("data-banner", "drafting");
  expect(await findings(page), "typing").toEqual([]);
  await page.keyboard.press("Control+U");
  await page.keyboard.press("Alt+Shift+B");

  await agent.request("POST", "/request_human", { reason: "Which one?" });
  await expect(dash.banner).toHaveAttribute("data-banner", "attention");
  await page.locator("[data-needs]").click();
  await expect(page.getByRole("dialog", { name: "Needs you" })).toBeVisible();
  expect(await findings(page), "a call, and the queue").toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Dismiss", exact: true }).click();

  await page.keyboard.press("Alt+Shift+S");
  await expect(dash.banner).toHaveAttribute("data-banner", "secret");
  expect(await findings(page), "password").toEqual([]);
  await page.keyboard.press("Alt+Shift+S");
  await page.keyboard.press("Alt+Shift+X");
  await expect(dash.banner).toHaveAttribute("data-banner", "sealed");
  expect(await findings(page), "sealed").toEqual([]);
  await page.keyboard.press("Alt+Shift+L");
  await expect(dash.banner).toHaveAttribute("data-banner", "observe");
});

test("axe finds nothing serious in the line of a session that is alone, looked at, typed in, ready, another person's or held, nor in what agents typed", async ({
  cotty,
  dash,
  session,
}) => {
  const { page } = dash;
  const { id } = await session({ name: "cat", command: ["/bin/cat"] });
  await dash.open(id);
  const line = async (state: string) => {
    await expect(dash.banner).toHaveAttribute("data-banner", state);
    expect(await findings(page, "[data-banner]"), state).toEqual([]);
    // Still: what was looked at is what was meant.
    await expect(dash.banner).toHaveAttribute("data-banner", state);
  };
  await line("alone");
  const agent = await ScriptedAgent.at(cotty, id, "claude-1");
  const looks = setInterval(() => void agent.request("GET", "/screen"), 300);
  await line("viewing");
  clearInterval(looks);
  agent.start("a");
  await line("acting");
  await agent.stop();
  await line("ready");
  await page.keyboard.press("Alt+Shift+K");
  await line("held");
  await page.keyboard.press("Alt+Shift+B");
  // Unsent text keeps the keyboard theirs.
  await cotty.api.writeInput({ params: { id }, body: { input: [{ text: "another's" }] } });
  await line("other");

  await dash.rail.getByRole("link", { name: /cat/ }).click({ button: "right" });
  await page.getByRole("menuitem", { name: "What agents typed" }).click();
  const history = page.getByRole("dialog", { name: "What agents typed" });
  await history.getByLabel("Also what people did").check();
  await expect(history.getByText(/\d bytes/)).toBeVisible();
  expect(await findings(page, "[role=dialog]"), "what agents typed").toEqual([]);
});

test("axe finds nothing serious in what the agent sees, the settings of the keyboard and the audit", async ({
  cotty,
  newWindow,
  session,
}) => {
  const dash = await newWindow();
  const { page } = dash;
  const { id } = await session({ name: "shell" });
  await cotty.api.setAccess({ params: { id }, body: { level: "observe" } });
  await dash.open(id);
  const agent = await ScriptedAgent.at(cotty, id, "claude-1");
  await agent.request("GET", "/screen");
  await page.keyboard.press("Alt+Shift+E");
  await expect(page.locator("[data-agent-view]")).toContainText("read the screen");
  expect(await findings(page), "observe, and what the agent sees").toEqual([]);
  await page.keyboard.press("Escape");

  for (const [item, name] of [
    ["Keyboard and agents", "Keyboard and agents"],
    ["Audit", "Audit"],
  ] as const) {
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("menuitem", { name: item }).click();
    const dialog = page.getByRole("dialog", { name });
    await expect(dialog).toBeVisible();
    if (item === "Audit") await expect(dialog.getByRole("listitem").first()).toBeVisible();
    expect(await findings(page), item).toEqual([]);
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
  }
});

test("[UI 15.8] by keys alone: open, type, leave, hand back; seconds of one's own; the phone's sheet for a password", async ({
  cotty,
  newWindow,
  session,
}) => {
  const dash = await newWindow();
  const { page } = dash;
  const { id } = await session({ name: "by keys" });
  await dash.goto();
  await page.evaluate(() =>
    localStorage.setItem("cotty.settings.v1", JSON.stringify({ idle: 600 })),
  );
  await dash.open(id);
  await page.keyboard.press("Enter");
  await expect(dash.banner).toContainText("the keyboard back in 600 s");
  await page.keyboard.press("Alt+Shift+F");
  await expect(page.locator(`#tab-${id}`)).toBeFocused();
  await page.keyboard.press("Alt+Shift+B");
  await expect(dash.banner).toHaveAttribute("data-banner", "alone");
  // A choice counts at once, for terminals that are open.
  await page.getByRole("button", { name: "Settings" }).press("Enter");
  await page.getByRole("menuitem", { name: "Keyboard and agents" }).press("Enter");
  await page.getByRole("radio", { name: "Never by itself" }).press("Space");
  await page.keyboard.press("Escape");
  await dash.terminal(id).isLive();
  await dash.terminal(id).type("\n");
  await expect(dash.banner).toContainText("Until you hand it back");
  await page.close();

  const { id: asks } = await session({
    name: "asks",
    command: ["bash", "-c", `read -rsp 'Password: ' it; echo; echo length \${#it}; sleep 60`],
  });
  const phone = await newWindow({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  });
  const terminal = await phone.open(asks);
  await expect(phone.banner).toContainText("Password needed");
  await phone.page.getByRole("button", { name: "Answer" }).tap();
  const sheet = phone.page.getByRole("dialog", { name: "Answer asks" });
  const field = sheet.getByLabel("Password");
  await expect(field).toHaveAttribute("type", "password");
  await field.fill("s3cret-word");
  expect(await findings(phone.page), "password sheet").toEqual([]);
  await sheet.getByRole("button", { name: "Send" }).tap();
  await terminal.shows("length 11");
  await expect(sheet).toHaveCount(0);
  expect(await phone.page.content()).not.toContain("s3cret-word");
  expect((await cotty.api.readAudit({ query: {} })).entries.length).toBeGreaterThan(0);
});
