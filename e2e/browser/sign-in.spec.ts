// A fresh link signs in once and shows a prompt (shown by 1); a login that ends says so everywhere at once.
import { expect, test } from "../fixtures/cotty-test.ts";

test.use({ hasWebgl: false });

test("[SE3] a fresh link opens the page signed in, a terminal shows its prompt, and the link works once", async ({
  cotty,
  newWindow,
  watch,
  session: _,
}) => {
  const link = (await cotty.server.cli("open", "--no-open")).stdout.trim();
  const dash = await newWindow({ isSignedOut: true });
  await dash.page.goto(link);
  await expect(dash.page.getByText(/^Live/)).toBeVisible();
  // The code is out of the address, so it is in no history and no bookmark.
  expect(dash.page.url()).toBe(`${cotty.origin}/`);
  await dash.page.getByRole("button", { name: "Open a terminal" }).click();
  await expect.poll(() => dash.ids()).toHaveLength(1);
  const terminal = dash.terminal((await dash.ids())[0] as string);
  await terminal.ready();
  await terminal.shows("$");
  await terminal.enter("echo $((40+2))");
  await terminal.shows("42");

  watch.expect(/status of 401|status of 403/);
  const second = await newWindow({ isSignedOut: true });
  await second.page.goto(link);
  await expect(second.page.getByText("This link was used or has expired")).toBeVisible();
});

test("[SE4] a login that is revoked elsewhere ends this page's terminals and says how to come back", async ({
  cotty,
  newWindow,
  session,
  watch,
}) => {
  // Event streams are cut in the middle.
  watch.expect(/status of 401|ERR_INCOMPLETE_CHUNKED_ENCODING/);
  const { id } = await session();
  const link = (await cotty.server.cli("open", "--no-open")).stdout.trim();
  const dash = await newWindow({ isSignedOut: true });
  await dash.page.goto(link);
  await expect(dash.page.getByText(/^Live/)).toBeVisible();
  await dash.open(id);
  // The same login in another window of the same browser signs out: the key is gone here too, and the socket closes with 4401.
  const other = await dash.page.context().newPage();
  await other.goto(`${dash.origin}/`);
  await other.getByRole("button", { name: "Settings" }).click();
  await other.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(dash.page.getByRole("heading", { name: "You are signed out" })).toBeVisible();
  await expect(dash.page.getByText("cotty open", { exact: true })).toBeVisible();
  expect((await cotty.api.getSession({ params: { id } })).exited).toBe(false);
});
