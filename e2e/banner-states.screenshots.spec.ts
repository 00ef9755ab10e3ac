// Makes docs/screenshots/keyboard-*.png: every state of the line above a terminal, for real, in dark, light and on a phone. Each is a strip of
// the window's top; a sheet puts the strips of one look together.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContextOptions } from "@playwright/test";
import { ScriptedAgent } from "./fixtures/agent.ts";
import { expect, test } from "./fixtures/cotty-test.ts";
import type { Dashboard } from "./fixtures/dashboard.ts";

const folder = join(import.meta.dirname, "../docs/screenshots");
mkdirSync(folder, { recursive: true });

interface Strip {
  state: string;
  png: Buffer;
}

const looks = [
  { name: "dark", options: { colorScheme: "dark" } },
  { name: "light", options: { colorScheme: "light" } },
  {
    name: "phone",
    options: {
      colorScheme: "dark",
      viewport: { width: 390, height: 844 },
      deviceScaleFactor: 2,
      isMobile: true,
      hasTouch: true,
    },
  },
] as const satisfies readonly { name: string; options: BrowserContextOptions }[];

async function sheet(browser: Browser, strips: readonly Strip[], name: string): Promise<void> {
  const isPhone = name === "phone";
  const context = await browser.newContext({
    viewport: { width: isPhone ? 1_240 : 1_032, height: 600 },
    deviceScaleFactor: 1,
  });
  const page = await context.newPage();
  const cells = strips.map(
    ({ state, png }) =>
      `<figure><figcaption>${state}</figcaption><img src="data:image/png;base64,${png.toString("base64")}"></figure>`,
  );
  const isLight = name === "light";
  await page.setContent(`<style>
    body { margin: 0; padding: 16px; background: ${isLight ? "#e3e7ee" : "#05070b"}; display: grid; gap: 12px;
      grid-template-columns: repeat(${isPhone ? 3 : 1}, 1fr); font: 12px system-ui; color: ${isLight ? "#454f60" : "#a9b3c4"}; }
    figure { margin: 0; } img { display: block; width: 100%; } figcaption { padding-bottom: 3px; }
  </style>${cells.join("")}`);
  await page.screenshot({ path: join(folder, `keyboard-${name}.png`), fullPage: true });
  await context.close();
}

for (const { name, options } of looks)
  test(`every state of the banner, ${name}`, async ({ browser, start, newWindow, watch }) => {
    watch.expect(/Failed to load resource|WebSocket/);
    const place = await start();
    const dash = await newWindow({
      at: place,
      viewport: { width: 1_280, height: 640 },
      ...options,
    });
    if (name === "phone")
      await dash.page.addInitScript(() =>
        localStorage.setItem("cotty.settings.v1", JSON.stringify({ renderer: "dom" })),
      );
    const { id } = await place.api.createSession({ body: { name: "checkout-tests" } });
    const terminal = await dash.open(id);
    await terminal.shows("$");
    const strips: Strip[] = [];
    const shoot = async (state: string, rows = 64) => {
      await expect(dash.banner).toHaveAttribute("data-banner", state);
      await settled(dash);
      const box = await dash.banner.boundingBox();
      if (!box) throw new Error("no banner");
      const clip = {
        x: name === "phone" ? 0 : box.x,
        y: box.y,
        width: name === "phone" ? 390 : box.width,
        height: box.height + rows,
      };
      strips.push({ state, png: await dash.page.screenshot({ clip }) });
    };
    const press = async (action: string) => {
      const button = dash.page.getByRole("button", { name: action });
      await (name === "phone" ? button.tap() : button.click());
    };

    await shoot("alone");
    const agent = await ScriptedAgent.at(place, id, "claude-1");
    await agent.write([{ text: "PS1='~/shop $ '; clear" }, { key: "Enter" }]);
    await shoot("ready");
    await agent.write([{ text: "npm test" }], "run the tests");
    await shoot("acting");
    await agent.write([{ key: "C-u" }]);
    await expect(dash.banner).toHaveAttribute("data-banner", "ready");
    await agent.request("GET", "/screen");
    await shoot("viewing");
    await terminal.focus();
    await dash.page.keyboard.press("Enter");
    await shoot("human", 96);
    if ((await dash.page.getByRole("button", { name: "Got it" }).count()) > 0)
      await press("Got it");
    await terminal.type("git push --force");
    await shoot("drafting");
    await dash.page.keyboard.press("Alt+Shift+H");
    await shoot("held");
    await dash.page.keyboard.press("Control+U");
    await press("Hand back");

    const mia = await newWindow({ at: place, isSignedOut: true });
    await mia.page.goto(place.server.linkFor("Mia"));
    await expect(mia.page.getByText(/^Live/)).toBeVisible();
    const inMia = await mia.open(id);
    await inMia.focus();
    await mia.page.keyboard.press("Enter");
    await shoot("other");
    await mia.page.keyboard.press("Alt+Shift+B");
    await mia.page.close();

    await agent.request("POST", "/request_human", {
      reason: "Two databases are called shop. Which one may I migrate?",
    });
    await shoot("attention");
    await press(name === "phone" ? "Take keyboard" : "Dismiss");
    await dash.page.keyboard.press("Alt+Shift+B");
    await expect(dash.banner).toHaveAttribute("data-banner", "ready");
    await agent.write([
      { text: "clear; read -rsp '[sudo] password for ada: ' p; echo" },
      { key: "Enter" },
    ]);
    await terminal.shows("[sudo]");
    await shoot("secret");
    if (name === "phone") {
      await press("Answer");
      const sheetBox = dash.page.getByRole("dialog");
      await sheetBox.getByLabel("Password").fill("correct horse");
      await dash.page.screenshot({ path: join(folder, "keyboard-answer.png") });
      await sheetBox.getByRole("button", { name: "Send" }).click();
    } else {
      await terminal.type("correct horse");
      await dash.page.keyboard.press("Enter");
    }
    await shoot("answered");
    await dash.page.keyboard.press("Alt+Shift+B");
    await expect(dash.banner).toHaveAttribute("data-banner", "ready");

    await dash.page.keyboard.press("Alt+Shift+L");
    await shoot("observe");
    await dash.page.keyboard.press("Alt+Shift+X");
    await shoot("sealed");
    await dash.page.keyboard.press("Alt+Shift+X");
    await terminal.type("exit 1\n");
    await shoot("exited");
    const { id: second } = await place.api.createSession({ body: { name: "other" } });
    await dash.open(second);
    await place.server.killWeb();
    await expect(dash.banner).toContainText("Reconnecting");
    await dash.terminal(second).type("hello");
    await shoot("offline");
    await sheet(browser, strips, name);
  });

