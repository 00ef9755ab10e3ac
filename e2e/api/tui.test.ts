// TU1: the TUI as a person meets it, in a tmux that stands for their terminal; over the host's socket, over HTTP and over the line service.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { TmuxPerson } from "../fixtures/tmux-person.ts";
import { Server } from "../server.ts";
import { Caller, until } from "./caller.ts";

let server: Server;
let owner: Caller;
let person: TmuxPerson;
let linePort = 0;

beforeAll(async () => {
  server = new Server(["--tcp", "0"], { HOME: "/nonexistent", SHELL: "/bin/bash", PS1: "$ " });
  await server.start();
  await until("the port", () => /port (\d+)/.test(server.said));
  linePort = Number(/127\.0\.0\.1 port (\d+)/.exec(server.said)?.[1]);
  owner = await Caller.owner(server);
});
afterEach(async () => {
  await person?.leave();
  const { sessions } = await owner.call<{ sessions: { id: string }[] }>("GET", "/sessions");
  for (const { id } of sessions) await owner.close(id);
});
afterAll(async () => {
  await server?.stop();
});

/** The command line that starts it; its exit status is shown behind it. */
function tui(args = ""): string {
  return `${process.execPath} ${server.cliPath} tui ${args}; echo "left with $?"`;
}
const here = () => `--state-dir ${server.stateDir}`;

/** Rows within the frame of the pane. */
async function pane(): Promise<string[]> {
  return (await person.rows())
    .filter((row) => row.startsWith("│"))
    .map((row) => row.slice(1, -1).trimEnd());
}

