import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { systemClock } from "#lib/base/clock.ts";
import { limits } from "#lib/protocol/limits.ts";
import { realTerminals } from "#server/testing/real-terminals.ts";
import { parseStty, startTtySettings, type TtySettingsReader } from "./tty-settings.ts";

// Before the first terminal of this process, as the host does.
const readers: TtySettingsReader[] = [];
const spares = Array.from({ length: 6 }, () => startTtySettings(systemClock));
const { sh } = await realTerminals();

function helper(): TtySettingsReader {
  const reader = spares.pop();
  if (!reader) throw new Error("no helper is left");
  readers.push(reader);
  return reader;
}

/** Pids of this process's children that run the helper's script. */
function helpers(): number[] {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, "latin1");
  return children
    .split(" ")
    .filter(Boolean)
    .map(Number)
    .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("stty -a"));
}

afterEach(async () => {
  for (const reader of readers.splice(0)) await reader.close();
});

const off = process.platform !== "linux";

describe.skipIf(off)("the settings of a terminal", () => {
  it("[IN7] [CR1] tells line by line from byte by byte, and hidden from shown", async () => {
    const reader = helper();
    const cases = [
      ["stty sane", { kind: "known", canonical: true, echo: true }],
      ["stty -echo", { kind: "known", canonical: true, echo: false }],
      ["stty -icanon", { kind: "known", canonical: false, echo: true }],
      ["stty raw -echo", { kind: "known", canonical: false, echo: false }],
    ] as const;
    for (const [setting, wanted] of cases) {
      const terminal = await sh(`${setting}; printf READY; exec sleep 60`);
      await terminal.until(() => terminal.text.includes("READY"));
      expect(terminal.pty.tty).toMatch(/^\/dev\/pts\/\d+$/);
      expect(await reader.read(terminal.pty.tty)).toEqual(wanted);
      terminal.pty.dispose();
      expect(terminal.pty.tty).toBeNull();
    }
  });

  it("many questions at once each get their own answer; too many are unknown", async () => {
    const reader = helper();
    const raw = await sh("stty raw; printf READY; exec sleep 60");
    const cooked = await sh("printf READY; exec sleep 60");
    await raw.until(() => raw.text.includes("READY"));
    await cooked.until(() => cooked.text.includes("READY"));
    const asked = Array.from({ length: limits.ttyQuestions + 5 }, (_, index) =>
      reader.read(index % 2 ? raw.pty.tty : cooked.pty.tty),
    );
    const answers = await Promise.all(asked);
    const known = answers.slice(0, 20).filter(({ kind }) => kind === "known");
    // On a busy machine the last ones may be late; none is another's.
    expect(known.length).toBeGreaterThan(0);
    for (const [index, answer] of answers.entries()) {
      if (answer.kind === "known") expect(answer.canonical).toBe(index % 2 === 0);
    }
    expect(answers.slice(-5)).toEqual(
      Array(5).fill({ kind: "unknown", reason: "too many questions at a time" }),
    );
  });

  it("[LM] answered questions make room for new ones", async () => {
    const reader = helper();
    const terminal = await sh("printf READY; exec sleep 60");
    await terminal.until(() => terminal.text.includes("READY"));
    for (let i = 0; i < limits.ttyQuestions + 5; i++) {
      const answer = await reader.read(terminal.pty.tty);
      // Late on a busy machine, but never one too many.
      if (answer.kind === "unknown") expect(answer.reason).toBe("no answer in time");
    }
  });

  it("what is no terminal, or is gone, is unknown, and the next question is answered", async () => {
    const reader = helper();
    const terminal = await sh("printf READY; exec sleep 60");
    await terminal.until(() => terminal.text.includes("READY"));
    const { tty } = terminal.pty;
    for (const path of [null, "", "/dev/null", "/dev/pts/99999", "/etc/passwd", "x\n1 /dev/tty"])
      expect((await reader.read(path)).kind).toBe("unknown");
    expect((await reader.read(tty)).kind).toBe("known");
    terminal.pty.dispose();
    expect((await reader.read(tty)).kind).toBe("unknown");
  });

  it("[PT4] the helper holds no terminal, becomes no terminal's process, and ends without a zombie", async () => {
    const reader = helper();
    const terminal = await sh("printf READY; exec sleep 60");
    await terminal.until(() => terminal.text.includes("READY"));
    await reader.read(terminal.pty.tty);
    const before = helpers();
    expect(before.length).toBeGreaterThan(0);
    for (const pid of before) {
      // tty_nr, the fifth field after the name.
      const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
      const own = readFileSync("/proc/self/stat", "latin1");
      const ttyOf = (line: string) => line.slice(line.lastIndexOf(")") + 2).split(" ")[4];
      expect(ttyOf(stat)).toBe(ttyOf(own));
    }
    await reader.close();
    await reader.close();
    expect(helpers()).toHaveLength(before.length - 1);
    expect(await reader.read(terminal.pty.tty)).toEqual({
      kind: "unknown",
      reason: "the host is ending",
    });
  });

  it("a helper that dies makes every answer unknown, at once and for good", async () => {
    const reader = helper();
    const others = new Set(helpers());
    const terminal = await sh("printf READY; exec sleep 60");
    await terminal.until(() => terminal.text.includes("READY"));
    expect((await reader.read(terminal.pty.tty)).kind).toBe("known");
    // Which of the children is this one's: the others are closed first.
    for (const spare of spares.splice(0)) await spare.close();
    const [pid] = helpers();
    expect(others.has(pid ?? -1)).toBe(true);
    process.kill(pid ?? 0, "SIGKILL");
    for (let answer = await reader.read(terminal.pty.tty); answer.kind === "known"; )
      answer = await reader.read(terminal.pty.tty);
    const started = performance.now();
    expect(await reader.read(terminal.pty.tty)).toMatchObject({ kind: "unknown" });
    expect(performance.now() - started).toBeLessThan(limits.ttyQuestionMs / 2);
    expect(helpers()).toEqual([]);
  });

  it("with terminals open no helper is started", async () => {
    const terminal = await sh("printf READY; exec sleep 60");
    const before = helpers().length;
    const late = startTtySettings(systemClock);
    expect(await late.read(terminal.pty.tty)).toMatchObject({ kind: "unknown" });
    expect(helpers()).toHaveLength(before);
  });
});

describe("parseStty", () => {
  it("reads the words of stty, not parts of them", () => {
    expect(
      parseStty("speed 38400 baud; line = 0;\nisig icanon iexten -echo echoe echok\n"),
    ).toEqual({
      kind: "known",
      canonical: true,
      echo: false,
    });
    expect(parseStty("isig -icanon iexten echo").kind).toBe("known");
    expect(parseStty("").kind).toBe("unknown");
    expect(parseStty("echoe echok").kind).toBe("unknown");
  });
});
