import { describe, expect, it } from "vitest";
import { TermError } from "#lib/protocol/errors.ts";
import { isSealed, type ListedSession } from "#lib/protocol/session.ts";
import { agent, onlooker, person, sessionRig } from "#server/testing/session-rig.ts";

async function refused(act: () => unknown): Promise<{ code: string; detail: string }> {
  try {
    await act();
  } catch (error) {
    if (error instanceof TermError) return { code: error.code, detail: error.message };
    throw error;
  }
  throw new Error("not refused");
}

const names = (list: readonly ListedSession[]) =>
  list.map((entry) => (isSealed(entry) ? entry : entry.name));

describe("SessionRegistry", () => {
  it("[OP1] lists oldest first, by tag too, and names by program with a number when taken", async () => {
    const { registry, create } = sessionRig();
    await create({ tags: ["x"] });
    await create({ command: ["/usr/bin/vim"], tags: ["x", "y"] });
    await create({});
    await create({ name: "bash 2" });
    await create({});
    expect(names(registry.list(person))).toEqual(["bash", "vim", "bash 2", "bash 2", "bash 3"]);
    expect(names(registry.list(person, "x"))).toEqual(["bash", "vim"]);
    expect(registry.list(person, "z")).toEqual([]);
  });

  it("[OP1] renaming and tagging change the list and are told", async () => {
    const { registry, create, events, settle } = sessionRig();
    const { port } = await create();
    expect(port(agent).change({ name: "build", tags: ["ci", "ci"] })).toMatchObject({
      name: "build",
      tags: ["ci"],
    });
    await settle();
    expect(names(registry.list(person, "ci"))).toEqual(["build"]);
    expect(events.at(-1)).toMatchObject({ kind: "changed", session: { name: "build" } });
  });

  it("absent and hidden sessions are refused with the same words", async () => {
    const { registry, create } = sessionRig();
    const { id } = await create();
    const other = await create();
    const limited = { ...agent, sessions: [other.id] };
    expect(registry.port(limited, other.id).info().id).toBe(other.id);
    expect(registry.list(limited).map((info) => info.id)).toEqual([other.id]);
    const hidden = await refused(() => registry.port(limited, id));
    const absent = await refused(() => registry.port(limited, "a".repeat(26)));
    expect(hidden.code).toBe("SESSION_NOT_FOUND");
    expect(hidden.detail.replace(id, "")).toBe(absent.detail.replace("a".repeat(26), ""));
    expect((await refused(() => registry.create(limited, {}))).code).toBe("FORBIDDEN");
  });

  it("[LM] the number of sessions is bounded, those being started counted; closing frees a place", async () => {
    const { registry, create } = sessionRig({ maxSessions: 3 });
    const { port } = await create();
    const results = await Promise.allSettled(
      Array.from({ length: 5 }, () => registry.create(person, {})),
    );
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(2);
    expect((await refused(() => registry.create(person, {}))).code).toBe("TOO_MANY_SESSIONS");
    await port().close("HUP");
    await registry.create(person, {});
    expect(registry.size).toBe(3);
  });

  it("[PT1] [PT2] where terminals are off or do not work, create is refused with the reason", async () => {
    const off = sessionRig({ availability: { state: "disabled", reason: "--no-terminal" } });
    expect(await refused(() => off.registry.create(person, {}))).toEqual({
      code: "TERMINALS_DISABLED",
      detail: "--no-terminal",
    });
    const broken = sessionRig({ availability: { state: "unavailable", reason: "no module" } });
    expect(await refused(() => broken.registry.create(person, {}))).toEqual({
      code: "TERMINALS_UNAVAILABLE",
      detail: "no module",
    });
    expect(broken.registry.size).toBe(0);
  });

  it("[B128] an exited session stays, with its last output and exit code, until it is closed", async () => {
    const { registry, create, settle } = sessionRig();
    const { pty, port, view } = await create();
    pty.print("last words");
    pty.exit({ exit_code: 7, signal: null });
    await settle(60_000);
    expect(registry.list(person)[0]).toMatchObject({ exited: true, exit_code: 7 });
    const { viewer } = view(onlooker);
    await settle();
    await viewer.drawnTo(10);
    expect(viewer.rows()[0]).toBe("last words");
    expect(viewer.messages[0]).toMatchObject({ type: "hello", session: { exit_code: 7 } });
    expect(viewer.messages.at(-1)).toMatchObject({ type: "exited", at: 10, exit_code: 7 });
    await port().close("HUP");
    expect(registry.list(person)).toEqual([]);
  });

  it("[HO3] dispose ends everything at once and tells viewers to come back to another host", async () => {
    const { registry, create, settle, clock, factory } = sessionRig();
    const sessions = [await create(), await create()];
    const viewers = sessions.map((session) => session.view().viewer);
    await settle();
    registry.dispose();
    expect(viewers.map((viewer) => viewer.closed?.code)).toEqual([1012, 1012]);
    expect(factory.ptys.every((pty) => pty.isDisposed)).toBe(true);
    expect(registry.size).toBe(0);
    expect((await refused(() => registry.create(person, {}))).code).toBe("HOST_LOST");
    await settle(10_000);
    expect(clock.pending).toBe(0);
  });

  it("closeAll ends every session politely and waits for it", async () => {
    const { registry, create, factory } = sessionRig();
    const { viewer } = (await create()).view();
    await create();
    await registry.closeAll();
    expect(viewer.closed?.code).toBe(1012);
    expect(factory.ptys.map((pty) => pty.endSignals)).toEqual([["HUP"], ["HUP"]]);
    expect(registry.size).toBe(0);
  });

  it("[LM] the feed's listeners are bounded", async () => {
    const { registry } = sessionRig();
    const feeds = Array.from({ length: 1_023 }, () => registry.subscribe(() => {}));
    expect((await refused(() => registry.subscribe(() => {}))).code).toBe("TOO_MANY_SOCKETS");
    feeds[0]?.dispose();
    registry.subscribe(() => {});
  });
});
