import { describe, expect, it } from "vitest";
import { en } from "#components/strings/en.ts";
import type { LastCommand } from "#lib/protocol/session.ts";
import { createServerMirror } from "#lib/store/server-mirror.ts";
import { sessionInfo } from "#server/testing/fake-socket.ts";
import { followLongCommands, type LongCommandEnd, longCommandEnd } from "./long-commands.ts";

const started = Date.UTC(2026, 0, 1);
const running: LastCommand = {
  index: 4,
  command: "make",
  running: true,
  exit_code: null,
  started_at: new Date(started).toISOString(),
  duration_ms: null,
  by: [],
};
const ended = { ...running, running: false, exit_code: 1, duration_ms: 12_000 };

describe("long commands that end unseen", () => {
  it("[UI 8] tells of an end after ten seconds, once, and not of what ended before anybody was here", () => {
    const since = started + 1_000;
    expect(longCommandEnd(running, ended, since)).toBe(ended);
    expect(longCommandEnd(null, ended, since), "its beginning was not seen").toBe(ended);
    expect(longCommandEnd(running, running, since)).toBeNull();
    expect(longCommandEnd(ended, { ...ended }, since)).toBeNull();
    expect(longCommandEnd(running, { ...ended, duration_ms: 9_999 }, since)).toBeNull();
    expect(longCommandEnd(undefined, ended, started + 60_000), "the first list").toBeNull();
  });

  it("[UI 8] the title names the session and the exit code, and nothing tells what was on the screen", () => {
    const mirror = createServerMirror();
    const told: LongCommandEnd[] = [];
    let watched = "";
    const following = followLongCommands({
      mirror,
      strings: en,
      nowMs: started,
      isWatched: (id) => id === watched,
      tell: (end) => told.push(end),
    });
    const put = (last_command: LastCommand) =>
      mirror.applyServerSession(sessionInfo({ id: "s", name: "build", last_command }));
    put(running);
    put(ended);
    expect(told).toEqual([
      { session: "s", title: "build finished (exit 1)", detail: "After 12 s" },
    ]);
    watched = "s";
    put({ ...running, index: 5 });
    put({ ...ended, index: 5 });
    expect(told, "somebody looked").toHaveLength(1);
    following.dispose();
  });
});
