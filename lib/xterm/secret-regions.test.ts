import { Terminal } from "@xterm/headless";
import { describe, expect, it } from "vitest";
import { withoutHidden } from "./hidden-lines.ts";
import { SecretRegions } from "./secret-regions.ts";

function rig(cols = 20) {
  const terminal = new Terminal({ cols, rows: 6, scrollback: 100, allowProposedApi: true });
  let changes = 0;
  const regions = new SecretRegions(terminal as never, () => {
    changes += 1;
  });
  const prints = (text: string) =>
    new Promise<void>((done) =>
      terminal.write(text, () => {
        regions.printed();
        done();
      }),
    );
  return {
    terminal,
    regions,
    prints,
    changes: () => changes,
    /** As it is told, behind what was printed. */
    async asked(since: string | null) {
      regions.asked(since);
      await new Promise<void>((done) => terminal.write("", done));
    },
    /** Rows of which something is hidden: the text that is left, as a search sees it. */
    left() {
      const seen = withoutHidden(terminal as never, (row) => regions.hiddenCells(row));
      const rows = Array.from({ length: terminal.buffer.active.length }, (_, row) => row);
      return rows
        .filter((row) => regions.hiddenCells(row) > 0)
        .map((row) =>
          seen.buffer.active.getLine(row)?.translateToString(true).replaceAll("\0", "·"),
        );
    },
    hidden() {
      const rows = Array.from({ length: terminal.buffer.active.length }, (_, row) => row);
      return rows
        .filter((row) => regions.hiddenCells(row) > 0)
        .map((row) => terminal.buffer.active.getLine(row)?.translateToString(true).trimEnd());
    },
  };
}

describe("where a password was asked for", () => {
  it("[UI 7] [CR3] is the line of the cursor when it is told, and stays that line when it is over, scrolls and is wrapped anew", async () => {
    const one = rig();
    await one.prints("one\r\n[sudo] password: ");
    await one.asked("t1");
    expect(one.hidden()).toEqual(["[sudo] password:"]);
    await one.prints("•••••••••");
    expect(one.hidden()).toEqual(["[sudo] password: •••", "••••••"]);
    await one.prints("\r\nroot\r\n");
    await one.asked(null);
    await one.prints("x\r\n".repeat(20));
    expect(one.hidden()).toEqual(["[sudo] password: •••", "••••••"]);
    one.terminal.resize(40, 6);
    expect(one.hidden()).toEqual(["[sudo] password: •••••••••"]);
    one.terminal.resize(10, 6);
    expect(one.hidden()).toEqual(["[sudo] pas", "sword: •••", "••••••"]);
    expect(one.left()).toEqual(["", "", ""]);
    expect(one.changes()).toBe(1);
    await one.prints("x\r\n".repeat(200));
    expect(one.hidden()).toEqual([]);
  });

  it("[UI 7] what is printed on that line when it is over is nobody's secret", async () => {
    const one = rig(40);
    await one.prints("Password: ");
    await one.asked("t1");
    await one.prints("\r\n\x1b[A\x1b[10C$ ");
    await one.asked(null);
    await one.prints("ls");
    expect(one.left()).toEqual(["············ls"]);
  });

  it("[UI 7] a second try on a line of its own is found by its bullets", async () => {
    const one = rig(40);
    await one.prints("Password: ");
    await one.asked("t1");
    await one.prints("••••\r\nSorry, try again.\r\nAgain: ");
    expect(one.hidden()).toEqual(["Password: ••••"]);
    await one.prints("••••");
    expect(one.hidden()).toEqual(["Password: ••••", "Again: ••••"]);
  });

  it("[UI 7] another text in its place is another line: cleared, written over, or after a reset", async () => {
    for (const clear of ["\x1b[H\x1b[J", "\r\x1b[2K", "\x1bc"]) {
      const one = rig(40);
      await one.prints("Password: ");
      await one.asked("t1");
      await one.asked(null);
      await one.prints(`${clear}$ ls`);
      expect(one.hidden(), JSON.stringify(clear)).toEqual([]);
    }
  });

  it("[UI 7] a program that asks with its own screen leaves nothing marked behind", async () => {
    const one = rig(40);
    await one.prints("shell\r\nmore\x1b[?1049h\x1b[2;1HPassword: ");
    await one.asked("t1");
    expect(one.hidden()).toEqual(["Password:"]);
    await one.asked(null);
    await one.prints("\x1b[?1049l");
    expect(one.hidden()).toEqual([]);
  });

  it("[UI 7] a new snapshot: the prompt that stands, and those that are known by their text", async () => {
    const one = rig(40);
    await one.prints("Password: ");
    await one.asked("t1");
    await one.prints("••\r\n");
    await one.asked(null);
    await one.prints("PIN: ");
    await one.asked("t2");
    await one.prints("\x1bcPassword: ••\r\nPassword: is a word\r\nPIN: ");
    one.regions.placed();
    expect(one.hidden()).toEqual(["Password: ••", "PIN:"]);
  });

  it("[UI 7] text of the output is told without those lines", async () => {
    const one = rig(40);
    expect(one.regions.without("Password: ••\nroot\n")).toBe("Password: ••\nroot\n");
    await one.prints("Password: ");
    await one.asked("t1");
    expect(one.regions.without("Password: ••\nroot\nPassword:\nPassword: no\n")).toBe(
      "root\nPassword: no\n",
    );
  });
});
