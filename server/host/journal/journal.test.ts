import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareCursors, parseCursor } from "#lib/protocol/cursor.ts";
import { type CommandRecord, commandRecordSchema } from "#lib/protocol/journal.ts";
import { limits } from "#lib/protocol/limits.ts";
import {
  code,
  commandRun,
  journalNonce,
  journalRig,
  mark,
  osc,
} from "#server/testing/journal-rig.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);

describe("journal", () => {
  it("[JR2] a record has index, region, exit code, times, command and directory as the wire promises", async () => {
    const rig = journalRig();
    const { journal, clock } = rig;
    const began = clock.now();
    await rig.feed(`hello\r\n${mark("A")}$ ${mark("B")}make -j8\r\n${mark("C")}`);
    expect(journal.latest()).toMatchObject({ flags: ["running"], end: "2:0", ended_at: null });
    clock.advance(1_500);
    await rig.feed("building\r\ndone\r\n");
    expect(journal.latest()).toMatchObject({ end: "4:0", duration_ms: 1_500 });
    await rig.feed(`${mark("D;2")}${mark("A")}$ `);
    const record = journal.latest();
    expect(record).toEqual({
      index: 1,
      flags: ["has_exit"],
      exit_code: 2,
      start: "2:0",
      end: "4:0",
      started_at: new Date(began).toISOString(),
      ended_at: new Date(began + 1_500).toISOString(),
      duration_ms: 1_500,
      command: "make -j8",
      command_from: "screen",
      cwd: "/proc/says",
      by: [],
      integration: "osc133",
    });
    expect(commandRecordSchema.parse(record)).toEqual(record);
    expect(rig.output(1)).toBe("building\ndone\n");
    rig.dispose();
  });

  it("[JR1] [B083] a bare D leaves no exit code, a D before any command leaves nothing, an empty line has no command", async () => {
    const rig = journalRig();
    await rig.feed(`${mark("D;1")}${commandRun("true", "", "D")}${commandRun("", "x\r\n", "D;0")}`);
    const [bare, empty] = rig.all();
    expect(bare).toMatchObject({ flags: [], command: "true" });
    expect(bare).not.toHaveProperty("exit_code");
    expect(empty).toMatchObject({
      flags: ["has_exit", "no_command"],
      command: null,
      command_from: null,
    });
    expect(rig.all()).toHaveLength(2);
    rig.dispose();
  });

  it("[JR1] [B083] what is interrupted, replaced or cut off by the end of the process says so", async () => {
    const rig = journalRig();
    await rig.feed(`${mark("C")}one ${mark("A")}`);
    await rig.feed(`${mark("C")}two ${mark("C")}three `);
    rig.journal.exited();
    expect(rig.all().map(({ flags }) => flags)).toEqual([
      ["no_command", "incomplete"],
      ["no_command", "incomplete"],
      ["no_command", "incomplete", "pty_exited"],
    ]);
    rig.journal.exited();
    expect(rig.journal.nextIndex).toBe(4);
    rig.dispose();
  });

  it("[JR1] [SI1] command text: with the nonce the shell's, without it a program's, else what stands between B and C", async () => {
    const rig = journalRig({ size: { cols: 20, rows: 10 } });
    const prompt = `${mark("A")}$ ${mark("B")}`;
    await rig.feed(
      `${prompt}x\r\n${code(`E;echo a\\x3b b;${journalNonce}`)}${mark("C")}${mark("D")}`,
    );
    await rig.feed(`${prompt}x\r\n${code("E;fake;guess")}${mark("C")}${mark("D")}`);
    await rig.feed(`${prompt}x\r\n${mark("C;cmdline_url=ls%20-l")}${mark("D")}`);
    await rig.feed(`${prompt}abcdefghijklmnopqrstuvwxyz\r\n${mark("C")}${mark("D")}`);
    await rig.feed(`${prompt}for x in 1 2\r\n> do\r\n> done\r\n${mark("C")}${mark("D")}`);
    await rig.feed(`${prompt}\u6f22\u5b57 e\u0301\x1b[K\r\n${mark("C")}${mark("D")}`);
    expect(rig.all().map(({ command, command_from }) => [command, command_from])).toEqual([
      ["echo a; b", "shell"],
      ["fake", "program"],
      ["ls -l", "program"],
      ["abcdefghijklmnopqrstuvwxyz", "screen"],
      ["for x in 1 2\n> do\n> done", "screen"],
      ["\u6f22\u5b57 e\u0301", "screen"],
    ]);
    rig.dispose();
  });

  it("[JR1] [SI1] a shell that marks C before its hooks run tells the line behind it: of this command, not of the next", async () => {
    const rig = journalRig();
    await rig.feed(
      `${mark("A")}> ${mark("C;cmdline_url=ls")}${code(`E;ls;${journalNonce}`)}a\r\n${mark("D;0")}`,
    );
    // A program's own word, while it runs, is not the command's.
    await rig.feed(
      `${mark("A")}> ${mark("C;cmdline_url=rm")}${code("E;sudo rm;guess")}${mark("D;1")}`,
    );
    expect(rig.all().map(({ command, command_from }) => [command, command_from])).toEqual([
      ["ls", "shell"],
      ["rm", "program"],
    ]);
    expect(rig.news.filter(({ kind }) => kind !== "state")).toHaveLength(4);
    rig.dispose();
  });

  it("[JR1] a right-hand prompt is not of the line", async () => {
    const rig = journalRig({ size: { cols: 40, rows: 10 } });
    for (const edge of [35, 36]) {
      // Drawn before the line is typed, as zsh and fish do.
      await rig.feed(`${mark("A")}$ ${mark("B")}\x1b7\x1b[${edge}G12:30\x1b8git  log\r\n`);
      await rig.feed(`${mark("C")}${mark("D")}`);
    }
    // Not at the edge, or without a gap: somebody typed it.
    await rig.feed(commandRun("echo a      b"));
    await rig.feed(commandRun("y".repeat(38)));
    expect(rig.all().map(({ command }) => command)).toEqual([
      "git  log",
      "git  log",
      "echo a      b",
      "y".repeat(38),
    ]);
    rig.dispose();
  });

  it("[T88] a command is kept without what is not seen, and at most 4,096 bytes of it", async () => {
    const rig = journalRig();
    const told = (line: string) => `${code(`E;${line};${journalNonce}`)}${mark("C")}${mark("D")}`;
    await rig.feed(told("ls\u202e \u200b-l\\x1b[31m\\x07\\x0d\\x0apwd\\x09x \\x00"));
    await rig.feed(told("\u00e9".repeat(4_000)));
    const [hostile, long] = rig.all();
    expect(hostile?.command).toBe("ls -l[31m\npwd\tx");
    expect(long?.command).toBe("\u00e9".repeat(limits.journalCommandBytes / 2));
    rig.dispose();
  });

  it("[JR2] [OP1] the newest command for lists: one line of 200 characters, and no clock that runs", async () => {
    const rig = journalRig();
    const { journal, clock } = rig;
    expect(journal.lastCommand).toBeNull();
    await rig.feed(`${code(`E;a\\x0a  b${"c".repeat(300)};${journalNonce}`)}${mark("C")}`);
    const running = journal.lastCommand;
    expect(running).toMatchObject({ index: 1, running: true, exit_code: null, duration_ms: null });
    expect(running?.command).toBe(`a b${"c".repeat(196)}…`);
    clock.advance(5_000);
    expect(journal.lastCommand).toBe(running);
    await rig.feed(mark("D;1"));
    expect(journal.lastCommand).toMatchObject({ running: false, exit_code: 1, duration_ms: 5_000 });
    rig.dispose();
  });

  it("[JR3] keeps the newest 256; indices go on, and old ones are not found", async () => {
    const rig = journalRig();
    const { journal } = rig;
    for (let i = 1; i <= 300; i++) await rig.feed(commandRun(`echo ${i}`, `${i}\r\n`));
    expect([journal.oldestIndex, journal.nextIndex]).toEqual([45, 301]);
    expect(journal.record(44)).toBeUndefined();
    expect(journal.record(301)).toBeUndefined();
    expect(journal.record(0)).toBeUndefined();
    expect(journal.record(45)?.command).toBe("echo 45");
    expect(journal.list(0, 3).map(({ index }) => index)).toEqual([45, 46, 47]);
    expect(journal.list(299, 10).map(({ index }) => index)).toEqual([299, 300]);
    rig.dispose();
  });

  it("[JR3] output that left the scrollback is flagged, and its tail can still be read", async () => {
    const rig = journalRig({ scrollback: 20 });
    const lines = Array.from({ length: 100 }, (_, i) => `line ${i}\r\n`).join("");
    await rig.feed(commandRun("seq", lines));
    await rig.feed(commandRun("true"));
    const [long, short] = rig.all();
    expect(long?.flags).toEqual(["has_exit", "evicted"]);
    expect(short?.flags).toEqual(["has_exit"]);
    expect(rig.output(1)).toMatch(/^line 7\d\n(?:.*\n)*line 99\n$/);
    rig.dispose();
  });

  it("[JR4] [B088] records name the same output after a change of height, and say when the width changed", async () => {
    const rig = journalRig();
    await rig.feed(commandRun("a", "one\r\ntwo\r\n"));
    const wide = "w".repeat(30);
    await rig.feed(commandRun("b", "1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n"));
    for (const rows of [4, 30, 10]) {
      rig.screen.resize({ cols: 40, rows });
      expect([rig.output(1), rig.output(2)]).toEqual(["one\ntwo\n", "1\n2\n3\n4\n5\n6\n"]);
      expect(rig.all().every(({ flags }) => flags.join() === "has_exit")).toBe(true);
    }
    await rig.feed(commandRun("c", `${wide}\r\n`));
    rig.screen.resize({ cols: 20, rows: 10 });
    await rig.feed(commandRun("d", "x\r\n"));
    expect(rig.all().map(({ flags }) => flags.includes("reflowed"))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect([1, 3, 4].map(rig.output)).toEqual(["one\ntwo\n", `${wide}\n`, "x\n"]);
    rig.dispose();
  });

  it("[JR4] a command whose line was wrapped anew or erased while it was typed has no text that is not its own", async () => {
    const rig = journalRig();
    await rig.feed(`${mark("A")}$ ${mark("B")}sleep 1000 && echo done`);
    rig.screen.resize({ cols: 12, rows: 10 });
    await rig.feed(`\r\n${mark("C")}`);
    await rig.feed(`${mark("D")}${mark("A")}$ ${mark("B")}x\x1b[H\x1b[2J$ pwd\r\n${mark("C")}`);
    await rig.feed(
      `${mark("D")}\x1b[?1049h${mark("A")}$ ${mark("B")}make\r\n${mark("C")}${mark("D")}`,
    );
    expect(rig.all()).toHaveLength(3);
    for (const record of rig.all()) {
      expect(record).toMatchObject({ command: null, command_from: null });
      expect(record.flags).not.toContain("no_command");
    }
    rig.dispose();
  });

  it("[JR4] a full-screen program leaves its region empty, and a cleared screen leaves what was printed after", async () => {
    const rig = journalRig();
    await rig.feed(`before\r\n${commandRun("vim", "\x1b[?1049h\x1b[HTEXT\r\nTEXT\x1b[?1049l")}`);
    await rig.feed(commandRun("clear; date", "gone\r\n\x1b[H\x1b[2Jnoon\r\n"));
    expect([rig.output(1), rig.output(2)]).toEqual(["", "noon\n"]);
    rig.dispose();
  });

  it("[JR2] who typed: people and agents since the prompt, also ahead of it, and nobody who only answered a program", async () => {
    const rig = journalRig();
    const { journal } = rig;
    const by = () => journal.latest()?.by;
    const prompt = `${mark("D")}\r\n${mark("A")}$ ${mark("B")}`;
    await rig.feed(`${mark("A")}$ ${mark("B")}`);
    journal.typed("Ada", utf8("rm "));
    // A prompt that is drawn again while a line is typed begins nothing.
    await rig.feed(`\r${mark("A")}$ ${mark("B")}rm `);
    journal.typed("Bot", utf8("-i x\r"));
    await rig.feed(`-i x\r\n${mark("C")}`);
    expect(by()).toEqual(["Ada", "Bot"]);
    journal.typed("Ada", utf8("y\n"));
    await rig.feed(prompt);
    journal.typed("Bot", utf8("sleep 1\rls\rpwd\r"));
    for (let i = 0; i < 3; i++) {
      await rig.feed(`\r\n${mark("C")}`);
      expect(by()).toEqual(["Bot"]);
      await rig.feed(prompt);
    }
    // Nothing was typed for this one.
    await rig.feed(`${mark("C")}${mark("D")}`);
    expect(by()).toEqual([]);
    rig.dispose();
  });

  it("[JR2] directories: the shell's own word, then the system's; another machine's is shown with its name", async () => {
    const rig = journalRig();
    const { journal } = rig;
    const cwd = async (told: string) => {
      await rig.feed(`${told}${mark("C")}${mark("D")}`);
      return [journal.latest()?.cwd, journal.cwd];
    };
    expect(await cwd("")).toEqual(["/proc/says", null]);
    expect(await cwd(osc("7;file:///a%20b"))).toEqual(["/a b", "/a b"]);
    expect(await cwd(osc("7;file://here.example/c"))).toEqual(["/c", "/c"]);
    expect(await cwd(osc("7;file://HERE/d"))).toEqual(["/d", "/d"]);
    expect(await cwd(osc("7;file://far/etc"))).toEqual(["far:/etc", null]);
    expect(await cwd(osc("7;file://here.evil/etc"))).toEqual(["here.evil:/etc", null]);
    expect(await cwd(code("P;Cwd=/e\\x3bf"))).toEqual(["/e;f", "/e;f"]);
    expect(await cwd(osc(`7;file:///${"x".repeat(5_000)}`))).toEqual(["/e;f", "/e;f"]);
    rig.dispose();
  });

  it("[JR6] without markers there is nothing, and it says so; directories alone are no shell integration", async () => {
    const rig = journalRig();
    await rig.feed(
      `plain text\r\n${osc("7;file:///tmp")}${osc("133;X")}${osc("133;Abc")}${code("E;ls")}`,
    );
    rig.journal.typed("Ada", utf8("ls\r"));
    rig.journal.exited();
    expect(rig.journal).toMatchObject({ integration: "none", nextIndex: 1, lastCommand: null });
    expect(rig.journal.latest()).toBeUndefined();
    expect(rig.all()).toEqual([]);
    rig.dispose();
    const off = journalRig({ isOff: true });
    expect(off.journal).toMatchObject({ integration: "off", state: "unknown" });
    await off.feed(mark("A"));
    expect(off.journal).toMatchObject({ integration: "osc133", state: "prompt" });
    off.dispose();
  });

  it("[JR1] tells in order what happened, and where the shell is, with the journal in its new state", async () => {
    const rig = journalRig();
    const states: string[] = [];
    rig.journal.onNews(() => states.push(rig.journal.state));
    await rig.feed(`${mark("A")}$ ${mark("B")}`);
    expect(rig.journal.inputStart).toEqual({ seq: 0, col: 2 });
    await rig.feed(`ls\r\n${mark("C")}`);
    expect(rig.journal.inputStart).toBeNull();
    expect(rig.journal.lastInput).toEqual({ start: { seq: 0, col: 2 }, end: { seq: 1, col: 0 } });
    await rig.feed(`x\r\n${mark("C")}${mark("D;0")}`);
    const said = rig.news.map((one) =>
      one.kind === "state" ? one.state : `${one.kind} ${one.record.index}`,
    );
    expect(said).toEqual([
      "prompt",
      "input",
      "running",
      "began 1",
      "ended 1",
      "began 2",
      "idle",
      "ended 2",
    ]);
    expect(states).toEqual(["prompt", "input", ...Array(4).fill("running"), "idle", "idle"]);
    rig.dispose();
  });

  it("[JR1] [JR4] no sequence of markers, text, resizes, clears and ends sticks or throws, and every record is in order", async () => {
    const piece = fc.oneof(
      {
        weight: 8,
        arbitrary: fc.constantFrom("A", "B", "C", "D", "D;0", "D;9", "C;cmdline=a").map(mark),
      },
      { weight: 2, arbitrary: fc.constantFrom("A", "C", "D;1", "E;x;n", "P;Cwd=/x").map(code) },
      { weight: 6, arbitrary: fc.string({ unit: "grapheme", maxLength: 30 }) },
      {
        weight: 4,
        arbitrary: fc.constantFrom(
          "\r\n",
          "\n\n\n\n\n\n",
          "\x1b[2J",
          "\x1b[H",
          "\x1b[3J",
          "\x1bc",
          "\x1b[?1049h",
          "\x1b[?1049l",
          "\x1b[5A",
          "\x1b[2;4r",
        ),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          cols: fc.integer({ min: 2, max: 60 }),
          rows: fc.integer({ min: 1, max: 20 }),
        }),
      },
      { weight: 1, arbitrary: fc.constant("exit" as const) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 60 }), async (pieces) => {
        const rig = journalRig({ scrollback: 15 });
        for (const one of pieces) {
          if (typeof one === "object") rig.screen.resize(one);
          else if (one === "exit") rig.journal.exited();
          else await rig.feed(one);
        }
        const records = rig.all();
        for (const [i, record] of records.entries())
          checkRecord(record, i, records, rig.output(record.index));
        // It goes on working.
        const { dialect } = { dialect: rig.journal.integration === "osc633" ? code : mark };
        const before = rig.journal.nextIndex;
        await rig.feed(`${dialect("A")}${dialect("C")}${dialect("D;5")}`);
        expect(rig.journal.record(before)).toMatchObject({
          exit_code: 5,
          flags: expect.arrayContaining(["has_exit"]),
        });
        expect(rig.screen.faults).toBe(0);
        rig.dispose();
      }),
      { seed: 4, numRuns: 150 },
    );
  });
});

function checkRecord(
  record: CommandRecord,
  i: number,
  all: readonly CommandRecord[],
  output: string,
) {
  expect(commandRecordSchema.parse(record)).toEqual(record);
  expect(compareCursors(parseCursor(record.start), parseCursor(record.end))).toBeLessThanOrEqual(0);
  expect(record.index).toBe((all[0]?.index ?? 0) + i);
  expect(record.flags.includes("running") && i < all.length - 1).toBe(false);
  expect(record.flags.includes("has_exit")).toBe(record.exit_code !== undefined);
  expect((record.command ?? "").length).toBeLessThanOrEqual(limits.journalCommandBytes);
  expect(typeof output).toBe("string");
}
