// Makes docs/screenshots: the dashboard with real programs in it, in each theme and state. Also kept honest by the watch on pages.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContextOptions } from "@playwright/test";
import { ScriptedAgent } from "./fixtures/agent.ts";
import { expect, type Place, test } from "./fixtures/cotty-test.ts";
import type { Dashboard } from "./fixtures/dashboard.ts";
import { screenText } from "./fixtures/programs.ts";

const folder = join(import.meta.dirname, "../docs/screenshots");
mkdirSync(folder, { recursive: true });

async function shoot(dash: Dashboard, name: string): Promise<void> {
  // Nothing that moves: no tooltip, no half-done transition, no blinking.
  await dash.page.mouse.move(640, 500);
  await dash.page.evaluate(() =>
    Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {}))),
  );
  await dash.page.screenshot({ path: join(folder, `${name}.png`), animations: "disabled" });
}

/** A small project, the same on every machine. */
function demoProject(): string {
  const project = join(tmpdir(), "webshop");
  rmSync(project, { recursive: true, force: true });
  mkdirSync(join(project, "src"), { recursive: true });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Mia", "-c", "user.email=mia@example.org", ...args], {
      cwd: project,
      env: {
        ...process.env,
        GIT_AUTHOR_DATE: "2026-01-05T10:00:00Z",
        GIT_COMMITTER_DATE: "2026-01-05T10:00:00Z",
      },
    });
  git("init", "-q", "-b", "main");
  for (const [file, text, message] of [
    ["README.md", "# Web shop\n", "start with a page that says hello"],
    ["src/prices.ts", prices, "prices: round once, at the end"],
    ["package.json", '{ "name": "webshop" }\n', "build: pin what we depend on"],
    ["src/cart.ts", "export {};\n", "cart: keep what was put in over a reload"],
    ["LICENSE", "MIT\n", "say who may use it"],
  ] as const) {
    writeFileSync(join(project, file), text);
    git("add", "-A");
    git("commit", "-q", "-m", message);
  }
  return project;
}

const prices = `// What a cart costs. Amounts are whole cents.
import type { Cart, Item } from "./cart.ts";

export interface Price {
  readonly net: number;
  readonly tax: number;
}

/** Rounds once, at the end: rounding each line makes bills that do not add up. */
export function priceOf(cart: Cart, taxRate = 0.19): Price {
  const net = cart.items.reduce((sum: number, item: Item) => sum + item.cents * item.count, 0);
  return { net, tax: Math.round(net * taxRate) };
}
`;

const vim = ["vim", "-N", "-u", "NONE", "-i", "NONE", "-n", "+syntax on", "+set number"];
const programs = [
  { name: "editor", command: [...vim, "src/prices.ts"] },
  { name: "monitor", command: ["htop", "-d", "100", "--filter=vim|htop"] },
  { name: "history", command: ["git", "--no-pager", "log", "--oneline"] },
  { name: "build", command: ["make", "all"] },
];

/** A shell in which an agent has worked, with others beside it. */
async function workshop(place: Place): Promise<string> {
  for (const body of programs) await place.api.createSession({ body });
  const { id } = await place.api.createSession({ body: { name: "workshop" } });
  const input = [
    "PS1='\\[\\e[1;34m\\]~/webshop\\[\\e[0m\\] $ '; clear",
    "ls --color=always -A",
    "git --no-pager log --oneline --color=always",
    "printf '\\e[32mready\\e[0m \\e[33m\u65e5\u672c\u8a9e\\e[0m \\e[38;2;200;120;255mtrue colour\\e[0m \u{1f680}\\n'",
  ].flatMap((text) => [{ text }, { key: "Enter" }]);
  await expect.poll(() => screenText(place, id)).toContain("$");
  const agent = await ScriptedAgent.at(place, id, "claude-1");
  await agent.write(input);
  await expect.poll(() => screenText(place, id)).toContain("true colour \u{1f680}");
  return id;
}

test("screenshots", async ({ start, newWindow, watch }) => {
  watch.expect(/Failed to load resource|WebSocket/);
  const project = demoProject();
  const before = process.cwd();
  process.chdir(project);
  const place = await start();
  const window = (options: BrowserContextOptions) => newWindow({ at: place, ...options });

  const first = await window({ colorScheme: "dark" });
  await first.goto();
  await expect(first.page.getByRole("heading", { name: "Connect an agent" })).toBeVisible();
  await shoot(first, "empty");

  const id = await workshop(place);
  for (const [name, options] of [
    ["dark", { colorScheme: "dark" }],
    ["light", { colorScheme: "light" }],
    ["contrast", { colorScheme: "dark", contrast: "more" }],
  ] as const) {
    const dash = await window(options);
    await dash.open(id);
    if (name === "contrast") {
      await dash.page.getByRole("button", { name: "Settings" }).click();
      await dash.page.getByRole("menuitemradio", { name: "High contrast" }).click();
      await dash.page.keyboard.press("Escape");
      await dash.terminal(id).focus();
    }
    // Others beside it, so that the rail and the tabs have something to show.
    for (const tab of ["editor", "monitor"])
      await dash.rail.getByRole("link", { name: new RegExp(tab) }).click();
    await dash.tab("workshop").click();
    await dash.terminal(id).shows("true colour");
    await shoot(dash, name);
    await dash.page.close();
  }

  const busy = await window({ colorScheme: "dark" });
  const { sessions } = await place.api.listSessions({});
  const monitor = sessions.find((one) => "name" in one && one.name === "monitor");
  await busy.open(monitor?.id ?? "");
  await busy.page.keyboard.press("Alt+Shift+M");
  const inBusy = busy.terminal(monitor?.id ?? "");
  await expect.poll(async () => (await inBusy.cells()).rows).toBeLessThan(25);
  await inBusy.shows(/F10\s*Quit/);
  await shoot(busy, "busy");
  await busy.page.close();

  const phone = await window({
    colorScheme: "dark",
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
  });
  // The pixel ratio is only emulated, and the browser tells WebGL canvases the real one.
  await phone.page.addInitScript(() =>
    localStorage.setItem("cotty.settings.v1", JSON.stringify({ renderer: "dom" })),
  );
  await phone.open(id);
  await phone.terminal(id).shows("true colour");
  await shoot(phone, "phone");
  await phone.page.close();

  const lost = await window({ colorScheme: "dark" });
  await lost.open(id);
  await place.server.killWeb();
  await expect(lost.banner).toHaveText(/Reconnecting/);
  await lost.terminal(id).type("hello");
  await expect(lost.banner).toHaveText(/5 keys were not sent/);
  await shoot(lost, "error");
  // Nobody may be left standing in a folder that is gone.
  process.chdir(before);
  rmSync(project, { recursive: true, force: true });
});

