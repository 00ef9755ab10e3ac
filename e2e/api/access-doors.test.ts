// Issue 5, shown by 5, at the doors that are no transport of their own: the command line and the library try everything with an agent's token
// under observe and under sealed (AC1, AC2). The tables have a row for each verb and method; a new one without a row fails here.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { TermError } from "#lib/protocol/errors.ts";
import { createTerminalTools, TerminalRegistry, toolIndex } from "#server/library/host.ts";
import { Terminal } from "#server/library/terminal.ts";
import { CommandLine, type Said } from "../fixtures/command-line.ts";
import { PersonTerminal } from "../fixtures/person-terminal.ts";
import { Server } from "../server.ts";

// Each call of the command is a process of its own, and takes seconds on a machine that is busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

type Access = "observe" | "sealed";
const levels = ["observe", "sealed"] as const;
const secret = "XYZZY-4711";
const name = "kept-from-agents";

/** `redacted`: an answer without the session's name and words. */
type Answer = "ok" | "redacted" | "READ_ONLY" | "SEALED" | "FORBIDDEN";
interface VerbRow {
  /** ID stands for the session. */
  readonly args: readonly string[];
  readonly observe: Answer;
  readonly sealed: Answer;
}
const look = { observe: "ok", sealed: "SEALED" } as const;
const act = { observe: "READ_ONLY", sealed: "SEALED" } as const;
const person = { observe: "FORBIDDEN", sealed: "FORBIDDEN" } as const;
const list = { observe: "ok", sealed: "redacted" } as const;

/** A reason in words: why the verb can show an agent no session that was there before. */
const verbRows: Record<string, VerbRow | string> = {
  new: "opens another session",
  run: "opens another session",
  ls: { args: ["ls"], ...list },
  attach: "draws on a terminal: tried in one, below",
  tui: "draws on a terminal: tried in one, below",
  kill: { args: ["kill", "ID"], ...act },
  signal: { args: ["signal", "ID", "USR1"], ...act },
  send: { args: ["send", "ID", "x", "Enter"], ...act },
  keys: "a list of names",
  mouse: { args: ["mouse", "ID", "click", "1,1"], ...act },
  resize: { args: ["resize", "ID", "90x20"], ...act },
  screen: { args: ["screen", "ID"], ...look },
  wait: { args: ["wait", "ID", "--quiet", "1ms", "--timeout", "5"], ...look },
  journal: { args: ["journal", "ID"], ...look },
  output: { args: ["output", "ID", "1"], ...look },
  history: { args: ["history", "ID"], ...look },
  explain: { args: ["explain", "ID"], ...look },
  events: "runs for ever: tried below",
  capsule: { args: ["capsule"], ...list },
  lease: { args: ["lease", "ID", "take"], ...person },
  access: { args: ["access", "ID", "collaborate"], ...person },
  token: "files of this machine's state directory",
  audit: "files of this machine's state directory",
  mcp: "its tools have a table of their own (access.test.ts)",
  start: "processes of this machine",
  stop: "processes of this machine",
  open: "files of this machine's state directory",
  host: "processes of this machine",
  doctor: "this machine",
  completion: { args: ["completion", "sessions"], ...list },
};
const exitCode = { ok: 0, redacted: 0, READ_ONLY: 5, SEALED: 5, FORBIDDEN: 4 } as const;

describe("the command line with an agent's token", () => {
  const server = new Server();
  let cotty: CommandLine;
  let env: Record<string, string>;
  let id: string;
  const terminals: PersonTerminal[] = [];

  beforeAll(async () => {
    await server.start();
    cotty = new CommandLine(server);
    env = { COTTY_URL: server.url, COTTY_TOKEN: await server.token("agent") };
    id = await cotty.shell(name);
    await cotty.get("send", id, `clear; echo ${secret}`, "Enter", "--wait", "20");
    await cotty.get("lease", id, "back");
  });
  afterEach(() => {
    for (const terminal of terminals.splice(0)) terminal.dispose();
  });
  afterAll(() => server.stop());

  const asAgent = (args: readonly string[]): Promise<Said> =>
    cotty.runWith(env, ...args.map((word) => (word === "ID" ? id : word)));
  const access = (level: Access | "collaborate") => cotty.get("access", id, level);

  it("[AC1] every verb has a row", async () => {
    const script = await cotty.get("completion", "bash");
    const verbs = /compgen -W "([^"]*)"/.exec(script)?.[1]?.split(" ") ?? [];
    const known = verbs.filter((verb) => !verb.startsWith("-"));
    expect(known).toContain("ls");
    expect(Object.keys(verbRows).sort()).toEqual(known.sort());
  });

  it.each(levels)(
    "[AC1] [AC2] %s: every verb answers as its row says, and tells no secret",
    async (level) => {
      await access(level);
      const before = JSON.parse(await cotty.get("ls", "--json")).sessions;
      for (const [verb, row] of Object.entries(verbRows)) {
        if (typeof row === "string") continue;
        const { code, stdout, stderr } = await asAgent(row.args);
        const wanted = row[level];
        expect(code, `${verb}: ${stderr}`).toBe(exitCode[wanted]);
        if (exitCode[wanted] !== 0) {
          expect(stderr, verb).toContain(`(${wanted})`);
          expect(stdout, verb).toBe("");
        }
        if (level === "observe") continue;
        for (const word of [secret, name]) expect(stdout + stderr, verb).not.toContain(word);
      }
      const after = JSON.parse(await cotty.get("ls", "--json")).sessions;
      expect(after.map(stable)).toEqual(before.map(stable));
      if (level === "observe")
        for (const verb of ["screen", "history", "output"])
          expect((await asAgent([verb, "ID"])).stdout).toContain(secret);
    },
  );

  it("[AC2] sealed: attach and tui draw nothing of it on an agent's terminal", async () => {
    await access("sealed");
    const me = await PersonTerminal.open({ ...cotty.env, ...env });
    terminals.push(me);
    for (const verb of ["attach", "attach --write", "tui"]) {
      me.type(`clear; cotty ${verb} ${id}; echo left-$?\r`);
      await me.until((screen) => /^left-\d/m.test(screen));
      expect(me.screen, verb).toMatch(/^left-[45]$/m);
    }
    expect(me.received).not.toContain(secret);
    expect(me.received).not.toContain(name);
  });

  it("[AC1] observe: attach --write types nothing from an agent's terminal", async () => {
    await access("observe");
    const me = await PersonTerminal.open({ ...cotty.env, ...env });
    terminals.push(me);
    me.type(`cotty attach --write ${id}; echo left-$?\r`);
    await me.until((screen) => screen.includes(secret));
    const bells = me.received.split("\x07").length;
    me.type("never\r");
    // The bell is the refusal's.
    await vi.waitFor(() => expect(me.received.split("\x07").length).toBeGreaterThan(bells), 20_000);
    me.type("\x1d");
    await me.until((screen) => screen.includes("left-0"));
    expect(await cotty.get("screen", id)).not.toContain("never");
  });

  it("[AC2] sealed: events tell an agent nothing of it but that it is sealed", async () => {
    await access("sealed");
    const said = cotty.sh(
      `cotty events --json > events & while ! grep -q '"name":"marker"' events; do sleep 0.05; done; kill $!; cat events`,
      env,
    );
    // Until the stream is open, a marker may come too early for it.
    let isOver = false;
    void said.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await cotty.get("send", id, `printf '\\033]2;${secret}\\007'`, "Enter");
      await cotty.get("kill", await cotty.get("new", "--name", "marker", "--", "true"));
    }
    const { stdout } = await said;
    expect(stdout).toContain("marker");
    expect(stdout).not.toContain(secret);
    expect(stdout).not.toContain(name);
  });
});

