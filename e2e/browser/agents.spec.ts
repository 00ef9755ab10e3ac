// Connecting an agent from the page, and starting what the machine has: with the pasted lines run for real.
import { execFile } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { limits } from "#lib/protocol/limits.ts";
import { expect, type Place, test } from "../fixtures/cotty-test.ts";
import type { Dashboard } from "../fixtures/dashboard.ts";

test.use({ hasWebgl: false });

/** Runs what was copied, in a shell of its own. */
function pasted(code: string): Promise<string> {
  return new Promise((resolve, reject) =>
    execFile("/bin/bash", ["-c", code], (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    ),
  );
}

async function copied(page: Page, label: string): Promise<string> {
  await page.getByRole("button", { name: `Copy: ${label}` }).click();
  return page.evaluate(() => navigator.clipboard.readText());
}

async function seriousFindings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(
      ({ impact, id }) => impact === "serious" || impact === "critical" || id === "color-contrast",
    )
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
}

/** As if everybody had signed in some minutes earlier. */
function ageLogins(place: Place, byMs: number): void {
  const folder = join(place.server.stateDir, "credentials");
  for (const name of readdirSync(folder).filter((one) => one.startsWith("login-"))) {
    const path = join(folder, name);
    const record = JSON.parse(readFileSync(path, "utf8"));
    if (typeof record.createdAt !== "number") continue;
    writeFileSync(path, JSON.stringify({ ...record, createdAt: record.createdAt - byMs }));
  }
}

/** In another tab of the same browser, as the printed link opens there. */
async function signInAgain(dash: Dashboard, place: Place): Promise<void> {
  const link = (await place.server.cli("open", "--no-open")).stdout.trim();
  const tab = await dash.page.context().newPage();
  await tab.goto(link);
  await expect(tab.getByText(/^Live/)).toBeVisible();
  await tab.close();
}

test("[T6D] who signed in long ago is asked for a fresh link, and reveals the token with it, in the same page", async ({
  dash,
  cotty,
  watch,
}) => {
  watch.expect(/status of 401/);
  const { page } = dash;
  ageLogins(cotty, limits.freshLoginMs);
  await dash.goto();
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("menuitem", { name: "Connect an agent" }).click();
  const dialog = page.getByRole("dialog", { name: "Connect an agent" });
  await dialog.getByLabel("Name").fill("late bot");
  await dialog.getByRole("button", { name: "Reveal token" }).click();
  await expect(dialog.getByRole("alert")).toContainText("cotty open");
  // Nobody was signed out, and nothing was made.
  await expect(page.getByText(/^Live/)).toBeVisible();
  await expect(dialog.getByRole("listitem").filter({ hasText: "late bot" })).toHaveCount(0);
  expect(await seriousFindings(page)).toEqual([]);
  await signInAgain(dash, cotty);
  await dialog.getByRole("button", { name: "Reveal token" }).click();
  expect(await copied(page, "Token of late bot")).toMatch(/^cot_agt_/);
});

test("[SE4] [T49] a token is revealed once, its pasted curl works, the first call shows, and revoking ends it", async ({
  dash,
  cotty,
}) => {
  const { page } = dash;
  await signInAgain(dash, cotty);
  await dash.goto();
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("menuitem", { name: "Connect an agent" }).click();
  const dialog = page.getByRole("dialog", { name: "Connect an agent" });
  await dialog.getByRole("button", { name: "curl" }).click();
  // Nothing to copy before there is a token.
  await expect(dialog.getByRole("button", { name: "Copy: Check that it gets in" })).toHaveAttribute(
    "aria-disabled",
    "true",
  );
  await dialog.getByLabel("Name").fill("curl bot");
  await dialog.getByRole("button", { name: "Reveal token" }).click();
  await expect(dialog.getByRole("status")).toHaveText("Waiting for its first call…");
  const row = dialog.getByRole("listitem").filter({ hasText: "curl bot" });
  await expect(row).toContainText("never used");
  expect(await seriousFindings(page)).toEqual([]);

  const token = await copied(page, "Token of curl bot");
  expect(token).toMatch(/^cot_agt_/);
  const me = JSON.parse(await pasted(await copied(page, "Check that it gets in")));
  expect(me.actor).toMatchObject({ kind: "agent", name: "curl bot", role: "agent" });
  await expect(dialog.getByRole("status")).toHaveText("First call received");

  const answer = await pasted(await copied(page, "Then drive a terminal"));
  expect(answer).toContain('"lines":');
  const { sessions } = await cotty.api.listSessions({});
  expect(sessions).toContainEqual(expect.objectContaining({ name: "build" }));

  await dialog.getByRole("button", { name: "Revoke curl bot" }).click();
  await dialog.getByRole("button", { name: "Revoke curl bot now" }).click();
  await expect(row).toHaveCount(0);
  const after = await fetch(`${cotty.origin}/api/v1/me`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(after.status).toBe(401);

  // What was shown once is gone with the window it was shown in.
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await dash.rail.getByRole("button", { name: "Connect an agent" }).click();
  await expect(dialog.getByRole("button", { name: "Reveal token" })).toBeVisible();
  await expect(page.getByText(token)).toHaveCount(0);
  for (const { id } of sessions) await cotty.api.closeSession({ params: { id } });
});

test("[OP6] the arrow beside New terminal starts what this machine has and what its owner wrote; a broken entry names its line", async ({
  newWindow,
  start,
}) => {
  const folder = mkdtempSync(join(tmpdir(), "cotty-agents-"));
  try {
    mkdirSync(join(folder, "bin"));
    const claude = join(folder, "bin/claude");
    writeFileSync(claude, "#!/bin/sh\necho hello from claude\nexec sleep 600\n");
    chmodSync(claude, 0o755);
    const config = join(folder, "config.json");
    writeFileSync(
      config,
      JSON.stringify({
        profiles: [{ name: "Shop", command: ["sh"], env: { PS1: "shop> " }, icon: "server" }],
      }),
    );
    const at = await start({
      env: { COTTY_CONFIG: config, PATH: `${join(folder, "bin")}:${process.env.PATH}` },
    });
    const { page, ...dash } = await newWindow({ at });
    await page.goto(`${dash.origin}/`);
    await expect(page.getByText(/^Live/)).toBeVisible();
    const arrow = page.locator("#main").getByRole("button", { name: "Shells and agents" });
    // By keyboard alone.
    await arrow.focus();
    await page.keyboard.press("Enter");
    const menu = page.getByRole("menu");
    await expect(menu.getByRole("menuitem", { name: "Claude Code" })).toBeVisible();
    await expect(menu.getByRole("group", { name: "Yours" }).getByRole("menuitem")).toHaveText([
      "Shop",
    ]);
    await expect(menu.getByRole("menuitem", { name: "Codex" })).toHaveCount(0);
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    const listed = async () => (await at.api.listSessions({})).sessions;
    await expect.poll(listed).toMatchObject([{ name: "Shop", profile: "Shop" }]);

    writeFileSync(config, '{"profiles": [\n{"name": "Shop", "command": ["sh"]},\n{"name": "x"}]}');
    await page.locator("#drawer").getByRole("button", { name: "Shells and agents" }).click();
    await expect(menu.getByText("Config file, line 3: command is missing")).toBeVisible();
    await menu.getByRole("menuitem", { name: "Claude Code" }).click();
    await expect.poll(listed).toMatchObject([
      { name: "Shop", profile: "Shop" },
      { name: "claude", profile: "claude" },
    ]);
    // Before its server goes.
    await page.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
