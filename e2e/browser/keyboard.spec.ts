// Whose hands: a person in the browser, a scripted agent beside them (issue 5, shown by 1; LS2, LS4, LS5, LS9, AC, CR2).

import type { TerminalLook } from "#lib/xterm/terminal-registry.ts";
import { ScriptedAgent } from "../fixtures/agent.ts";
import { findings } from "../fixtures/axe.ts";
import { expect, test } from "../fixtures/cotty-test.ts";
import type { Dashboard } from "../fixtures/dashboard.ts";
import { echoProbe, received, screenText, untilReady } from "../fixtures/programs.ts";

test.use({ hasWebgl: false });

/** A program that has the whole screen: no line on which something unsent could stand. */
const fullScreen = () => echoProbe("\\e[?1049h");

/** What the page shows, looked at by itself every 50 ms: the time of a countdown is too short for questions from outside. */
interface Sample {
  state: string;
  text: string;
  /** Of the countdown. */
  width: number | null;
  hasEdge: boolean;
}

async function watchBanner(dash: Dashboard): Promise<() => Promise<Sample[]>> {
  await dash.page.evaluate(() => {
    const samples: Sample[] = [];
    Object.assign(window, { bannerSamples: samples });
    setInterval(() => {
      const banner = document.querySelector<HTMLElement>("[data-banner]");
      const bar = banner?.querySelector("[data-countdown]");
      samples.push({
        state: banner?.dataset.banner ?? "",
        text: banner?.textContent ?? "",
        width: bar?.getBoundingClientRect().width ?? null,
        hasEdge: document.querySelector('[data-edge="human"]') !== null,
      });
    }, 50);
  });
  return () =>
    dash.page.evaluate(() => (window as unknown as { bannerSamples: Sample[] }).bannerSamples);
}

test("[LS4] [LS5] one key stops the agent at once; when nobody types for 4 s its next write lands", async ({
  cotty,
  dash,
  session,
}) => {
  const { id } = await session(fullScreen());
  await untilReady(cotty, id);
  const terminal = await dash.open(id);
  const agent = await ScriptedAgent.at(cotty, id);
  agent.start("a");
  await expect(dash.banner).toHaveAttribute("data-banner", "acting");
  await expect(dash.banner).toContainText("is typing");
  await expect.poll(() => agent.typed.length).toBeGreaterThan(3);

  await terminal.focus();
  const seen = await watchBanner(dash);
  const keyMs = performance.now();
  await dash.page.keyboard.press("x");
  await expect.poll(() => agent.refusals.length).toBeGreaterThan(0);
  const [first] = agent.refusals;
  expect(first?.code).toBe("LEASE_DENIED");
  expect(first?.retry_after_ms).toBeGreaterThan(0);
  expect(first?.retry_after_ms).toBeLessThanOrEqual(4_000);

  await expect.poll(() => agent.typedSince((first?.atMs ?? 0) + 1)).toBeGreaterThan(0);
  const nextMs = agent.typed.find((at) => at > (first?.atMs ?? 0)) ?? 0;
  expect(nextMs - keyMs).toBeGreaterThan(3_800);
  const typing = (await seen()).filter(({ state }) => state === "human");
  expect(typing[0]?.text).toContain("You’re typing");
  expect(typing[0]?.text).toMatch(/gets the keyboard back in [\d.]+\s/);
  expect(typing.every(({ hasEdge }) => hasEdge)).toBe(true);
  const widths = typing.flatMap(({ width }) => width ?? []);
  expect(widths.at(-1)).toBeLessThan((widths[0] ?? 0) / 2);
  await expect(dash.banner).toHaveAttribute("data-banner", "acting");
  await agent.stop();
  const all = await received(cotty, id);
  expect(all.match(/x/g)).toHaveLength(1);
  // The page says once how it works, and never again.
  await expect(dash.page.getByRole("note")).toContainText("Stop typing for 4 s");
  await dash.page.getByRole("button", { name: "Got it" }).click();
  await terminal.type("y");
  await expect(dash.banner).toHaveAttribute("data-banner", "human");
  await expect(dash.page.getByRole("note")).toHaveCount(0);
});

