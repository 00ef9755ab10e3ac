// What the page says when something ended, is gone, or cannot be had.
import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { findings } from "../fixtures/axe.ts";
import { expect, test } from "../fixtures/cotty-test.ts";
import { sentFrames } from "../fixtures/frames.ts";

test.use({ hasWebgl: false });

const brokenPty = join(import.meta.dirname, "../../server/testing/broken-pty.cjs");

test("[B130] an ended process is said with its code, its screen stays readable, and it can be started again", async ({
  cotty,
  dash,
  session,
}) => {
  const sent = sentFrames(dash.page);
  const { id } = await session({ name: "short" });
  const terminal = await dash.open(id);
  await terminal.shows("$");
  await terminal.enter("echo LAST-WORDS; exit 3");
  await expect(dash.banner).toHaveText(/Process ended.*exit 3/);
  await terminal.shows("LAST-WORDS");
  await expect(dash.rail.getByRole("link", { name: /short/ })).toContainText("Exit 3");
  await terminal.type("nobody reads this");
  expect(sent.opened).toBe(1);
  await dash.page.reload();
  await expect(dash.banner).toHaveText(/exit 3/);
  await terminal.shows("LAST-WORDS");
  await dash.banner.getByRole("button", { name: "Restart" }).click();
  await expect.poll(async () => (await dash.ids()).filter((one) => one !== id)).toHaveLength(1);
  const again = dash.terminal((await dash.ids()).find((one) => one !== id) as string);
  await again.ready();
  await again.shows("$");
  await expect(dash.tabs).toHaveText(["short"]);
  expect((await cotty.api.listSessions({})).sessions).toMatchObject([{ name: "short" }]);
});

test("[AT7] [B130] a session that was deleted elsewhere is said to be gone, and nobody keeps asking for it", async ({
  cotty,
  dash,
  session,
  watch,
}) => {
  watch.expect(/status of 404/);
  const sent = sentFrames(dash.page);
  const asked: string[] = [];
  const { id } = await session({ name: "doomed" });
  dash.page.on("request", (request) => {
    if (request.url().includes(id)) asked.push(request.url());
  });
  const terminal = await dash.open(id);
  await terminal.shows("$");
  await terminal.enter("echo STILL-HERE");
  await terminal.shows(/^STILL-HERE$/m);
  await cotty.api.closeSession({ params: { id } });
  await expect(dash.banner).toHaveText(/This session is gone/);
  await terminal.shows("STILL-HERE");
  await expect(dash.tab("doomed")).toBeVisible();
  // Longer than the first four delays of the back-off together.
  const opened = sent.opened;
  await dash.page.waitForTimeout(5_000);
  expect(sent.opened).toBe(opened);
  expect(opened).toBeLessThan(10);
  expect(asked.length).toBeLessThan(10);
  await dash.banner.getByRole("button", { name: "Close tab" }).click();
  await expect(dash.tabs).toHaveCount(0);
});

test("a link to a session that never was says so", async ({ dash, watch }) => {
  watch.expect(/status of 404|response code: 404/);
  await dash.goto("/?s=nosuchsessionnosuchsession");
  await expect(
    dash.page.getByText(/No session|gone|not found|Nothing here/i).first(),
  ).toBeVisible();
});

test("[PT2] --no-terminal: the page works, and the button is there, disabled, and says why", async ({
  start,
  newWindow,
}) => {
  const place = await start({ flags: ["--no-terminal"] });
  const dash = await newWindow({ at: place });
  await dash.goto();
  const reason = "Watch-only server. Terminals are turned off here.";
  const button = dash.page.getByRole("button", { name: "Open a terminal" });
  await expect(button).toHaveAttribute("aria-disabled", "true");
  await expect(dash.page.getByText(reason).first()).toBeVisible();
  await dash.rail.getByRole("button", { name: "New terminal" }).hover();
  await expect(dash.page.locator(".popup")).toHaveText(reason);
  await dash.page.keyboard.press("Alt+Shift+T");
  await expect(dash.page.getByText(reason).nth(1)).toBeVisible();
  await expect(place.api.createSession({ body: {} })).rejects.toMatchObject({
    code: "TERMINALS_DISABLED",
  });
});

test("[PT1] a native module that cannot spawn: the server runs, and the page says what is wrong", async ({
  start,
  newWindow,
}) => {
  const place = await start({ env: { COTTY_PTY_MODULE: brokenPty } });
  const dash = await newWindow({ at: place });
  await dash.goto();
  await expect(
    dash.page.getByText(/This machine can.t start terminals: .*openpty/).first(),
  ).toBeVisible();
  await expect(dash.page.getByRole("button", { name: "Open a terminal" })).toHaveAttribute(
    "aria-disabled",
    "true",
  );
  await expect(place.api.createSession({ body: {} })).rejects.toMatchObject({
    code: "TERMINALS_UNAVAILABLE",
  });
});

test("[AU1] a disk that takes no more of the audit is told on pages that are open, with what to do, until it takes it again", async ({
  start,
  newWindow,
}) => {
  const place = await start();
  const limit = (bytes: number | string) =>
    execFileSync("prlimit", [
      "--pid",
      String(place.server.hostPid()),
      `--fsize=${bytes}:unlimited`,
    ]);
  const { id } = await place.api.createSession({ body: { command: ["/bin/cat"], name: "cat" } });
  const dash = await newWindow({ at: place });
  const phone = await newWindow({
    at: place,
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  });
  await dash.open(id);
  await phone.open(id);
  const pill = dash.page.locator("[data-audit-trouble]");
  const sizes = async () => {
    const { cols, rows } = await place.api.getSession({ params: { id } });
    return { cols, rows };
  };
  const size = await sizes();
  await expect(pill).toHaveCount(0);

  const audit = join(place.server.stateDir, "audit");
  const [file] = readdirSync(audit);
  limit(statSync(join(audit, file as string)).size + 300);
  for (let n = 0; n < 5; n++)
    await place.api.writeInput({ params: { id }, body: { input: [{ text: "on" }] } });
  await expect(pill).toContainText("Audit stopped");
  await expect(dash.page.locator("[data-audit-said]:not(:empty)")).toHaveRole("status");
  await expect(phone.page.locator("#drawer [data-audit-said]")).toContainText("not being written");
  expect(await sizes()).toEqual(size);
  await pill.click();
  const told = dash.page.getByRole("dialog", { name: "The audit is not being written." });
  await expect(told).toContainText("EFBIG");
  await expect(told).toContainText("Make room on the disk");
  expect(await findings(dash.page), "audit stopped").toEqual([]);
  await told.getByRole("button", { name: "Open the audit" }).click();
  await expect(dash.page.getByRole("dialog", { name: "Audit" })).toContainText("EFBIG");
  await phone.page.locator("#drawer [data-audit-trouble]").tap();
  await expect(phone.page.getByRole("dialog")).toContainText("Make room on the disk");
  await phone.page.keyboard.press("Escape");
  await phone.page.getByRole("button", { name: "Back" }).tap();
  await expect(phone.page.locator("header [data-audit-trouble]")).toBeVisible();

  limit("unlimited");
  for (const { page } of [dash, phone]) {
    await expect(page.locator("[data-audit-trouble]")).toHaveCount(0);
    await expect(page.locator("[data-audit-said]:not(:empty)")).toHaveCount(0);
  }
});
