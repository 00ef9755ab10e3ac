// Shown by 5: one size per session, that of the person who types. Everybody else looks at it, and nothing hidden has a say.
import { expect, test } from "../fixtures/cotty-test.ts";
import { sentFrames } from "../fixtures/frames.ts";
import { screenOf, screenText, sizeProbe, sizesOf, untilReady } from "../fixtures/programs.ts";

test.use({ hasWebgl: false });

test("[SZ1] [B057] two windows never fight: each change of size is somebody's key or button", async ({
  cotty,
  newWindow,
  session,
}) => {
  const { id } = await session(sizeProbe());
  await untilReady(cotty, id);
  const wide = await newWindow({ viewport: { width: 1280, height: 800 } });
  const small = await newWindow({ viewport: { width: 900, height: 560 } });
  const inWide = await wide.open(id);
  // The first viewer's window.
  await expect.poll(() => sizesOf(cotty, id)).toHaveLength(2);
  const [, wideSize] = await sizesOf(cotty, id);

  const inSmall = await small.open(id);
  const letterboxed = await inSmall.cells();
  expect(`${letterboxed.cols}x${letterboxed.rows}`).toBe(wideSize);
  expect(letterboxed.lines).toEqual((await inWide.cells()).lines);
  // All of it is in sight: scaled down, not cut off.
  const [screen, box] = await Promise.all([
    inSmall.box.locator(".xterm-screen").boundingBox(),
    inSmall.box.boundingBox(),
  ]);
  expect(screen?.width).toBeLessThanOrEqual((box?.width ?? 0) + 1);
  await expect(small.page.getByTestId("size")).toContainText("follows another window");

  for (let i = 0; i < 2; i++) {
    await small.page.reload();
    await inSmall.ready();
  }
  await small.page.setViewportSize({ width: 860, height: 540 });
  await inSmall.box.click();
  await wide.page.mouse.move(400, 500);
  // Typing in the wide window is the proof that everything before has been dealt with: it changes nothing either.
  await inWide.type("w");
  await inWide.shows("77");
  expect(await sizesOf(cotty, id)).toHaveLength(2);

  await inSmall.type("s");
  await expect.poll(() => sizesOf(cotty, id)).toHaveLength(3);
  const smallSize = (await sizesOf(cotty, id)).at(-1);
  expect(smallSize).not.toBe(wideSize);
  await expect(wide.page.getByTestId("size")).toContainText("follows another window");

  await wide.page.getByRole("button", { name: "Use my size" }).click();
  await expect.poll(() => sizesOf(cotty, id)).toHaveLength(4);
  expect((await sizesOf(cotty, id)).at(-1)).toBe(wideSize);
  await expect(wide.page.getByTestId("size")).toContainText("follows this window");
  await inWide.shows(`SIZE ${wideSize}`);
  expect((await inWide.cells()).lines).toEqual((await screenText(cotty, id)).split("\n"));
});

test("[SZ2] [B058] a phone that only looks in leaves a size that was set by the API alone", async ({
  cotty,
  newWindow,
  session,
}) => {
  const { id } = await session(sizeProbe({ cols: 100, rows: 30 }));
  await untilReady(cotty, id);
  const phone = await newWindow({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  });
  const there = await phone.open(id);
  expect(await there.cells()).toMatchObject({ cols: 100, rows: 30 });
  await there.box.tap();
  await phone.page.close();
  await expect.poll(async () => (await cotty.api.getSession({ params: { id } })).viewers).toBe(0);
  expect(await sizesOf(cotty, id)).toEqual(["100x30"]);
  expect(await cotty.api.getSession({ params: { id } })).toMatchObject({ cols: 100, rows: 30 });
});

test("[SN5] [B034] a snapshot is drawn at the session's own size before anything is fitted", async ({
  cotty,
  newWindow,
  session,
}) => {
  const prompt = "x".repeat(66);
  const { id } = await session({
    command: [
      "sh",
      "-c",
      `stty raw -echo; printf '\\033[2J\\033[5;1H${prompt}|behind\\033[5;67H'; head -c1 >/dev/null; printf '\\033[K*'; sleep 600`,
    ],
    cols: 100,
    rows: 30,
  });
  await expect.poll(() => screenText(cotty, id)).toContain("|behind");
  const narrow = await newWindow({ viewport: { width: 680, height: 700 } });
  const there = await narrow.open(id);
  await there.shows("|behind");
  await cotty.api.writeInput({ params: { id }, body: { input: [{ text: "k" }] } });
  await there.shows(`${prompt}*`);
  const server = await screenOf(cotty, id);
  expect(server.lines[4]).toBe(`${prompt}*`);
  const page = await there.cells();
  expect(page.lines).toEqual(server.lines);
  expect(page.cursor).toEqual({ x: server.cursor.x, y: server.cursor.y });
});

test("[SZ3] [B115] what is hidden proposes no size: a collapsed drawer, another tab, a window resized meanwhile", async ({
  dash,
  session,
}) => {
  const sent = sentFrames(dash.page);
  const first = (await session({ name: "first" })).id;
  const second = (await session({ name: "second" })).id;
  await dash.open(first);
  await dash.rail.getByRole("link", { name: /second/ }).click();
  await dash.terminal(second).ready();
  const sizes = () => sent.messages.flatMap((one) => (one.type === "resize" ? [one] : []));
  const sizesOfSession = (id: string) => sizes().filter((one) => one.session === id);
  await expect.poll(() => sizesOfSession(second)).toHaveLength(1);
  const before = sizesOfSession(first).length;

  await dash.page.setViewportSize({ width: 1000, height: 700 });
  await expect.poll(() => sizesOfSession(second)).toHaveLength(2);
  expect(sizesOfSession(first)).toHaveLength(before);

  await dash.page.getByRole("button", { name: "Hide panel" }).click();
  await dash.page.setViewportSize({ width: 1280, height: 800 });
  await dash.page.reload();
  await expect(dash.page.getByText(/^Live/)).toBeVisible();
  await expect(dash.drawer).toBeHidden();
  expect(sizesOfSession(first)).toHaveLength(before);
  const { length } = sizesOfSession(second);

  await dash.page.keyboard.press("Control+`");
  await dash.terminal(second).ready();
  await expect.poll(() => sizesOfSession(second).length).toBeGreaterThan(length);
  // What was asked for is what it became.
  await expect(async () => {
    const { cols, rows } = await dash.terminal(second).cells();
    expect(sizesOfSession(second).at(-1)).toMatchObject({ cols, rows });
  }).toPass({ timeout: 10_000 });
  const { cols } = await dash.terminal(second).cells();
  // As wide as the container, to the cell.
  const widths = await dash.terminal(second).box.evaluate((box) => ({
    box: box.clientWidth,
    screen: box.querySelector<HTMLElement>(".xterm-screen")?.offsetWidth ?? 0,
  }));
  expect(widths.box - widths.screen).toBeLessThan(14 + 24 + (widths.screen / cols) * 2);
  for (const size of sizes()) {
    expect(size.cols).toBeGreaterThanOrEqual(20);
    expect(size.rows).toBeGreaterThanOrEqual(3);
  }
});