test("[LS2] looking takes nothing: clicks, focus, selection, wheel, mouse, modifier keys, vim's start", async ({
  cotty,
  dash,
  session,
}) => {
  const { id } = await session({ name: "shell" });
  const terminal = await dash.open(id);
  await terminal.shows("$");
  const agent = await ScriptedAgent.at(cotty, id);
  const vim = "vim -N -u NONE -i NONE -n '+set mouse=a' '+startinsert'";
  expect(await agent.write([{ text: vim }, { key: "Enter" }], "open an editor")).toBeNull();
  await expect(dash.page.locator("[data-caption]")).toContainText("open an editor");
  await terminal.shows("INSERT");
  agent.start("ab ", 100);

  await terminal.clickCell(2, 2);
  await terminal.focus();
  const from = await terminal.pointOf(0, 0);
  const to = await terminal.pointOf(10, 1);
  await dash.page.mouse.move(from.x, from.y);
  await dash.page.mouse.down();
  await dash.page.mouse.move(to.x, to.y, { steps: 4 });
  await dash.page.mouse.up();
  await dash.page.keyboard.down("Shift");
  await dash.page.mouse.move(from.x, from.y);
  await dash.page.mouse.down();
  await dash.page.mouse.move(to.x, to.y, { steps: 4 });
  await dash.page.mouse.up();
  await dash.page.keyboard.up("Shift");
  for (const key of ["Shift", "Control", "Alt", "Meta"]) await dash.page.keyboard.press(key);
  await dash.page.mouse.wheel(0, 300);
  await dash.page.keyboard.press("Control+Shift+C");
  await dash.page.keyboard.press("Control+Shift+F");
  await dash.page.keyboard.press("Escape");
  await dash.page.setViewportSize({ width: 1100, height: 700 });
  const doneMs = performance.now();
  await expect.poll(() => agent.typedSince(doneMs)).toBeGreaterThan(3);
  await agent.stop();
  expect(agent.refusals).toEqual([]);
  expect(await cotty.api.readLease({ params: { id } })).toMatchObject({
    holder: "agent",
    epoch: 0,
  });
});

test("[LS6] [DR1] hold, hand back, clear line and their keys", async ({ cotty, dash, session }) => {
  const { id } = await session({ name: "shell" });
  const terminal = await dash.open(id);
  await terminal.shows("$");
  const agent = await ScriptedAgent.at(cotty, id);
  expect(await agent.write([{ text: "true" }, { key: "Enter" }])).toBeNull();

  await terminal.type("rm -rf ");
  await expect(dash.banner).toContainText("Unsent text on the line");
  await expect(dash.banner.locator("[data-countdown=full]")).toBeVisible();
  expect(await agent.write([{ text: "ls" }])).toBe("DRAFT_PENDING");
  await dash.page.getByRole("button", { name: "Clear line" }).click();
  await expect(dash.banner).toHaveAttribute("data-banner", "human");
  await expect.poll(() => screenText(cotty, id)).not.toContain("rm -rf");
  await dash.page.getByRole("button", { name: "Hold" }).click();
  await expect(dash.banner).toContainText("You hold the keyboard");
  expect(await agent.write([{ text: "ls" }])).toBe("LEASE_DENIED");
  await dash.page.getByRole("button", { name: "Hand back" }).click();
  await expect(dash.banner).toHaveAttribute("data-banner", "ready");
  expect(await agent.write([{ text: "" }, { key: "Enter" }])).toBeNull();

  await dash.page.keyboard.press("Alt+Shift+K");
  await expect(dash.banner).toHaveAttribute("data-banner", "held");
  await dash.page.keyboard.press("Alt+Shift+B");
  await expect(dash.banner).toHaveAttribute("data-banner", /ready|acting/);
  await terminal.type("\n");
  await expect(dash.banner).toHaveAttribute("data-banner", "human");
  await dash.page.keyboard.press("Alt+Shift+H");
  await expect(dash.banner).toHaveAttribute("data-banner", "held");
  await dash.page.keyboard.press("Alt+Shift+B");
});

