import { describe, expect, it } from "vitest";
import { memoryKeyValue } from "#lib/client/key-value.ts";
import { FakeClock } from "#server/testing/fake-clock.ts";
import { sessionInfo } from "#server/testing/fake-socket.ts";
import { createPendingEnds } from "./pending-ends.ts";
import { createServerMirror } from "./server-mirror.ts";
import { createSettings, settingsKey } from "./settings.ts";
import { createWorkspace, workspaceKey } from "./workspace.ts";

describe("server mirror", () => {
  const online = { kind: "online", rttMs: 1 } as const;
  const list = (...names: string[]) =>
    names.map((name, i) =>
      sessionInfo({ id: name, name, created_at: `2026-01-0${i + 1}T00:00:00.000Z` }),
    );

  let listings = 0;
  const listed = (sessions: ReturnType<typeof list>) =>
    ({ link: online, sessions, listings: ++listings, me: null, rttsMs: [] }) as const;

  it("keeps sessions in order of creation, whatever order they come in", () => {
    const mirror = createServerMirror();
    expect(mirror.getState().isLoaded).toBe(false);
    const sessions = list("c", "a", "b");
    mirror.applyServerFeed(listed([...sessions].reverse()));
    expect(mirror.getState().order).toEqual(["c", "a", "b"]);
    expect(mirror.getState().isLoaded).toBe(true);
  });

  it("keeps the same object for a session that did not change", () => {
    const mirror = createServerMirror();
    const apply = (sessions: ReturnType<typeof list>) => mirror.applyServerFeed(listed(sessions));
    apply(list("a", "b"));
    const before = mirror.getState().sessions;
    apply(list("a", "b").map((info) => (info.id === "b" ? { ...info, title: "new" } : info)));
    expect(mirror.getState().sessions.a).toBe(before.a);
    expect(mirror.getState().sessions.b?.title).toBe("new");
  });

  it("[UI 16] keeps every object where it is told what it knows, so that nothing is drawn anew", () => {
    const mirror = createServerMirror();
    mirror.applyServerFeed(listed(list("a", "b")));
    const { sessions, order, link } = mirror.getState();
    const [a] = list("a");
    mirror.applyServerFeed({ ...listed(list("a", "b")), link: { ...online } });
    if (a) mirror.applyServerSession(a);
    mirror.applyServerPatch("b", { title: sessions.b?.title ?? "" });
    expect(mirror.getState().sessions).toBe(sessions);
    expect(mirror.getState().order).toBe(order);
    expect(mirror.getState().link).toBe(link);
    mirror.applyServerPatch("b", { title: "new" });
    expect(mirror.getState().sessions.a).toBe(sessions.a);
    expect(mirror.getState().order).toBe(order);
  });

  it("keeps the last list while the link is lost, and drops it at sign-out", () => {
    const mirror = createServerMirror();
    const before = listed(list("a"));
    mirror.applyServerFeed(before);
    const offline = {
      kind: "offline",
      sinceMs: 0,
      attempt: 1,
      untilMs: null,
      detail: "x",
    } as const;
    mirror.applyServerFeed({ ...before, link: offline });
    expect(mirror.getState().order).toEqual(["a"]);
    mirror.applyServerFeed({ ...before, link: { kind: "signed_out" }, sessions: null });
    expect(mirror.getState()).toMatchObject({ order: [], sessions: {}, isLoaded: false });
  });

  it("does not let a list that was already on its way undo an act", () => {
    const mirror = createServerMirror();
    const apply = (...names: string[]) => mirror.applyServerFeed(listed(list(...names)));
    apply("a");
    mirror.applyServerSession(sessionInfo({ id: "new", created_at: "2026-02-01T00:00:00.000Z" }));
    mirror.applyServerGone("a");
    apply("a");
    expect(mirror.getState().order).toEqual(["new"]);
    apply("a");
    expect(mirror.getState().order, "the list after that decides").toEqual(["a"]);
  });

  it("[EV1] takes from an event only what it changed, and keeps what attachments and acts told", () => {
    const mirror = createServerMirror();
    const first = listed(list("a", "b"));
    mirror.applyServerFeed(first);
    mirror.applyServerPatch("a", { title: "newer than the list" });
    mirror.applyServerSession(sessionInfo({ id: "new", created_at: "2026-02-01T00:00:00.000Z" }));
    const [a, b] = first.sessions;
    if (!a || !b) throw new Error("two were listed");
    mirror.applyServerFeed({ ...first, sessions: [{ ...a, viewers: 7 }, b] });
    expect(mirror.getState().sessions.a).toMatchObject({
      viewers: 7,
      title: "newer than the list",
    });
    expect(mirror.getState().order).toEqual(["a", "b", "new"]);
    mirror.applyServerFeed({ ...first, sessions: [{ ...a, viewers: 7 }] });
    expect(mirror.getState().order).toEqual(["a", "new"]);
  });

  it("applies what attachments and acts tell, and knows nothing of what is gone", () => {
    const mirror = createServerMirror();
    mirror.applyServerSession(sessionInfo({ id: "a" }));
    mirror.applyServerPatch("a", { title: "vim" });
    mirror.applyServerPatch("ghost", { title: "boo" });
    expect(mirror.getState().sessions.a?.title).toBe("vim");
    expect(mirror.getState().order).toEqual(["a"]);
    mirror.applyServerGone("a");
    expect(mirror.getState().order).toEqual([]);
  });
});

