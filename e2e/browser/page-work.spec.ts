// What the page makes a browser do, in counts: times say little on a machine that has other things to do.
import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/cotty-test.ts";

test.use({ hasWebgl: false });

interface Fiber {
  readonly type: unknown;
  readonly flags: number;
  readonly alternate: Fiber | null;
  readonly child: Fiber | null;
  readonly sibling: Fiber | null;
}

declare const drawn: { components: number };

/** Counts components as React draws them, from before the page's first script: through what it tells its developer tools. */
async function countComponents(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const drawn = { components: 0 };
    /** React's mark on what was drawn, not taken over from before. */
    const performedWork = 1;
    const count = (first: Fiber | null) => {
      for (let fiber = first; fiber; fiber = fiber.sibling) {
        const isHost = typeof fiber.type === "string" || fiber.type === null;
        if (!isHost && (fiber.flags & performedWork) !== 0) drawn.components++;
        // Below, nothing is new where the children are still the same.
        if (fiber.child !== fiber.alternate?.child) count(fiber.child);
      }
    };
    const hook = {
      supportsFiber: true,
      inject: () => 1,
      onCommitFiberRoot: (_id: number, root: { current: Fiber }) => count(root.current.child),
      onPostCommitFiberRoot() {},
      onCommitFiberUnmount() {},
    };
    Object.assign(globalThis, { drawn, __REACT_DEVTOOLS_GLOBAL_HOOK__: hook });
  });
  return () => page.evaluate(() => drawn.components);
}

test("[UI 16] signs of life from the server draw nothing anew but what says how far away it is", async ({
  dash,
  session,
}) => {
  const { page } = dash;
  const components = await countComponents(page);
  const { id } = await session({ name: "shop" });
  await (await dash.open(id)).shows("$");
  await expect(page.getByRole("region", { name: "Notifications" })).toBeAttached();
  const signOfLife = () => page.waitForResponse(/\/api\/v1\/me$/);
  // What came with the opening is over.
  await signOfLife();
  await signOfLife();
  const before = await components();
  expect(before).toBeGreaterThan(100);
  for (let nth = 0; nth < 3; nth++) await signOfLife();
  // Two for each: the pill and what opens from it.
  expect((await components()) - before).toBeLessThanOrEqual(8);
});