test("[LS9] two people: the first key is swallowed with a notice, the second takes; one may ask", async ({
  cotty,
  newWindow,
  session,
}) => {
  const { id } = await session(fullScreen());
  await untilReady(cotty, id);
  const ada = await newWindow();
  const inAda = await ada.open(id);
  const bob = await newWindow({ isSignedOut: true });
  await bob.page.goto(cotty.server.linkFor("Bob Wolf"));
  await expect(bob.page.getByText(/^Live/)).toBeVisible();
  const inBob = await bob.open(id);

  await inAda.type("a");
  await expect(bob.banner).toHaveAttribute("data-banner", "other");
  await bob.page.getByRole("button", { name: "Ask for it" }).click();
  await expect(ada.page.getByText("Bob Wolf would like the keyboard")).toBeVisible();
  await inAda.type("a");
  await inBob.type("b");
  await expect(bob.page.getByText(/press again to take the keyboard/)).toBeVisible();
  await inBob.type("c");
  await expect(bob.banner).toHaveAttribute("data-banner", "human");
  await expect(ada.banner).toContainText("Bob Wolf is typing");
  await expect.poll(() => received(cotty, id)).toBe("aac");
});

test("[LS9] two people: the first key takes it from one who said so; from one who wants to be asked, no key does", async ({
  cotty,
  newWindow,
  session,
}) => {
  const { id } = await session(fullScreen());
  await untilReady(cotty, id);
  const ada = await newWindow();
  const inAda = await ada.open(id);
  const bob = await newWindow({ isSignedOut: true });
  await bob.page.goto(cotty.server.linkFor("Bob Wolf"));
  await expect(bob.page.getByText(/^Live/)).toBeVisible();
  const inBob = await bob.open(id);
  const choose = async (choice: string) => {
    await ada.page.getByRole("button", { name: "Settings", exact: true }).click();
    await ada.page.getByRole("menuitem", { name: "Keyboard and agents" }).click();
    await ada.page.getByRole("radio", { name: choice }).check();
    await ada.page.getByRole("button", { name: "Done" }).click();
    await expect(ada.page.getByRole("dialog")).toBeHidden();
    await inAda.focus();
  };

  await choose("Take it at once");
  await inAda.type("a");
  await expect(bob.banner).toContainText("Type to take the keyboard");
  await inBob.type("b");
  await expect(bob.banner).toHaveAttribute("data-banner", "human");
  await expect(ada.banner).toContainText("Bob Wolf is typing");
  await expect.poll(() => received(cotty, id)).toBe("ab");

  // Bob is as polite as ever: two keys. Ada then changes her mind while she has it.
  await inAda.type("xa");
  await expect(ada.banner).toHaveAttribute("data-banner", "human");
  await ada.page.keyboard.press("Alt+Shift+H");
  await choose("Don’t take it");
  await expect(bob.banner).toContainText("Keys don’t take the keyboard here");
  await inBob.type("yz");
  const notice = bob.page.getByText(/has the keyboard and wants to be asked/);
  // Under the pointer it stays, for as long as the next line takes.
  await notice.hover();
  expect(await findings(bob.page), "the notice").toEqual([]);
  await bob.page.getByRole("listitem").getByRole("button", { name: "Ask for it" }).click();
  await expect(ada.page.getByText("Bob Wolf would like the keyboard")).toBeVisible();
  await expect(ada.banner).toHaveAttribute("data-banner", "held");
  expect(await received(cotty, id)).toBe("aba");

  await bob.banner.getByRole("button", { name: "Take keyboard" }).click();
  await expect(bob.banner).toHaveAttribute("data-banner", "held");
  await expect(ada.banner).toContainText("Bob Wolf holds the keyboard");
  await inBob.type("c");
  await expect.poll(() => received(cotty, id)).toBe("abac");
  // Remembered with the other settings.
  await ada.page.reload();
  await inAda.ready();
  await bob.page.keyboard.press("Alt+Shift+B");
  await inAda.type("d");
  await expect(bob.banner).toContainText("Keys don’t take the keyboard here");
});

