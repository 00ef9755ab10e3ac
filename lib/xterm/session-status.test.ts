import { describe, expect, it } from "vitest";
import type { ServerMessage } from "#lib/protocol/attach.ts";
import { sessionInfo } from "#server/testing/fake-socket.ts";
import { type AttachedFacts, attachedFacts, patchOf, statusOf } from "./session-status.ts";

const hello: ServerMessage = {
  type: "hello",
  protocol: "cotty.v1",
  session: sessionInfo({ cols: 100, rows: 30, title: "vim" }),
  limits: { window: 1, frame: 1 },
  you: { attachment: "me", kind: "human", name: "Ada", readonly: false },
  size_owner: "other",
};
const facts = (...messages: ServerMessage[]) =>
  messages.reduce<AttachedFacts>(attachedFacts, { kind: "unknown" });
const exited: ServerMessage = { type: "exited", at: 9, exit_code: null, signal: "SIGKILL" };

describe("what a message changes in lists", () => {
  it("[AT2] is the title, the phase, the viewers, the size and the end, and nothing else", () => {
    expect(patchOf({ type: "title", title: "less" })).toEqual({ title: "less" });
    expect(patchOf({ type: "phase", phase: "idle" })).toEqual({ phase: "idle" });
    expect(patchOf({ type: "viewers", viewers: 3 })).toEqual({ viewers: 3 });
    const size = { cols: 80, rows: 24 };
    expect(patchOf({ type: "resized", at: 2, size })).toEqual(size);
    expect(patchOf(exited)).toEqual({
      phase: "exited",
      exited: true,
      exit_code: null,
      signal: "SIGKILL",
      foreground: null,
    });
    expect(patchOf({ type: "bell" })).toBeNull();
    // Told as a whole.
    expect(patchOf(hello)).toBeNull();
  });
});

describe("attached facts", () => {
  it("follow what the server tells, in order", () => {
    const known = facts(
      hello,
      { type: "snapshot", at: 1, cols: 90, rows: 20, part: "screen", last: true },
      { type: "resized", at: 2, size: { cols: 80, rows: 24 } },
      { type: "size_owner", attachment: "me" },
      { type: "title", title: "less" },
      { type: "viewers", viewers: 3 },
      { type: "bell" },
    );
    expect(known).toMatchObject({
      size: { cols: 80, rows: 24 },
      sizeOwner: "me",
      title: "less",
      viewers: 3,
      hasScreen: true,
      exit: null,
    });
  });

  it("[SC2] know of an exit that came before this viewer", () => {
    const session = sessionInfo({ phase: "exited", exited: true, exit_code: 3 });
    expect(facts({ ...hello, session })).toMatchObject({
      exit: { exit_code: 3, signal: null },
      phase: "exited",
    });
  });

  it("are none before the hello", () => {
    expect(facts({ type: "title", title: "early" })).toEqual({ kind: "unknown" });
  });

  it("remember the exit and the screen over a reconnect", () => {
    const last = { type: "snapshot", at: 1, cols: 9, rows: 2, part: "screen", last: true } as const;
    expect(facts(hello, last, exited, hello)).toMatchObject({
      exit: { exit_code: null, signal: "SIGKILL" },
      hasScreen: true,
    });
  });
});

describe("terminal status", () => {
  const at = (state: Parameters<typeof statusOf>[0], known = facts(hello)) =>
    statusOf(state, known, 7, 1_000);

  it.each([
    [
      { kind: "connecting", attempt: 0, lostMs: null },
      { kind: "connecting", sinceMs: 1_000 },
    ],
    [{ kind: "restoring" }, { kind: "restoring", sinceMs: 1_000 }],
    [{ kind: "live" }, { kind: "live" }],
    [
      { kind: "waiting", attempt: 3, untilMs: 9_000, lostMs: 4_000 },
      { kind: "offline", sinceMs: 4_000, attempt: 3, untilMs: 9_000, droppedKeys: 7 },
    ],
    [
      { kind: "connecting", attempt: 3, lostMs: 4_000 },
      { kind: "offline", sinceMs: 4_000, attempt: 3, untilMs: null, droppedKeys: 7 },
    ],
    [{ kind: "ended", code: 4401 }, { kind: "signed_out" }],
    [{ kind: "ended", code: 4403 }, { kind: "not_allowed" }],
    [{ kind: "ended", code: 4404 }, { kind: "gone" }],
    [{ kind: "ended", code: 4400 }, { kind: "outdated" }],
  ] as const)("[AT7] of %j is %j", (state, status) => {
    expect(at(state)).toEqual(status);
  });

  it("[B130] shows the exit while attached and after the socket is gone, until the session is closed", () => {
    const known = facts(hello, exited);
    const shown = { kind: "exited", exitCode: null, signal: "SIGKILL" };
    expect(at({ kind: "live" }, known)).toEqual(shown);
    expect(at({ kind: "ended", code: 1006 }, known)).toEqual(shown);
    expect(at({ kind: "ended", code: 4404 }, known)).toEqual({ kind: "gone" });
  });
});
