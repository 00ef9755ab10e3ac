// How a terminal is drawn: with WebGL, without, and when the graphics card takes it away; and more tabs than fit.
import type { Locator } from "@playwright/test";
import { expect, test } from "../fixtures/cotty-test.ts";
import type { TerminalPage } from "../fixtures/dashboard.ts";

/** What the DOM renderer has drawn; nothing with WebGL. */
const drawnRows = (terminal: TerminalPage): Locator => terminal.box.locator(".xterm-rows");

/** Canvases that have a WebGL context which is not lost. */
function contexts(terminal: TerminalPage, lose = false): Promise<number> {
  return terminal.box.locator("canvas").evaluateAll((canvases, isToLose) => {
    const live = canvases
      .map((canvas) => (canvas as HTMLCanvasElement).getContext("webgl2"))
      .filter((context) => context !== null && !context.isContextLost());
    if (isToLose) for (const gl of live) gl?.getExtension("WEBGL_lose_context")?.loseContext();
    return live.length;
  }, lose);
}

test("a lost WebGL context falls back to the DOM, loses no text, and is taken again at the next focus", async ({
  dash,
  session,
  watch,
}) => {
  // The library's word that it has waited long enough for the card to come back.
  watch.expect(/webgl context not restored/);
  const { id } = await session();
  const terminal = await dash.open(id);
  await terminal.enter("echo before-$((1+1))");
  await terminal.shows("before-2");
  await expect.poll(() => contexts(terminal)).toBe(1);
  await expect(drawnRows(terminal)).toHaveCount(0);

  expect(await contexts(terminal, true)).toBe(1);
  await expect(drawnRows(terminal)).toContainText("before-2");
  expect(await contexts(terminal)).toBe(0);
  await terminal.page.keyboard.type("echo after-$((1+1))\n");
  await expect(drawnRows(terminal)).toContainText("after-2");

  await terminal.box.locator("textarea").blur();
  await terminal.focus();
  await expect.poll(() => contexts(terminal)).toBe(1);
  await terminal.shows("after-2");
});

test("without WebGL a terminal is drawn by the DOM", async ({ newWindow, session }) => {
  const dash = await newWindow({ hasWebgl: false });
  const { id } = await session();
  const terminal = await dash.open(id);
  await terminal.enter("echo drawn-$((1+1))");
  await expect(drawnRows(terminal)).toContainText("drawn-2");
});

test("tabs that do not fit are in a list, and the chosen one comes into view", async ({
  newWindow,
  session,
}) => {
  const dash = await newWindow({ hasWebgl: false, viewport: { width: 1100, height: 700 } });
  const { page } = dash;
  const all = page.getByRole("button", { name: "All open terminals" });
  const names = Array.from({ length: 6 }, (_, at) => `a-rather-long-name-for-session-${at}`);
  for (const name of names) await session({ name, command: ["cat"] });
  await dash.goto();
  for (const name of names) {
    await dash.rail.getByRole("link", { name }).click();
    await expect(dash.tab(name)).toHaveAttribute("aria-selected", "true");
    await expect(dash.tab(name)).toBeInViewport();
    if (name === names[0]) await expect(all).toHaveCount(0);
  }
  await expect(dash.tab(names[0] as string)).not.toBeInViewport();
  await all.click();
  await expect(page.getByRole("menuitem")).toHaveText(names);
  await page.getByRole("menuitem", { name: names[0] as string }).click();
  await expect(dash.tab(names[0] as string)).toHaveAttribute("aria-selected", "true");
  await expect(dash.tab(names[0] as string)).toBeInViewport();

  // Wide enough for all of them, there is no list.
  await page.setViewportSize({ width: 1900, height: 700 });
  await expect(all).toHaveCount(0);
});