/** What an agent's act would have changed. */
function stable(one: Record<string, unknown>) {
  const { id, name, cols, rows, exited, access, lease } = one;
  return { id, name, cols, rows, exited, access, holder: (lease as { holder: string }).holder };
}

/** "person": in the person's name, whatever an agent may do. */
interface MethodRow {
  readonly call: (session: Terminal) => unknown;
  readonly observe: "ok" | "READ_ONLY";
}
const methodRows: Record<string, MethodRow | "person"> = {
  info: "person",
  write: { call: (session) => session.write("never"), observe: "READ_ONLY" },
  wait: {
    call: (session) => session.wait({ for: [{ quiet_ms: 1 }], timeout_ms: 1_000 }),
    observe: "ok",
  },
  act: {
    call: (session) => session.act({ input: [{ text: "never" }], wait: { timeout_ms: 0 } }),
    observe: "READ_ONLY",
  },
  snapshot: { call: (session) => session.snapshot(), observe: "ok" },
  output: { call: (session) => session.output("start"), observe: "ok" },
  tail: { call: (session) => session.tail(5), observe: "ok" },
  resize: { call: (session) => session.resize({ cols: 90, rows: 20 }), observe: "READ_ONLY" },
  signal: { call: (session) => session.signal("USR1"), observe: "READ_ONLY" },
  takeOver: "person",
  handBack: "person",
  lease: "person",
  setAgentAccess: "person",
  close: "person",
};

describe("the library", () => {
  let sessions: TerminalRegistry;
  let session: Terminal;

  beforeAll(async () => {
    sessions = await TerminalRegistry.start({ maxSessions: 2, agentName: "robot" });
    session = await sessions.open({ name, command: ["/bin/sh", "-c", `echo ${secret}; exec cat`] });
    await session.wait({ for: [{ text: secret }], timeout_ms: 30_000, since: "start" });
  });
  afterAll(() => sessions?.close());

  async function codeOf(call: () => unknown): Promise<string> {
    try {
      await call();
      return "ok";
    } catch (error) {
      if (error instanceof TermError) return error.code;
      throw error;
    }
  }

  it("[AC1] every method of a terminal has a row", () => {
    const methods = Object.getOwnPropertyNames(Terminal.prototype).filter(
      (own) => own !== "constructor",
    );
    expect(Object.keys(methodRows).sort()).toEqual(methods.sort());
  });

  it.each(levels)(
    "[AC1] [AC2] %s: what is done in an agent's name is answered as its row says",
    async (level) => {
      session.setAgentAccess(level);
      for (const [method, row] of Object.entries(methodRows)) {
        if (row === "person") continue;
        const wanted = level === "sealed" ? "SEALED" : row.observe;
        expect(await codeOf(() => row.call(session)), method).toBe(wanted);
      }
      const { cols, rows } = session.info();
      expect({ cols, rows }).toEqual({ cols: 80, rows: 24 });
      expect((await session.snapshot("human")).lines.filter(Boolean)).toEqual([secret]);
      const { text } = sessions.capsule();
      expect(text.includes(name)).toBe(level === "observe");
      const tools = toolIndex(createTerminalTools(sessions));
      const seen = await tools.get("terminal_snapshot")?.execute({ id: session.id });
      expect(seen?.problem?.code).toBe(level === "sealed" ? "SEALED" : undefined);
      expect(JSON.stringify(seen).includes(secret)).toBe(level === "observe");
    },
  );

  it("[AC1] a person's name goes around no table: what agents may do is the person's to set", async () => {
    session.setAgentAccess("sealed");
    await session.write("by hand", { origin: "human" });
    expect(session.info().access).toBe("sealed");
    session.setAgentAccess("collaborate");
    expect(session.info().access).toBe("collaborate");
  });
});