describe("cotty tui", () => {
  it("[TU1] output above, input line below, status at the bottom; aligned in 80 columns", async () => {
    person = await TmuxPerson.sit();
    await person.line(tui(here()));
    await person.shows("at its prompt", 20_000);
    await person.line("echo one two");
    await person.shows(/│one two +│/);
    await person.shows(/ · at its prompt · 78x18 · keyboard: (you type|free) /);
    const rows = await person.rows();
    expect(rows[0]).toBe(`╭${"─".repeat(78)}╮`);
    expect(rows.filter((row) => row === `├${"─".repeat(78)}┤`)).toHaveLength(1);
    expect(rows.filter((row) => row === `╰${"─".repeat(78)}╯`)).toHaveLength(1);
    expect(rows[20]).toMatch(/^│ > +│$/);
    expect(rows[22]).toMatch(
      /^ bash · at its prompt · 78x18 · keyboard: (you type|free) +\^O list · \^Q leave/,
    );
    expect(rows.every((row) => row.length <= 80)).toBe(true);
  });

  it("[TU1] PgUp and PgDn scroll the output, and typing goes back to its end", async () => {
    person = await TmuxPerson.sit();
    await person.line(tui(here()));
    await person.shows("at its prompt", 20_000);
    await person.line("seq 100 199");
    await person.shows(/│199 /);
    await person.press("PageUp");
    await person.shows("17 lines up");
    expect(await pane()).toContain("170");
    expect(await pane()).not.toContain("199");
    await person.press("PageUp", "PageUp", "PageUp", "PageUp", "PageUp", "PageUp", "PageUp");
    await person.shows(/│100 /);
    await person.press("PageDown");
    await until("further down", async () => !(await pane()).includes("100"));
    await person.line("echo back");
    await person.shows(/│back /);
  });

  it("[TU1] the session follows the size of the terminal", async () => {
    person = await TmuxPerson.sit();
    await person.line(tui(here()));
    await person.shows("at its prompt", 20_000);
    await person.resize(100, 30);
    await person.shows("98x24");
    await person.line("stty size");
    await person.shows(/│24 98 /);
    const rows = await person.rows();
    expect(rows[0]).toBe(`╭${"─".repeat(98)}╮`);
    await person.resize(60, 16);
    await person.shows("58x10");
    expect((await person.rows())[0]).toBe(`╭${"─".repeat(58)}╮`);
  });

  it("[TU1] Ctrl-C gives up the line, then interrupts the program, and twice leaves where nothing runs", async () => {
    person = await TmuxPerson.sit();
    const before = await person.state();
    await person.line(tui(here()));
    await person.shows("at its prompt", 20_000);
    await person.type("rm -rf something");
    await person.shows("> rm -rf something");
    await person.press("C-c");
    await person.shows(/│ > +│/);
    await person.line("sleep 1000; echo status $?");
    await person.shows("running");
    await person.press("C-c");
    await person.shows(/\^C[\s\S]*at its prompt/);
    // Until the shell has drawn its prompt it is no offer; a person presses again.
    const isOffered = async () => {
      await person.press("C-c");
      return person.shows("Ctrl-C once more leaves", 3_000).then(
        () => true,
        () => false,
      );
    };
    // A person's second thought may come soon after: it must not be taken for the second of two.
    await until("the offer to leave", isOffered);
    // Nor is one that comes after something else.
    await person.type("x");
    await person.shows("> x");
    await person.press("C-c");
    await person.shows(/│ > +│/);
    await until("the offer again", isOffered);
    await person.press("C-c");
    await person.shows("left with 0");
    expect(await person.state()).toEqual(before);
  });

  it("[TU1] Ctrl-D ends the shell, as it ends any shell", async () => {
    person = await TmuxPerson.sit();
    await person.line(tui(here()));
    await person.shows("at its prompt", 20_000);
    await person.press("C-d");
    await person.shows("ended: status 0");
    await person.press("C-d");
    await person.shows("left with 0");
  });

  it("[TU1] the list of sessions: looked at, opened from, added to", async () => {
    const one = await owner.script("echo this is build; exec cat", { name: "build" });
    await owner.script("echo this is logs; exec cat", { name: "logs" });
    await owner.untilText(one.id, "this is build");
    person = await TmuxPerson.sit();
    await person.line(tui(here()));
    const list = await person.shows(/› build .*\n.* logs /, 20_000);
    expect(list).toContain("NAME");
    expect(list).toContain("KEYBOARD");
    await person.press("Down", "Enter");
    await person.shows("this is logs");
    await person.press("C-o");
    await person.shows("Enter opens");
    await person.press("Enter");
    await person.shows("this is build");
    await person.press("C-o");
    await person.shows("Enter opens");
    await person.type("n");
    await person.shows("at its prompt");
    await person.press("C-q");
    await person.shows("left with 0");
    const { sessions } = await owner.call<{ sessions: unknown[] }>("GET", "/sessions");
    expect(sessions).toHaveLength(3);
  });

  it("[TU1] the list keeps its columns where names have wide letters, and gives nobody the keyboard of what has ended", async () => {
    const { id } = await owner.script("echo up; exec cat", { name: "a" });
    await owner.script("exec cat", { name: "日本語" });
    await owner.script("exit 4", { name: "over" });
    await owner.untilText(id, "up");
    person = await TmuxPerson.sit();
    await person.line(tui(here()));
    await person.shows(/over +exit 4 +80x24 +- +│/, 20_000);
    const [header = "", ...rows] = (await person.rows()).filter((row) => /NAME|80x24/.test(row));
    expect(rows).toHaveLength(3);
    for (const row of rows) {
      // A wide letter takes two cells.
      const inCells = row.replace(/[\u2e80-\u9fff]/g, "$& ");
      expect(inCells.indexOf("80x24"), row).toBe(header.indexOf("SIZE"));
      expect(inCells, row).toHaveLength(80);
    }
    await person.press("q");
    await person.shows("left with 0");
  });

  it("[TU1] a full-screen program looks right and gets every key; Ctrl-] takes the keys back", async () => {
    person = await TmuxPerson.sit();
    await person.line(tui(here()));
    await person.shows("at its prompt", 20_000);
    await person.line("vim -u NONE");
    await person.shows("keys go to the program");
    await person.type("ihello from vim");
    await person.press("Escape");
    await person.shows(/│hello from vim +│\n│~ +│/);
    await person.press("C-]");
    await person.shows(/│ > +│/);
    await person.press("C-]");
    await person.shows("keys go to the program");
    await person.type(":q!");
    await person.press("Enter");
    await person.shows("at its prompt");
  });

  it("[TU1] [CR3] a password is neither shown nor remembered", async () => {
    const { id } = await owner.script(
      'printf "Password: "; stty -echo; read -r x; stty echo; echo; echo "<$x>"; exec cat',
      { name: "asks" },
    );
    person = await TmuxPerson.sit();
    await person.line(tui(`${id} ${here()}`));
    await person.shows("password asked", 20_000);
    await person.type("hunter2");
    await person.shows("> •••••••");
    expect(await person.screen()).not.toContain("hunter2");
    await person.press("Enter");
    await person.shows("<hunter2>");
    await person.press("Up");
    await person.type("x");
    await person.shows("> x");
  });

  it("[TU1] Tab completes in the program", async () => {
    person = await TmuxPerson.sit();
    await person.line(tui(here()));
    await person.shows("at its prompt", 20_000);
    await person.type("ech");
    await person.press("Tab");
    await person.shows(/[#$] echo +│/);
    await person.type("done");
    await person.press("Enter");
    await person.shows(/│done /);
    await person.shows(/│ > +│/);
  });

  it("[TU1] over HTTP with a token, and over the line service", async () => {
    const token = await server.token("owner");
    person = await TmuxPerson.sit({ cols: 80, rows: 24 }, { COTTY_TOKEN: token });
    await person.line(tui(`--url ${server.url}`));
    await person.shows("at its prompt", 20_000);
    await person.line("echo over http");
    await person.shows(/│over http /);
    await person.press("C-q");
    await person.shows("left with 0");
    await person.line(`clear; ${tui(`--addr 127.0.0.1:${linePort}`)}`);
    await person.shows("at its prompt", 20_000);
    await person.line("stty size; echo over lines");
    await person.shows(/│18 78 /);
    await person.shows(/│over lines /);
    await person.line("exit 3");
    await person.shows("ended: status 3");
    await person.press("Enter");
    await person.shows("left with 0");
  });

  it("[TU1] a wrong token, no server, no terminal: said in one line, with the exit code of the case", async () => {
    person = await TmuxPerson.sit({ cols: 80, rows: 24 }, { COTTY_TOKEN: "cot_wrong" });
    await person.line(tui(`--addr 127.0.0.1:${linePort}`));
    await person.shows("left with 4");
    await person.line(`clear; ${tui("--addr 127.0.0.1:1")}`);
    await person.shows("left with 7");
    const { code, stderr } = await server.cli("tui");
    expect(code).toBe(2);
    expect(stderr).toContain("needs a terminal");
  });

  it("[TU1] without colour it is as readable: nothing is told by colour alone", async () => {
    person = await TmuxPerson.sit({ cols: 80, rows: 24 }, { NO_COLOR: "1" });
    await person.line(tui(here()));
    await person.shows("at its prompt", 20_000);
    await person.line("printf '\\033[31mred\\033[0m\\n'");
    await person.shows(/│red +│/);
    const painted = await person.tmux("capture-pane", "-p", "-e");
    // 30-37, 40-47, 90-97, 38;5 …: no colour in any form.
    expect(painted).not.toMatch(/\x1b\[(?:[\d;]*;)?(?:3[0-8]|4[0-8]|9[0-7])(?:;|m)/);
  });
});

describe("kill -9 of the server", () => {
  it.each(["the host, seen over its socket", "web, seen over the line service"] as const)(
    "[TU1] [CL2] %s: the terminal is as it was, and the person is told",
    { timeout: 60_000 },
    async (what) => {
      const own = new Server(["--tcp", "0"], {
        HOME: "/nonexistent",
        SHELL: "/bin/bash",
        PS1: "$ ",
      });
      try {
        await own.start();
        await until("the port", () => /port (\d+)/.test(own.said));
        const port = Number(/127\.0\.0\.1 port (\d+)/.exec(own.said)?.[1]);
        person = await TmuxPerson.sit(
          { cols: 80, rows: 24 },
          { COTTY_TOKEN: what.startsWith("web") ? await own.token() : "" },
        );
        const before = await person.state();
        const args = what.startsWith("web")
          ? `--addr 127.0.0.1:${port}`
          : `--state-dir ${own.stateDir}`;
        await person.line(`${process.execPath} ${own.cliPath} tui ${args}; echo "left with $?"`);
        await person.shows("at its prompt", 20_000);
        await person.line("vim -u NONE");
        await person.shows("keys go to the program");
        if (what.startsWith("web")) await own.killWeb();
        else process.kill(own.hostPid(), "SIGKILL");
        await person.shows("left with 7", 20_000);
        expect(await person.screen()).toMatch(/\[.*ended.*\]/);
        expect(await person.state()).toEqual(before);
      } finally {
        await own.stop();
      }
    },
  );
});