test("screenshots of commands", async ({ start, newWindow }) => {
  const project = demoProject();
  const before = process.cwd();
  process.chdir(project);
  const place = await start();
  const { id } = await place.api.createSession({ body: { name: "webshop" } });
  const others = await Promise.all(
    ["deploy", "tests"].map((name) => place.api.createSession({ body: { name } })),
  );
  const enter = (session: string, ...lines: string[]) =>
    place.api.writeInput({
      params: { id: session },
      body: { input: lines.flatMap((text) => [{ text }, { key: "Enter" }]) },
    });
  for (const { id: one } of others) {
    await expect.poll(() => screenText(place, one)).toContain("$");
    await enter(one, "git log --oneline | head -3", "grep -rn cents src", "false");
  }
  await expect.poll(() => screenText(place, id)).toContain("$");
  await enter(id, "ls -A", "npm test", "git log --oneline", "cat src/missing.ts", "sleep 3");
  await expect.poll(() => screenText(place, id), { timeout: 20_000 }).toContain("sleep 3");
  await enter(
    id,
    'for i in $(seq 1 60); do echo "building part $i of 60"; sleep 0.02; done; false',
  );
  const ends = async () =>
    (await place.api.getSession({ params: { id } })).last_command?.exit_code === 1;
  await expect.poll(ends, { timeout: 20_000 }).toBe(true);
  await enter(id, "git status --short; sleep 600");
  const look = (options: BrowserContextOptions) => newWindow({ at: place, ...options });

  for (const [name, options] of [
    ["commands", { colorScheme: "dark" }],
    ["commands-light", { colorScheme: "light" }],
  ] as const) {
    const dash = await look(options);
    const { page } = dash;
    await dash.open(id);
    await dash.terminal(id).focus();
    await page.keyboard.press("Control+Shift+ArrowUp");
    await page.keyboard.press("Control+Shift+ArrowUp");
    await page.keyboard.press("Control+Shift+ArrowUp");
    await shoot(dash, `${name}-selected`);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Shift+Home");
    await page.locator('[data-mark="4"]').hover();
    await expect(page.getByRole("tooltip").last()).toBeVisible();
    await page.waitForTimeout(500);
    await page.screenshot({ path: join(folder, `${name}-card.png`), animations: "disabled" });
    await page.locator('[data-mark="4"]').click();
    await expect(page.getByRole("menuitem", { name: "Copy output" })).toBeVisible();
    await shoot(dash, `${name}-menu`);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Shift+End");
    await page.keyboard.press("Shift+PageUp");
    const columns = async () => (await place.api.getSession({ params: { id } })).cols;
    const before = await columns();
    await page.keyboard.press("Alt+Shift+J");
    await expect(page.getByRole("complementary", { name: /Commands in/ })).toBeVisible();
    // The terminal gives way to the list a moment later.
    await expect.poll(columns, { timeout: 20_000 }).toBeLessThan(before);
    await shoot(dash, name);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+Backquote");
    await page.keyboard.press("Alt+Shift+J");
    await expect(page.locator("[data-row]").first()).toBeVisible();
    await shoot(dash, `${name}-all`);
    await page.close();
  }

  const plain = await place.api.createSession({ body: { name: "plain", command: ["dash"] } });
  const silent = await look({ colorScheme: "dark" });
  await silent.open(plain.id);
  await silent.page.keyboard.press("Alt+Shift+J");
  await expect(silent.page.getByRole("heading", { name: /announces no commands/ })).toBeVisible();
  await shoot(silent, "commands-empty");
  await silent.rail.getByRole("link", { name: /^webshop git/ }).click({ button: "right" });
  await silent.page.getByRole("menuitem", { name: "Why this status?" }).click();
  await expect(silent.page.getByText("How sure")).toBeVisible();
  await shoot(silent, "commands-why");
  await silent.page.close();

  const phone = await look({
    colorScheme: "dark",
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
  });
  await phone.page.addInitScript(() =>
    localStorage.setItem("cotty.settings.v1", JSON.stringify({ renderer: "dom" })),
  );
  await phone.open(id);
  await phone.page.getByRole("button", { name: "Show commands" }).click();
  await expect(phone.page.locator("[data-row]").first()).toBeVisible();
  await shoot(phone, "commands-phone");
  process.chdir(before);
  rmSync(project, { recursive: true, force: true });
});