test("the queue, what the agent sees and typed, the audit", async ({ start, newWindow }) => {
  const place = await start();
  const dash = await newWindow({ at: place, colorScheme: "dark" });
  const { page } = dash;
  const make = (name: string, command?: string[]) =>
    place.api.createSession({ body: { name, ...(command ? { command } : {}) } });
  const { id } = await make("checkout-tests");
  await make("deploy-staging", ["bash", "-c", "read -rsp 'Password: ' it"]);
  const { id: infra } = await make("infra");
  const { id: build } = await make("build", ["bash", "-c", "read _; exit 2"]);
  const asker = await ScriptedAgent.at(place, infra, "codex");
  const agent = await ScriptedAgent.at(place, id, "claude-1");
  const terminal = await dash.open(id);
  await terminal.shows("$");
  await asker.request("POST", "/request_human", {
    reason: "Two databases are called shop. Which one may I migrate?",
  });
  await place.api.writeInput({ params: { id: build }, body: { input: [{ key: "Enter" }] } });
  await place.api.setAccess({ params: { id: infra }, body: { level: "observe" } });
  await agent.write([{ text: "git status" }, { key: "Enter" }], "see what has changed");
  await agent.write([{ text: "true" }, { key: "Enter" }]);
  await agent.request("GET", "/screen");
  await expect(page.locator("[data-needs]")).toHaveText(/3/);
  await page.locator("[data-needs]").click();
  await expect(page.getByRole("dialog", { name: "Needs you" })).toBeVisible();
  await expect(dash.banner).toHaveAttribute("data-banner", "ready");
  await page.screenshot({ path: join(folder, "keyboard-needs.png") });
  await page.keyboard.press("Escape");
  await page.keyboard.press("Alt+Shift+E");
  await expect(page.locator("[data-agent-view]")).toContainText("read the screen");
  await page.screenshot({ path: join(folder, "keyboard-view.png") });
  await page.keyboard.press("Escape");
  await dash.rail.getByRole("link", { name: /checkout/ }).click({ button: "right" });
  await page.getByRole("menuitem", { name: "What agents typed" }).click();
  await expect(page.getByRole("dialog").getByRole("listitem").first()).toBeVisible();
  await page.screenshot({ path: join(folder, "keyboard-history.png") });
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("menuitem", { name: "Audit" }).click();
  await expect(page.getByRole("dialog").getByRole("listitem").first()).toBeVisible();
  await page.screenshot({ path: join(folder, "keyboard-audit.png") });
});

/** Nothing half way through a transition; what goes on by itself is left to go on. */
async function settled(dash: Dashboard): Promise<void> {
  await dash.page.mouse.move(640, 400);
  await dash.page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((one) => one instanceof CSSTransition)
        .map((one) => one.finished.catch(() => {})),
    ),
  );
}