test("[AC1] [AC2] access: observe and sealed from the banner and by keys, with a way back", async ({
  cotty,
  dash,
  session,
}) => {
  const { id } = await session({ name: "guarded" });
  await dash.open(id);
  const agent = await ScriptedAgent.at(cotty, id);
  expect(await agent.write([{ text: ":" }, { key: "Enter" }])).toBeNull();
  const { page } = dash;

  await page.getByRole("radio", { name: "Observe" }).click();
  await expect(dash.banner).toContainText("Agents are read-only");
  expect(await agent.write([{ text: "x" }])).toBe("READ_ONLY");
  // The word is the program's while it works; the lock on the picture is always there.
  await expect(dash.rail.getByRole("link", { name: /guarded/ })).toContainText("Agents only look");

  await page.getByRole("radio", { name: "Observe" }).press("ArrowRight");
  await expect(dash.banner).toContainText("Agents disconnected");
  expect(await agent.write([{ text: "x" }])).toBe("SEALED");
  await expect(page.locator('[data-edge="sealed"]')).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(dash.banner).toContainText("Agents are read-only");

  await page.keyboard.press("Alt+Shift+X");
  await expect(dash.banner).toContainText("Agents disconnected");
  await page.getByRole("button", { name: "Reconnect agents" }).click();
  await expect(page.getByRole("radio", { name: "Collaborate" })).toBeChecked();
  await page.keyboard.press("Alt+Shift+L");
  await expect(page.getByRole("radio", { name: "Observe" })).toBeChecked();
  await page.setViewportSize({ width: 800, height: 700 });
  await page.getByRole("button", { name: "Agents only look" }).click();
  await expect(page.getByRole("button", { name: "Agents only look" })).toHaveAttribute(
    "aria-pressed",
    "false",
  );
  expect(await agent.write([{ text: ":" }, { key: "Enter" }])).toBeNull();
});

