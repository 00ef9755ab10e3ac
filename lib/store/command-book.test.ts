import { describe, expect, it } from "vitest";
import type { CommandRecord } from "#lib/protocol/journal.ts";
import { FakeClock } from "#server/testing/fake-clock.ts";
import { sessionInfo } from "#server/testing/fake-socket.ts";
import {
  createCommandBook,
  lastCommandOf,
  noCommands,
  staleFrom,
  withRecords,
} from "./command-book.ts";
import { createCommandFollower } from "./command-follower.ts";
import {
  durationOf,
  type FiledCommand,
  filterCommands,
  newestFirst,
  resultOf,
} from "./command-view.ts";
import { createServerMirror } from "./server-mirror.ts";

function record(index: number, part: Partial<CommandRecord> = {}): CommandRecord {
  return {
    index,
    flags: ["has_exit"],
    exit_code: 0,
    start: `${index}:0`,
    end: `${index}:0`,
    started_at: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
    ended_at: "2026-01-01T09:00:00.000Z",
    duration_ms: 100,
    command: `command ${index}`,
    command_from: "shell",
    cwd: "/srv",
    by: ["Ada"],
    integration: "osc633",
    ...part,
  };
}
const running = (index: number) => {
  const { exit_code: _, ...rest } = record(index, { flags: ["running"], ended_at: null });
  return rest;
};
const known = (...records: CommandRecord[]) => ({
  ...withRecords(noCommands, records),
  isLoaded: true,
});

describe("the book of commands", () => {
  it("keeps the newest state of each, in order, whatever order they come in", () => {
    const book = withRecords(noCommands, [record(2), running(1), running(3)]);
    expect(book.records.map(({ index }) => index)).toEqual([1, 2, 3]);
    const after = withRecords(book, [record(1), running(2)]);
    expect(after.records.map(resultOf)).toEqual(["ok", "ok", "running"]);
  });

  it("[JR3] keeps no more than the journal does", () => {
    const many = Array.from({ length: 300 }, (_, at) => record(at + 1));
    const book = withRecords(noCommands, many);
    expect(book.records).toHaveLength(256);
    expect(book.oldest).toBe(45);
  });

  it("asks for what is missing, for what ran and is over, and for nothing else", () => {
    const last = (index: number, isRunning = false) => ({ index, running: isRunning });
    expect(staleFrom(noCommands, null)).toBe(1);
    expect(staleFrom(known(), null)).toBeNull();
    expect(staleFrom(known(record(1)), last(1))).toBeNull();
    expect(staleFrom(known(record(1)), last(4)), "newer ones").toBe(2);
    expect(staleFrom(known(record(1), record(5)), last(5)), "a gap").toBe(2);
    expect(staleFrom(known(record(1), running(2)), last(2, true)), "still runs").toBeNull();
    expect(staleFrom(known(record(1), running(2)), last(2)), "is over").toBe(2);
    expect(staleFrom(known(record(1), running(2)), last(3, true)), "is over, next one runs").toBe(
      2,
    );
  });

  it("a record says what lists show of it, unless they know better", () => {
    expect(lastCommandOf(record(2, { command: "a\n  b" }), null)).toMatchObject({
      command: "a b",
      running: false,
      duration_ms: 100,
    });
    const newer = lastCommandOf(record(3), null);
    expect(lastCommandOf(record(2), newer)).toBeNull();
    expect(lastCommandOf(running(3), newer), "its beginning comes late").toBeNull();
  });
});

describe("following the commands of a session", () => {
  const info = (part: object) => sessionInfo({ id: "s", ...part });
  const last = (index: number, isRunning: boolean) => ({
    last_command: lastCommandOf(isRunning ? running(index) : record(index), null),
  });

  it("lists once, then asks only from where something changed, and stops when nobody looks", async () => {
    const clock = new FakeClock();
    const mirror = createServerMirror();
    const book = createCommandBook();
    const asked: number[] = [];
    let journal = [record(1)];
    const api = {
      async listCommands({ query }: { query?: { from?: number } }) {
        const from = query?.from ?? 1;
        asked.push(from);
        return {
          commands: journal.filter(({ index }) => index >= from),
          oldest_index: 1,
          next_index: journal.length + 1,
          integration: "osc633" as const,
        };
      },
    };
    const follower = createCommandFollower({ api: api as never, mirror, book, clock });
    mirror.applyServerSession(info(last(1, false)));
    const step = async () => {
      clock.advance(400);
      await Promise.resolve();
      await Promise.resolve();
      await Promise.resolve();
    };
    const following = follower.follow("s");
    await step();
    expect(asked).toEqual([1]);
    await step();
    expect(asked, "nothing is due").toEqual([1]);
    journal = [...journal, record(2), running(3)];
    mirror.applyServerSession(info(last(3, true)));
    await step();
    expect(asked).toEqual([1, 2]);
    expect(book.of("s").records.map(resultOf)).toEqual(["ok", "ok", "running"]);
    book.applyServerRecord("s", record(3));
    await step();
    expect(asked, "the attachment told it").toEqual([1, 2]);
    following.dispose();
    mirror.applyServerSession(info(last(9, false)));
    await step();
    expect(asked).toEqual([1, 2]);
    mirror.applyServerGone("s");
    expect(book.of("s")).toBe(noCommands);
    follower.dispose();
    expect(clock.pending).toBe(0);
  });
});

describe("which commands are wanted", () => {
  const now = Date.UTC(2026, 0, 1, 12);
  const filed = (one: CommandRecord, sessionName = "build"): FiledCommand => ({
    session: "s",
    sessionName,
    record: one,
  });
  const all = [
    filed(record(1, { exit_code: 2, command: "make test" })),
    filed(record(2, { by_agent: true, by: ["Bot"], cwd: "/srv/shop" })),
    filed(record(3, { duration_ms: 12_000 }), "deploy"),
    filed(running(4)),
    filed(record(5, { flags: ["has_exit", "no_command"], command: null })),
    filed(record(6, { flags: ["incomplete"], exit_code: undefined as never })),
  ];
  const found = (text: string, ...filters: ("failed" | "agent" | "long" | "running")[]) =>
    filterCommands(all, text, new Set(filters), now).map(({ record: { index } }) => index);

  it("[UI 13] failed, by agents, long, running; more than one narrows further", () => {
    expect(found("")).toEqual([1, 2, 3, 4, 6]);
    expect(found("", "failed")).toEqual([1]);
    expect(found("", "agent")).toEqual([2]);
    expect(found("", "long"), "what runs counts up to now").toEqual([3, 4]);
    expect(found("", "running")).toEqual([4]);
    expect(found("", "long", "running")).toEqual([4]);
  });

  it("every word must be somewhere: in the line, the directory, the session or a name", () => {
    expect(found("MAKE")).toEqual([1]);
    expect(found("shop bot")).toEqual([2]);
    expect(found("deploy")).toEqual([3]);
    expect(found("make deploy")).toEqual([]);
  });

  it("an exit that nobody told is neither good nor bad", () => {
    expect(all.map(({ record: one }) => resultOf(one))).toEqual([
      "failed",
      "ok",
      "ok",
      "running",
      "ok",
      "unknown",
    ]);
    expect(durationOf(record(3, { duration_ms: 5 }), now)).toBe(5);
  });

  it("newest first, over sessions", () => {
    expect(newestFirst(all.slice(0, 3)).map(({ record: { index } }) => index)).toEqual([3, 2, 1]);
  });
});