describe("workspace", () => {
  const saved = (keyValue: ReturnType<typeof memoryKeyValue>) =>
    JSON.parse(keyValue.get(workspaceKey) ?? "{}");

  it("opens the very first session maximised, later ones where the drawer is docked", () => {
    const keyValue = memoryKeyValue();
    const workspace = createWorkspace(keyValue);
    workspace.getState().openTab("a");
    expect(workspace.getState()).toMatchObject({ dock: "max", isDrawerOpen: true, active: "a" });
    workspace.getState().toggleMax();
    workspace.getState().openTab("b");
    expect(workspace.getState()).toMatchObject({ dock: "bottom", tabs: ["a", "b"], active: "b" });
    const next = createWorkspace(keyValue);
    next.getState().openTab("c");
    expect(next.getState()).toMatchObject({ dock: "bottom", tabs: ["a", "b", "c"] });
  });

  it("brings the right neighbour to the front when a tab is hidden, and closes an empty drawer", () => {
    const { getState } = createWorkspace(memoryKeyValue());
    for (const id of ["a", "b", "c"]) getState().openTab(id);
    getState().activate("b");
    getState().hideTab("b");
    expect(getState()).toMatchObject({ tabs: ["a", "c"], active: "c", hidden: ["b"] });
    getState().hideTab("c");
    expect(getState().active).toBe("a");
    getState().hideTab("a");
    expect(getState()).toMatchObject({ active: null, isDrawerOpen: false });
    getState().openTab("b");
    expect(getState().hidden).toEqual(["c", "a"]);
  });

  it("steps around the ends and moves tabs", () => {
    const { getState } = createWorkspace(memoryKeyValue());
    getState().step(1);
    for (const id of ["a", "b", "c"]) getState().openTab(id);
    getState().step(1);
    expect(getState().active).toBe("a");
    getState().step(-1);
    expect(getState().active).toBe("c");
    getState().moveTab("c", 0);
    expect(getState().tabs).toEqual(["c", "a", "b"]);
    getState().moveTab("c", 99);
    expect(getState().tabs).toEqual(["a", "b", "c"]);
    getState().moveTab("ghost", 0);
    expect(getState().tabs).toEqual(["a", "b", "c"]);
  });

  it("forgets sessions the server does not have and moves on to the nearest that is left", () => {
    const { getState } = createWorkspace(memoryKeyValue());
    for (const id of ["a", "b", "c", "d"]) getState().openTab(id);
    getState().activate("c");
    getState().markUnread("a");
    getState().keepOnly(["b"]);
    expect(getState()).toMatchObject({ tabs: ["b"], active: "b", unread: [] });
    getState().keepOnly([]);
    expect(getState()).toMatchObject({ tabs: [], active: null });
  });

  it("clamps sizes and ignores what is no number", () => {
    const { getState } = createWorkspace(memoryKeyValue());
    getState().setDockSize("bottom", 999);
    getState().setDockSize("right", Number.NaN);
    getState().setRailWidth(900);
    expect(getState()).toMatchObject({ bottomSize: 90, rightSize: 55, railWidth: 400 });
    getState().setRailWidth(100);
    expect(getState()).toMatchObject({ isRailCollapsed: true, railWidth: 400 });
    getState().setRailWidth(185);
    expect(getState()).toMatchObject({ isRailCollapsed: false, railWidth: 200 });
  });

  it("comes back as it was left", () => {
    const keyValue = memoryKeyValue();
    const { getState } = createWorkspace(keyValue);
    for (const id of ["a", "b"]) getState().openTab(id);
    getState().setDock("right");
    getState().setDockSize("right", 40);
    getState().markUnread("a");
    const again = createWorkspace(keyValue).getState();
    expect(again).toMatchObject({
      tabs: ["a", "b"],
      active: "b",
      dock: "right",
      rightSize: 40,
      unread: ["a"],
    });
  });

  it("loses only the field that is wrong", () => {
    const keyValue = memoryKeyValue();
    createWorkspace(keyValue).getState().openTab("a");
    const broken = {
      ...saved(keyValue),
      dock: "ceiling",
      railWidth: "wide",
      tabs: ["a", "a", "b"],
      active: "ghost",
    };
    keyValue.set(workspaceKey, JSON.stringify(broken));
    expect(createWorkspace(keyValue).getState()).toMatchObject({
      dock: "bottom",
      railWidth: 264,
      tabs: ["a", "b"],
      active: "a",
      hasOpenedBefore: true,
    });
  });

  it.each(["", "{", "null", "[1]", '"x"', '{"tabs":"a"}'])("starts afresh from %j", (text) => {
    const keyValue = memoryKeyValue();
    keyValue.set(workspaceKey, text);
    expect(createWorkspace(keyValue).getState()).toMatchObject({ tabs: [], dock: "bottom" });
  });
});

