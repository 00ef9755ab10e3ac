import { describe, expect, it } from "vitest";
import { sessionInfo } from "#server/testing/fake-socket.ts";
import { attachedFacts } from "./session-status.ts";
import { isSameSnapshot, type SnapshotSources, terminalSnapshot } from "./terminal-snapshot.ts";

const mine = { cols: 100, rows: 30 };

function sources(owner: string | null, size = mine): SnapshotSources {
  return {
    facts: attachedFacts(
      { kind: "unknown" },
      {
        type: "hello",
        protocol: "cotty.v1",
        session: sessionInfo({ ...size, title: "vim" }),
        limits: { window: 1, frame: 1 },
        you: { attachment: "me", kind: "human", name: "Ada", readonly: false },
        size_owner: owner,
      },
    ),
    seen: {
      mySize: mine,
      renderer: "dom",
      isScrolledUp: false,
      hasNewOutput: false,
      hasJumped: false,
      hasSelection: false,
      search: null,
    },
    client: { state: { kind: "live" }, droppedKeys: 0, rttMs: 3 },
    hands: null,
    isReadOnly: false,
    droppedKeys: 0,
    createdMs: 0,
  };
}

describe("a terminal's snapshot", () => {
  it("[SZ1] says whose the size is, and whether it is another than fits here", () => {
    expect(terminalSnapshot(sources("me"))).toMatchObject({
      sizeOwner: "me",
      isForeignSize: false,
      title: "vim",
    });
    const other = { cols: 80, rows: 24 };
    expect(terminalSnapshot(sources("them", other))).toMatchObject({
      sizeOwner: "other",
      isForeignSize: true,
      size: other,
    });
    expect(terminalSnapshot(sources(null)).sizeOwner).toBe("nobody");
  });

  it("before the first hello knows no size and nobody who has it", () => {
    const before = terminalSnapshot({ ...sources(null), facts: { kind: "unknown" } });
    expect(before).toMatchObject({ size: null, sizeOwner: "nobody", isForeignSize: false });
  });

  it("is the same while nothing in it is another, however often it is made", () => {
    const one = terminalSnapshot(sources("me"));
    expect(isSameSnapshot(one, terminalSnapshot(sources("me")))).toBe(true);
    expect(isSameSnapshot(one, terminalSnapshot(sources("them")))).toBe(false);
    expect(isSameSnapshot(one, { ...one, viewers: one.viewers + 1 })).toBe(false);
  });
});