test("[CR2] a password: agents pause, the person answers, agents go on; it is queued, counted and told elsewhere", async ({
  cotty,
  dash,
  session,
}) => {
  const { id } = await session({ name: "deploy" });
  const { id: elsewhere } = await session({ name: "elsewhere" });
  const terminal = await dash.open(id);
  await terminal.shows("$");
  const agent = await ScriptedAgent.at(cotty, id);
  const ask = `read -rsp 'Password: ' it; echo; echo length \${#it}`;
  expect(await agent.write([{ text: ask }, { key: "Enter" }])).toBeNull();
  await expect(dash.banner).toContainText("Password needed");
  await expect(dash.page.locator('[data-edge="secret"]')).toBeVisible();
  expect(await agent.write([{ text: "guess" }])).toBe("HUMAN_REQUIRED");
  await expect(dash.rail).toContainText("Needs you");

  // Looked at from another session: a notice, the count in the title, and a key that leads there.
  await dash.rail.getByRole("link", { name: /elsewhere/ }).click();
  await dash.terminal(elsewhere).ready();
  await expect(dash.page).toHaveTitle(/^\(1\) /);
  await expect(dash.page.locator("[data-needs]")).toHaveText(/1/);
  await dash.page.keyboard.press("Alt+Shift+N");
  await expect(dash.banner).toContainText("Password needed");

  await terminal.focus();
  await dash.page.keyboard.type("s3cret-word");
  await dash.page.keyboard.press("Enter");
  await expect(dash.banner).toHaveAttribute("data-banner", "answered");
  await terminal.shows("length 11");
  await expect(dash.page).not.toHaveTitle(/^\(/);
  await expect.poll(() => agent.write([{ text: ":" }, { key: "Enter" }])).toBeNull();

  // By hand: this is a password; no, it is not.
  await dash.page.keyboard.press("Alt+Shift+S");
  await expect(dash.banner).toContainText("Password needed");
  await dash.page.getByRole("button", { name: "Not a password" }).click();
  await expect(dash.banner).not.toContainText("Password needed");
});

test("[CR2] on a touch screen a password is typed into a field that hides it, and said to be sent", async ({
  newWindow,
  session,
}) => {
  const script = "read -rsp 'Password: ' p; echo; echo got-$(printf %s \"$p\" | wc -c); sleep 600";
  const { id } = await session({ command: ["bash", "-c", script] });
  const viewport = { width: 390, height: 844 };
  const dash = await newWindow({ viewport, isMobile: true, hasTouch: true });
  const terminal = await dash.open(id);
  await expect(dash.banner).toHaveAttribute("data-banner", "secret");
  await dash.page.getByRole("button", { name: "Answer" }).tap();
  const sheet = dash.page.getByRole("dialog");
  await sheet.getByLabel("Password").fill("correct horse");
  await sheet.getByRole("button", { name: "Send" }).click();
  await expect(dash.banner).toHaveAttribute("data-banner", "answered");
  await terminal.shows("got-13");
});

test("[OP5] an agent's call is a banner, a place in the queue and a notice; taking the keyboard answers it", async ({
  cotty,
  dash,
  session,
}) => {
  const { id } = await session({ name: "infra" });
  const { id: failed } = await session({ name: "broken", command: ["sh", "-c", "read _; exit 3"] });
  await dash.open(id);
  const agent = await ScriptedAgent.at(cotty, id);
  await agent.request("POST", "/request_human", { reason: "Which database is the right one?" });
  await expect(dash.banner).toContainText("needs you");
  await expect(dash.banner).toContainText("Which database is the right one?");
  await cotty.api.writeInput({ params: { id: failed }, body: { input: [{ key: "Enter" }] } });

  await expect(dash.page.getByText("broken finished (exit 3)")).toBeVisible();
  await dash.page.getByRole("button", { name: "2 need you" }).click();
  const list = dash.page.getByRole("dialog", { name: "Needs you" });
  await expect(list.getByRole("listitem")).toHaveCount(2);
  await expect(list.getByRole("listitem").first()).toContainText("Which database");
  await expect(list.getByRole("listitem").last()).toContainText("Ended with exit 3.");
  await list.getByRole("button", { name: "Dismiss broken" }).click();
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await dash.page.keyboard.press("Escape");

  await dash.page.getByRole("button", { name: "Take keyboard" }).click();
  await expect(dash.banner).toHaveAttribute("data-banner", "held");
  await expect(dash.page.locator("[data-needs]")).toHaveCount(0);
});

test("what agents typed and saw, and the audit, can be looked at", async ({
  cotty,
  dash,
  session,
}) => {
  const { id } = await session({ name: "watched" });
  const terminal = await dash.open(id);
  await terminal.shows("$");
  const agent = await ScriptedAgent.at(cotty, id);
  await agent.write([{ text: "echo seen" }, { key: "Enter" }], "say something");
  await terminal.shows(/^seen/m);
  expect((await agent.request("GET", "/screen")).status).toBe(200);
  await expect(dash.page.locator('[data-written-by="agent"]')).toHaveCount(1);
  await terminal.enter("true");
  await expect(dash.page.locator('[data-written-by="me"]')).toHaveCount(1);

  await dash.page.keyboard.press("Alt+Shift+E");
  const view = dash.page.locator("[data-agent-view]");
  await expect(view).toContainText(/read the screen/);
  await expect(view).toContainText("echo seen");
  await dash.page.keyboard.press("Escape");
  await expect(view).toHaveCount(0);

  await dash.rail.getByRole("link", { name: /watched/ }).click({ button: "right" });
  await dash.page.getByRole("menuitem", { name: "What agents typed" }).click();
  const history = dash.page.getByRole("dialog", { name: "What agents typed" });
  await expect(history.getByRole("listitem")).toContainText("say something");
  await expect(history.getByRole("listitem")).toContainText("echo seenCR");
  await dash.page.keyboard.press("Escape");

  await dash.page.getByRole("button", { name: "Settings" }).click();
  await dash.page.getByRole("menuitem", { name: "Audit" }).click();
  const audit = dash.page.getByRole("dialog", { name: "Audit" });
  await expect(audit.getByRole("listitem").first()).toBeVisible();
  await audit.getByLabel("What").selectOption("write");
  await expect(audit.getByRole("listitem").filter({ hasText: "echo seen" })).toHaveCount(1);
});

declare const cottyTerminals: Map<string, TerminalLook> | undefined;

/** Whose bars are in sight, and what stands on the lines beside them. */
function bars(dash: Dashboard, id: string): Promise<string[]> {
  return dash.page.evaluate((session) => {
    const look = cottyTerminals?.get(session);
    const box = document.querySelector(`[data-terminal="${session}"] .xterm-screen`);
    if (!look || !box) return [];
    const { top, height } = box.getBoundingClientRect();
    return [...box.querySelectorAll<HTMLElement>("[data-written-by]")]
      .filter((bar) => bar.offsetHeight > 0)
      .map((bar) => {
        const row = Math.round(((bar.getBoundingClientRect().top - top) * look.rows) / height);
        const line = look.buffer.getLine(look.buffer.viewportY + row)?.translateToString(true);
        return { row, text: `${bar.dataset.writtenBy}: ${line?.match(/^\$ \w+ [\w-]+/)?.[0]}` };
      })
      .sort((a, b) => a.row - b.row)
      .map(({ text }) => text);
  }, id);
}

test("[AU2] the bars of who typed are at exactly their lines: live, after a reload, for another person, a flood and a change of width", async ({
  cotty,
  dash,
  newWindow,
  session,
}) => {
  const { id } = await session({ name: "whose" });
  const terminal = await dash.open(id);
  await terminal.shows("$");
  const agent = await ScriptedAgent.at(cotty, id);
  await agent.write([{ text: "echo agent-one" }, { key: "Enter" }]);
  await terminal.shows(/^agent-one/m);
  await terminal.enter(`echo person-one-${"w".repeat(70)}; seq 5`);
  await terminal.shows(/^5$/m);
  await dash.page.keyboard.press("Alt+Shift+B");
  await expect.poll(() => agent.write([{ text: "echo agent-two" }, { key: "Enter" }])).toBeNull();
  const typed = [
    "agent: $ echo agent-one",
    expect.stringMatching(/^me: \$ echo person-one-w/),
    "agent: $ echo agent-two",
  ];
  await expect.poll(() => bars(dash, id)).toEqual(typed);
  await dash.page.reload();
  await terminal.ready();
  await expect.poll(() => bars(dash, id)).toEqual(typed);

  await terminal.enter("seq 1 300");
  await terminal.shows(/^300$/m);
  const after = [...typed, "me: $ seq 1"];
  await dash.page.keyboard.press("Shift+Home");
  await expect.poll(() => bars(dash, id)).toEqual(after);
  // The person typed last, so the session takes the new width; the long line is cut anew.
  await dash.page.setViewportSize({ width: 700, height: 800 });
  await expect
    .poll(async () => (await cotty.api.getSession({ params: { id } })).cols)
    .toBeLessThan(95);
  await terminal.focus();
  await dash.page.keyboard.press("Shift+Home");
  await expect.poll(() => bars(dash, id)).toEqual(after);

  const other = await newWindow({ isSignedOut: true });
  await other.page.goto(cotty.server.linkFor("Olga"));
  await expect(other.page.getByText(/^Live/)).toBeVisible();
  const theirs = await other.open(id);
  await theirs.focus();
  await other.page.keyboard.press("Shift+Home");
  await expect
    .poll(() => bars(other, id))
    .toEqual([
      typed[0],
      expect.stringMatching(/^person: \$ echo person-one-w/),
      typed[2],
      "person: $ seq 1",
    ]);
});