describe("settings", () => {
  it("saves what is changed and refuses what is out of range", () => {
    const keyValue = memoryKeyValue();
    const settings = createSettings(keyValue);
    expect(settings.getState()).toMatchObject({ theme: "system", fontSize: 13, renderer: "auto" });
    settings.getState().change({ theme: "light", fontSize: 400 });
    expect(settings.getState()).toMatchObject({ theme: "light", fontSize: 13 });
    expect(createSettings(keyValue).getState().theme).toBe("light");
    expect(JSON.parse(keyValue.get(settingsKey) ?? "")).toEqual({
      theme: "light",
      language: "system",
      fontSize: 13,
      renderer: "auto",
      screenReader: false,
      idle: "server",
      politeness: "server",
      access: "collaborate",
      hasSeenKeyboard: false,
    });
    settings.getState().change({ idle: 600 });
    settings.getState().change({ idle: 601 });
    expect(createSettings(keyValue).getState().idle).toBe(600);
    settings.getState().change({ idle: "never" });
    expect(createSettings(keyValue).getState().idle).toBe("never");
    settings.getState().change({ language: "zh-CN" });
    expect(createSettings(keyValue).getState().language).toBe("zh-CN");
  });

  it("zooms in steps between the limits and back to the default of the device", () => {
    const { getState } = createSettings(memoryKeyValue(), true);
    expect(getState().fontSize).toBe(12);
    for (let i = 0; i < 50; i++) getState().zoom(1);
    expect(getState().fontSize).toBe(32);
    for (let i = 0; i < 50; i++) getState().zoom(-1);
    expect(getState().fontSize).toBe(8);
    getState().zoom(0);
    expect(getState().fontSize).toBe(12);
  });

  it("follows another tab, and stops when disposed", () => {
    const memory = memoryKeyValue();
    let tell = (_: string) => {};
    const keyValue = {
      ...memory,
      onExternalChange(listener: (key: string) => void) {
        tell = listener;
        return {
          dispose: () => {
            tell = () => {};
          },
        };
      },
    };
    const settings = createSettings(keyValue);
    memory.set(settingsKey, '{"theme":"dark"}');
    tell("something else");
    expect(settings.getState().theme).toBe("system");
    tell(settingsKey);
    expect(settings.getState().theme).toBe("dark");
    settings.dispose();
    memory.set(settingsKey, '{"theme":"light"}');
    tell(settingsKey);
    expect(settings.getState().theme).toBe("dark");
  });
});

describe("pending ends", () => {
  function make(end: (id: string) => Promise<void>) {
    const clock = new FakeClock();
    const failed: string[] = [];
    const pending = createPendingEnds({ clock, end, onFailed: (id) => failed.push(id) });
    return { clock, pending, failed };
  }

  it("sends the hang-up 5 s after the person asked, once", async () => {
    const ended: string[] = [];
    const { clock, pending } = make(async (id) => void ended.push(id));
    pending.ask("a");
    clock.advance(3_000);
    pending.ask("a");
    expect(pending.getState().ends.a).toEqual({ kind: "waiting", untilMs: clock.now() + 2_000 });
    clock.advance(1_999);
    expect(ended).toEqual([]);
    clock.advance(1);
    expect(ended).toEqual(["a"]);
    expect(pending.getState().ends.a).toEqual({ kind: "ending" });
    await expect.poll(() => pending.getState().ends).toEqual({});
  });

  it("sends nothing after undo, nor after the page is gone", () => {
    const ended: string[] = [];
    const { clock, pending } = make(async (id) => void ended.push(id));
    pending.ask("a");
    pending.ask("b");
    pending.undo("a");
    pending.undo("ghost");
    expect(Object.keys(pending.getState().ends)).toEqual(["b"]);
    pending.dispose();
    clock.advance(60_000);
    expect(ended).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it("tells when the server refuses", async () => {
    const { clock, pending, failed } = make(() => Promise.reject(new Error("no")));
    pending.ask("a");
    clock.advance(5_000);
    await expect.poll(() => failed).toEqual(["a"]);
    expect(pending.getState().ends).toEqual({});
  });
});
