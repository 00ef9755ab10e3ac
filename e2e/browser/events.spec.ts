// The list of sessions follows what others do, by events and not by asking (EV1).
import { expect, test } from "../fixtures/cotty-test.ts";

test.use({ hasWebgl: false });

test("[EV1] what others do to sessions shows without asking for the list", async ({
  cotty,
  dash,
  session,
}) => {
  const { page } = dash;
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === "GET") asked.push(pathname.replace("/api/v1", ""));
  });
  const streamed = page.waitForResponse((reply) => reply.url().endsWith("/api/v1/events"));
  await dash.goto();
  await streamed;
  const lists = () => asked.filter((path) => path === "/sessions").length;
  const link = (name: string) => dash.rail.getByRole("link", { name: new RegExp(name) });
  const before = lists();

  const { id } = await session({ name: "made-elsewhere" });
  await expect(link("made-elsewhere")).toBeVisible();
  await cotty.api.changeSession({ params: { id }, body: { name: "renamed-elsewhere" } });
  await expect(link("renamed-elsewhere")).toBeVisible();
  await cotty.api.closeSession({ params: { id }, query: { signal: "KILL" } });
  await expect(link("renamed-elsewhere")).toBeHidden();
  expect(lists()).toBe(before);
});
