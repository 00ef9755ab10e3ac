// The reference at /docs/api/: drawn by Swagger UI under this page's content policy, from this server, and only there.
import { expect, test } from "../fixtures/cotty-test.ts";

test.use({ hasWebgl: false });

/** Swagger UI in one piece, as it travels; a page's own pieces are smaller. */
const isLibrary = (length: string | undefined) => Number(length) > 300_000;

test("[OP6] [T151] the API's reference draws the operations and opens one; its library comes with no other page", async ({
  dash,
  newWindow,
}) => {
  const scripts = new Map<string, string | undefined>();
  const follow = (page: typeof dash.page) =>
    page.on("response", (response) => {
      if (/\.js(\?|$)/.test(response.url()))
        scripts.set(new URL(response.url()).pathname, response.headers()["content-length"]);
    });
  follow(dash.page);
  await dash.goto();
  const ofDashboard = new Set(scripts.keys());
  scripts.clear();

  const other = await newWindow({ isSignedOut: true });
  follow(other.page);
  await other.page.goto(`${other.origin}/docs/api/`);
  await expect(other.page).toHaveTitle(/API reference/);
  await expect(other.page.locator(".opblock")).not.toHaveCount(0);
  const operations = await other.page.locator(".opblock").count();
  const described = await other.page.evaluate(async () => {
    const { paths } = (await (await fetch("/openapi.json")).json()) as { paths: object };
    return Object.values(paths).flatMap((path) =>
      Object.keys(path as object).filter((method) => /^(get|post|put|patch|delete)$/.test(method)),
    ).length;
  });
  expect(operations).toBe(described);

  const create = other.page.locator(".opblock-post").filter({ hasText: "/sessions" }).first();
  await create.locator(".opblock-summary-control").click();
  await expect(create.locator(".opblock-body")).toBeVisible();
  // Nothing may be called from here.
  await expect(other.page.getByRole("button", { name: "Try it out" })).toHaveCount(0);
  await expect(other.page.locator("main [role=alert]")).toHaveCount(0);
  const large = [...scripts].filter(([, length]) => isLibrary(length)).map(([path]) => path);
  expect(large).toHaveLength(1);
  expect(ofDashboard).not.toContain(large[0]);
});
