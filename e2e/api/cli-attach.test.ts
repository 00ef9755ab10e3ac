// `cotty attach` and `cotty run` in a person's own terminal: what they show, what they type, and what they leave behind (CL2).
import { writeFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { CommandLine } from "../fixtures/command-line.ts";
import { PersonTerminal } from "../fixtures/person-terminal.ts";
import { Server } from "../server.ts";

// Each call of the command is a process of its own, and takes seconds on a machine that is busy.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });

const server = new Server();
let cotty: CommandLine;
beforeAll(async () => {
  await server.start();
  cotty = new CommandLine(server);
});
afterAll(() => server.stop());

const terminals: PersonTerminal[] = [];
afterEach(() => {
  for (const terminal of terminals.splice(0)) terminal.dispose();
});

async function person(size?: { cols: number; rows: number }): Promise<PersonTerminal> {
  const terminal = await PersonTerminal.open(cotty.env, size);
  terminals.push(terminal);
  return terminal;
}

/** The terminal as its owner had it: line settings, and everything a program may switch on. */
async function sanity(terminal: PersonTerminal) {
  await terminal.atPrompt();
  return { stty: await terminal.line("stty -a"), ...terminal.state };
}

/** A program that switches on whatever it can, asks everything, and draws on the alternate screen. */
const greedy = [
  "printf '\\033[?1049h\\033[?1000;1002;1003;1006;1004;2004;1h\\033=\\033[?25l\\033[4h\\033[5;10r\\033[?6h\\033[44m'",
  "printf '\\033]2;stolen title\\007\\033[c\\033[6n\\033[5n\\033]11;?\\007\\033P$qm\\033\\\\\\033[?2026h'",
  "printf 'greedy\\033[?2026l'",
].join("; ");

function program(script: string, ...more: string[]): Promise<string> {
  return cotty.get("new", ...more, "--", "sh", "-c", script);
}

describe("[CL2] attach", () => {
  it("shows what is there at once, follows what comes, types nothing without --write, and detaches with C-]", async () => {
    const id = await program("echo first; stty -echo; while read x; do echo got-$x; done");
    const me = await person();
    const before = await sanity(me);
    me.type(`cotty attach ${id}; echo left-$?\r`);
    await me.until((screen) => screen.startsWith("first\n"));
    me.type("typed\r");
    await cotty.get("send", id, "from elsewhere", "Enter");
    await me.until((screen) => screen.includes("got-from elsewhere"));
    expect(await cotty.get("screen", id)).not.toContain("typed");
    me.type("\x1d");
    await me.until((screen) => screen.includes("left-0"));
    expect(me.screen).toContain("[detached from sh]");
    // What was on the person's screen is in the scrollback.
    expect(me.everything).toContain(`cotty attach ${id}`);
    expect(await sanity(me)).toEqual(before);
  });

  it("--write types, Ctrl-C included; the end of the program ends it with its status", async () => {
    const id = await program(
      "trap 'echo int' INT; echo ready; while read x; do [ $x = end ] && exit 5; done; read x; exit 5",
    );
    const me = await person();
    const before = await sanity(me);
    me.type(`cotty attach -w ${id}; echo left-$?\r`);
    await me.until((screen) => screen.includes("ready"));
    me.type("\x03");
    await me.until((screen) => screen.includes("int"));
    me.type("end\r");
    await me.until((screen) => screen.includes("left-5"));
    // Below what it printed, without a row between.
    expect(me.screen).toMatch(/\nend\n\[sh[ \d]* ended: status 5\]\n/);
    expect(await sanity(me)).toEqual(before);
  });

  it("[AT6] draws the session in the corner of a larger terminal, follows its size, and leaves no trace of it", async () => {
    const id = await program("printf '%s\\r\\n' one two; exec cat", "--size", "40x10");
    const me = await person({ cols: 100, rows: 30 });
    const before = await sanity(me);
    me.type(`cotty attach ${id} --write; echo left-$?\r`);
    await me.until((screen) => screen.startsWith("one\ntwo\n"));
    expect(me.state.alternate).toBe(true);
    me.type("x".repeat(50));
    await me.until((screen) => screen.includes(`\n${"x".repeat(40)}\n${"x".repeat(10)}\n`));
    // The same size: its own bytes, on the person's screen.
    await cotty.get("resize", id, "100x30");
    await me.until((screen) => !me.state.alternate && screen.startsWith("one"));
    me.resize({ cols: 90, rows: 28 });
    await me.until(() => me.state.alternate);
    me.type("\x1d");
    await me.until((screen) => screen.includes("left-0"));
    expect({ ...(await sanity(me)), stty: "", margins: [] }).toEqual({
      ...before,
      stty: "",
      margins: [],
    });
  });

  it("--resize makes the session follow the terminal, through a storm of sizes", async () => {
    const id = await program("trap 'stty size' WINCH; echo up; while :; do sleep 0.02; done");
    const me = await person({ cols: 100, rows: 30 });
    me.type(`cotty attach -w --resize ${id}; echo left-$?\r`);
    await me.until((screen) => screen.includes("30 100"));
    for (let size = 60; size < 100; size++) me.resize({ cols: size, rows: 25 });
    await me.until((screen) => screen.includes("25 99"));
    me.type("\x1d");
    await me.until((screen) => screen.includes("left-0"));
    expect(me.state).toMatchObject({ alternate: false, cursorHidden: false });
  });

  it("[SC3] questions of the program are answered by the host alone, once; nothing it switches on or changes stays", async () => {
    // Shows every byte that reaches it.
    const id = await program(`stty raw -echo; ${greedy}; exec cat -v`);
    await cotty.until(id, "greedy");
    const me = await person();
    const before = await sanity(me);
    const answered = me.answered.length;
    me.type(`cotty attach -w ${id}; echo left-$?\r`);
    await me.until((screen) => screen.includes("greedy"));
    expect(me.state).toMatchObject({ alternate: true, mouse: "any", bracketedPaste: true });
    await cotty.get("send", id, "ask");
    await me.until((screen) => screen.includes("ask"));
    me.type("\x1d");
    await me.until((screen) => screen.includes("left-0"));
    expect(await sanity(me)).toEqual(before);
    // Its title went with it: what was pushed first was popped last.
    expect(me.received.lastIndexOf("\x1b[23;0t")).toBeGreaterThan(
      me.received.lastIndexOf("stolen"),
    );
    expect(me.answered.slice(answered)).toBe("");
  });

  it("another key detaches when it is asked for; a session of that name is found; itself is refused", async () => {
    const id = await program("exec cat", "--name", "catty");
    const me = await person();
    expect(await me.line(`COTTY_SESSION=${id} cotty attach catty; echo $?`)).toContain(
      "the terminal that you are in",
    );
    const other = await program("echo here; exec cat", "--name", "other");
    expect(other).not.toBe(id);
    me.type("cotty attach other --detach-key C-q; echo left-$?\r");
    await me.until((screen) => screen.startsWith("here"));
    me.type("\x11");
    await me.until((screen) => screen.includes("left-0"));
  });

  it("a terminal is needed; who only looks leaves with Ctrl-C", async () => {
    const id = await program("echo look; exec cat");
    const piped = await cotty.run("attach", id);
    expect(piped.code).toBe(2);
    expect(piped.stderr).toContain("cotty screen ID");
    const me = await person();
    me.type(`cotty attach ${id}; echo left-$?\r`);
    await me.until((screen) => screen.startsWith("look"));
    me.type("\x03");
    await me.until((screen) => screen.includes("left-130"));
  });
});

describe("[CL2] [CL4] run in a person's terminal", () => {
  async function running(name: string) {
    for (;;) {
      const { sessions } = JSON.parse(await cotty.get("ls", "--json")) as {
        sessions: { id: string; name: string; cols: number; rows: number; exited: boolean }[];
      };
      const one = sessions.find((session) => session.name === name);
      if (one) return one;
    }
  }

  it("opens a session that is listed, at the terminal's size; the person sees it and types in it; its status is ours", async () => {
    const me = await person({ cols: 100, rows: 30 });
    const before = await sanity(me);
    me.type(
      `cotty run --name runner -- sh -c 'stty size; while read x; do echo "got $x"; [ "$x" = end ] && exit 7; done'; echo left-$?\r`,
    );
    await me.until((screen) => screen.startsWith("30 100\n"));
    const session = await running("runner");
    expect(session).toMatchObject({ cols: 100, rows: 30, exited: false });
    me.type("hello\r");
    await me.until((screen) => screen.includes("got hello"));
    // The same one that everybody else sees.
    expect(await cotty.get("screen", session.id)).toContain("got hello");
    await cotty.get("send", session.id, "from elsewhere", "Enter");
    await me.until((screen) => screen.includes("got from elsewhere"));
    me.type("end\r");
    await me.until((screen) => screen.includes("left-7"));
    expect(me.screen).toContain("[runner ended: status 7]");
    expect(await sanity(me)).toEqual(before);
    // It stays, to be looked at.
    expect(await running("runner")).toMatchObject({ id: session.id, exited: true });
  });

  it("a program that ends by a signal, whatever it has switched on; one that cannot be started", async () => {
    writeFileSync(`${cotty.home}/greedy.sh`, `${greedy}; kill -TERM $$\n`);
    const me = await person();
    const before = await sanity(me);
    me.type(`cotty run --rm --name greedy -- sh ${cotty.home}/greedy.sh; echo left-$?\r`);
    await me.until((screen) => screen.includes("left-143"));
    expect(me.received).toContain("stolen title");
    expect(await sanity(me)).toEqual(before);
    const { sessions } = JSON.parse(await cotty.get("ls", "--json"));
    expect(sessions.map(({ name }: { name: string }) => name)).not.toContain("greedy");
    const said = await me.line("cotty run -- no-such-program; echo left-$?");
    expect(said).toContain("no-such-program");
    expect(said).toMatch(/left-[1-9]/);
    expect(await sanity(me)).toEqual(before);
  });

  it("C-] leaves it running", async () => {
    const me = await person();
    const before = await sanity(me);
    me.type("cotty run --name kept -- sh -c 'echo up; exec cat'; echo left-$?\r");
    await me.until((screen) => screen.startsWith("up\n"));
    me.type("\x1d");
    await me.until((screen) => screen.includes("left-0"));
    expect(me.screen).toContain("[detached from kept]");
    expect(await sanity(me)).toEqual(before);
    expect(await running("kept")).toMatchObject({ exited: false });
  });
});

describe("[CL2] the terminal is as it was after every ending", () => {
  async function attached(variables = "") {
    const id = await program(`stty raw -echo; ${greedy}; exec cat`);
    await cotty.until(id, "greedy");
    const me = await person();
    const before = await sanity(me);
    me.type(
      `${variables} sh -c 'echo $$ > ${cotty.home}/pid; exec cotty attach -w ${id}'; echo left-$?\r`,
    );
    await me.until((screen) => screen.includes("greedy"));
    const pid = Number((await cotty.sh(`cat ${cotty.home}/pid`)).stdout);
    return { id, me, before, pid };
  }

  it.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
    ["SIGINT", 130],
  ] as const)("%s", async (name, code) => {
    const { me, before, pid } = await attached();
    process.kill(pid, name);
    await me.until((screen) => screen.includes(`left-${code}`));
    expect(await sanity(me)).toEqual(before);
  });

  it("standard input is closed", async () => {
    const id = await program(`${greedy}; exec sleep 600`);
    await cotty.until(id, "greedy");
    const me = await person();
    const before = await sanity(me);
    expect(await me.line(`cotty attach ${id} < /dev/null; echo left-$?`)).toContain("left-0");
    expect(me.screen).toContain("standard input was closed");
    expect(await sanity(me)).toEqual(before);
  });

  it("the session is killed", async () => {
    const { id, me, before } = await attached();
    await cotty.get("kill", id);
    await me.until((screen) => /left-\d/.test(screen));
    expect(await sanity(me)).toEqual(before);
  });

  it("[AT8] the web server is killed with -9: it says so, comes back at the same place, and detaches cleanly meanwhile", async () => {
    const token = await server.token("owner");
    const { id, me, before } = await attached(`COTTY_URL=${server.url} COTTY_TOKEN=${token}`);
    await server.killWeb();
    await me.until((screen) => screen.includes("connection lost"));
    await cotty.get("send", id, "meanwhile");
    // That was somebody else's typing, to whom we would be polite for a while.
    await cotty.get("lease", id, "back");
    await server.start();
    await me.until((screen) => screen.includes("meanwhile") && !screen.includes("connection lost"));
    me.type("again");
    await me.until((screen) => screen.includes("again"));
    await server.killWeb();
    await me.until((screen) => screen.includes("connection lost"));
    me.type("\x1d");
    await me.until((screen) => screen.includes("left-0"));
    expect(await sanity(me)).toEqual(before);
    await server.start();
  });

  it("the host is killed with -9, and the sessions with it: exit code 7, at once", async () => {
    const { me, before } = await attached();
    process.kill(server.hostPid(), "SIGKILL");
    await me.until((screen) => screen.includes("left-7"));
    expect(me.screen).toContain("is lost");
    expect(await sanity(me)).toEqual(before);
  });
});
