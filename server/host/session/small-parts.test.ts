import { describe, expect, it } from "vitest";
import type { Foreground } from "#server/host/pty/foreground.ts";
import { FakeClock } from "#server/testing/fake-clock.ts";
import { Coalesced } from "./coalesced.ts";
import { ForegroundWatch } from "./foreground-watch.ts";
import { advance, type Lifecycle } from "./lifecycle.ts";
import { defaultName } from "./session-name.ts";

describe("lifecycle", () => {
  it("goes forward only", () => {
    const exited: Lifecycle = { state: "exited", status: { exit_code: 0, signal: null }, atMs: 1 };
    const again: Lifecycle = { state: "exited", status: { exit_code: 9, signal: null }, atMs: 2 };
    const closed: Lifecycle = { state: "closed", exit: null };
    expect(advance({ state: "starting" }, { state: "running" }).state).toBe("running");
    expect(advance({ state: "starting" }, exited)).toBe(exited);
    expect(advance(exited, { state: "running" })).toBe(exited);
    expect(advance(exited, again)).toBe(exited);
    expect(advance(closed, exited)).toBe(closed);
  });
});

describe("Coalesced", () => {
  it("runs at once, then once per period, and never loses the last poke", () => {
    const clock = new FakeClock();
    const runs: number[] = [];
    const coalesced = new Coalesced(clock, 50, () => runs.push(clock.monotonic()));
    coalesced.poke();
    for (let i = 0; i < 1_000; i++) coalesced.poke();
    expect(runs).toEqual([0]);
    clock.advance(60);
    expect(runs).toEqual([0, 50]);
    clock.advance(1_000);
    expect(runs).toEqual([0, 50]);
    coalesced.poke();
    coalesced.dispose();
    coalesced.poke();
    clock.advance(1_000);
    expect(runs).toEqual([0, 50, 1_060]);
    expect(clock.pending).toBe(0);
  });
});

describe("ForegroundWatch", () => {
  const front = (name: string, isSessionLeader = false): Foreground => ({
    pgid: 7,
    name,
    cwd: `/${name}`,
    isSessionLeader,
  });

  it("[OP1] looks at most once a second when asked, and once after output", () => {
    const clock = new FakeClock();
    let found: Foreground | null = front("bash", true);
    let looks = 0;
    let changes = 0;
    const watch = new ForegroundWatch(
      "/start",
      () => {
        looks += 1;
        return found;
      },
      () => {
        changes += 1;
      },
      clock,
    );
    for (let i = 0; i < 100; i++) watch.current();
    expect(looks).toBe(1);
    expect(watch.current()).toEqual({ foreground: null, cwd: "/bash" });
    found = front("vim");
    for (let i = 0; i < 100; i++) watch.printed();
    clock.advance(1_000);
    expect(looks).toBe(2);
    expect(changes).toBe(1);
    expect(watch.current()).toEqual({ foreground: "vim", cwd: "/vim" });
    clock.advance(60_000);
    expect(looks).toBe(2);
    found = front("make");
    expect(watch.current().foreground).toBe("make");
    expect(changes, "one who asks does not take the news from the others").toBe(2);
    clock.advance(60_000);
    found = null;
    expect(watch.current()).toEqual({ foreground: "make", cwd: "/make" });
    watch.printed();
    watch.end();
    expect(clock.pending).toBe(0);
    expect(watch.current()).toEqual({ foreground: null, cwd: "/make" });
  });
});

describe("defaultName", () => {
  it("is the program's name, with a number when that is taken", () => {
    expect(defaultName("/bin/bash", new Set())).toBe("bash");
    expect(defaultName("/bin/bash", new Set(["bash", "bash 2"]))).toBe("bash 3");
    expect(defaultName("/x/-zsh", new Set())).toBe("zsh");
    expect(defaultName("/x/\u202Ea\u0007b", new Set())).toBe("ab");
    expect(defaultName("/x/\u0007", new Set())).toBe("session");
    expect(defaultName(`/x/${"n".repeat(300)}`, new Set()).length).toBeLessThanOrEqual(100);
  });
});
