// The code examples of the reference with our names, run as they stand: the host in this process, a registry, an agent and a person in it.
import { existsSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "#lib/base/clock.ts";
import { connect } from "#server/library/client.ts";
import {
  createTerminalTools,
  TermError,
  TerminalRegistry,
  toolIndex,
} from "#server/library/host.ts";
import { createToken } from "#server/state/credential-store.ts";
import { startWeb } from "#server/web/start.ts";
import { until } from "./caller.ts";

let sessions: TerminalRegistry;

beforeAll(async () => {
  sessions = await TerminalRegistry.start({ maxSessions: 4, agentName: "robot" });
});
afterEach(async () => {
  for (const { id } of sessions.list()) await sessions.get(id).close();
});
afterAll(() => sessions?.close());

const sh = { command: ["/bin/sh"] };

async function code(act: () => unknown): Promise<string> {
  try {
    await act();
  } catch (error) {
    if (error instanceof TermError) return error.code;
    throw error;
  }
  return "nothing was refused";
}

describe("cotty/host", () => {
  it("open, write, wait for a text, look, close", async () => {
    const session = await sessions.open({ name: "build", cols: 100, rows: 30, ...sh });
    await session.write("sleep 0.2; echo ready in 5 ms");
    const result = await session.wait({ for: [{ text: "ready in" }], timeout_ms: 60_000 });
    expect([result.outcome, result.evidence.phase]).toEqual(["matched", expect.any(String)]);
    const view = await session.snapshot();
    expect(view.lines.join("\n")).toContain("ready in 5 ms");
    expect([view.cols, view.rows]).toEqual([100, 30]);
    await session.close();
    expect(sessions.list()).toEqual([]);
  });

  it("[LS3] a person takes over: the agent's writing is refused and its waiting ends; handed back, it goes on", async () => {
    const session = await sessions.open(sh);
    const waiting = session.wait({ for: [{ text: "never" }], timeout_ms: 30_000 });
    // Read after the wait began: it is under way.
    await session.snapshot();
    session.takeOver();
    expect((await waiting).outcome).toBe("human_took_over");
    expect(await code(() => session.write("ls"))).toBe("LEASE_DENIED");
    await session.write("echo by hand", { origin: "human" });
    await until("the echo", async () => (await session.snapshot()).lines.includes("by hand"));
    session.handBack();
    await session.write("echo by robot");
    expect(
      (await session.wait({ for: [{ text: "by robot" }], timeout_ms: 10_000, since: "start" }))
        .outcome,
    ).toBe("matched");
  });

  it("[CR2] [CR3] a password is a person's: the wait says so, the agent is refused, the person answers", async () => {
    const script =
      'printf "Password: "; stty -echo; read -r p; stty echo; echo; echo "got $(printf %s "$p" | wc -c)"; exec cat';
    const session = await sessions.open({ command: ["/bin/sh", "-c", script] });
    const asked = await session.wait({ timeout_ms: 30_000 });
    expect(asked.outcome).toBe("human_required");
    expect(await code(() => session.write("guess"))).toBe("HUMAN_REQUIRED");
    await session.write("s3cret", { origin: "human" });
    await until("the answer", async () =>
      (await session.snapshot("human")).lines.includes("got 6"),
    );
  });

  it("[SX1] secrets at launch: the program has them, and neither screen nor list nor capsule does", async () => {
    let asked = 0;
    const fromVault = async () => {
      asked += 1;
      return "ghp_value";
    };
    const nothing = () => "";
    const shut = () => Promise.reject(new Error("vault is shut"));
    const session = await sessions.open({
      command: ["/bin/sh", "-c", 'printf "length "; printf %s "$GITHUB_TOKEN" | wc -c; exec cat'],
      secrets: { GITHUB_TOKEN: fromVault },
    });
    await session.wait({ for: [{ text: "length 9" }], since: "start", timeout_ms: 10_000 });
    expect(asked).toBe(1);
    const seen = JSON.stringify([await session.snapshot(), sessions.list(), sessions.capsule()]);
    expect(seen).toContain("length 9");
    expect(seen).not.toContain("ghp_value");
    expect(await code(() => sessions.open({ secrets: { A: nothing } }))).toBe("BAD_REQUEST");
    const broken = sessions.open({
      secrets: { A: shut },
    });
    await expect(broken).rejects.toThrow("vault is shut");
    expect(sessions.list()).toHaveLength(1);
  });

  it("[AC1] [AC2] observe: the agent looks and may not type; sealed: neither, its wait ends, and the list tells an id", async () => {
    const session = await sessions.open({ name: "mine", ...sh });
    session.setAgentAccess("observe");
    expect((await session.snapshot()).cols).toBe(80);
    expect(await code(() => session.write("ls"))).toBe("READ_ONLY");
    const waiting = session.wait({ for: [{ text: "never" }], timeout_ms: 30_000 });
    session.setAgentAccess("sealed");
    expect((await waiting).outcome).toBe("sealed");
    expect(await code(() => session.write("ls"))).toBe("SEALED");
    expect(await code(() => session.snapshot())).toBe("SEALED");
    expect(JSON.stringify(sessions.capsule())).not.toContain("mine");
    await session.write("echo mine still", { origin: "human" });
    await until("the echo", async () =>
      (await session.snapshot("human")).lines.includes("mine still"),
    );
  });

  it("[CP1] the capsule's version changes when its text does, and only then", async () => {
    const session = await sessions.open({ name: "one", command: ["/bin/cat"] });
    await until("it waits", () => session.info().phase === "waiting_input");
    const before = sessions.capsule();
    expect(before.text).toContain("one");
    expect(sessions.capsule().version).toBe(before.version);
    await sessions.open({ name: "two", command: ["/bin/cat"] });
    expect(sessions.capsule().version).not.toBe(before.version);
  });

  it("[LM] there are as many sessions as were asked for, and no more", async () => {
    for (let n = 0; n < 4; n += 1) await sessions.open({ command: ["/bin/cat"] });
    expect(await code(() => sessions.open({ command: ["/bin/cat"] }))).toBe("TOO_MANY_SESSIONS");
  });

  it("closing the registry ends everything and takes its directory away", async () => {
    const own = await TerminalRegistry.start();
    const session = await own.open({ command: ["/bin/cat"] });
    const { pid } = session.info();
    expect(existsSync(own.stateDir)).toBe(true);
    await own.close();
    await own.close();
    expect(existsSync(own.stateDir)).toBe(false);
    expect(() => process.kill(pid, 0)).toThrow();
  });
});

describe("tools for a model runtime", () => {
  it("[MC1] name, description, schema and execute of every tool; a call does what the tool does", async () => {
    const tools = toolIndex(createTerminalTools(sessions));
    expect([...tools.keys()]).toContain("terminal_open");
    for (const tool of tools.values()) {
      expect(tool.inputSchema).toMatchObject({ type: "object" });
      expect(tool.description.length).toBeGreaterThan(20);
    }
    const opened = await tools
      .get("terminal_open")
      ?.execute({ command: ["/bin/sh"], name: "by tool" });
    const id = String(opened?.structured?.id);
    const sent = await tools
      .get("terminal_send")
      ?.execute({ id, input: [{ text: "echo from a tool" }, { key: "Enter" }] });
    expect(sent?.isError).toBe(false);
    await sessions
      .get(id)
      .wait({ for: [{ text: "from a tool" }], since: "start", timeout_ms: 10_000 });
    const seen = await tools.get("terminal_snapshot")?.execute({ id });
    expect(seen?.text).toContain("from a tool");
    expect(sessions.get(id).info().agent?.name).toBe("robot");
  });

  it("[MC1] what is refused is a result with its hint, not an exception", async () => {
    const tools = toolIndex(createTerminalTools(sessions));
    const session = await sessions.open(sh);
    session.takeOver();
    const refused = await tools
      .get("terminal_send")
      ?.execute({ id: session.id, input: [{ text: "x" }] });
    expect(refused).toMatchObject({ isError: true, problem: { code: "LEASE_DENIED" } });
    const wrong = await tools.get("terminal_send")?.execute({ id: session.id, keys: 5 });
    expect(wrong?.problem?.code).toBe("BAD_REQUEST");
  });
});

describe("cotty", () => {
  it("the typed client calls, attaches and hears events; web and CLI reach the host of a library too", async () => {
    const web = await startWeb({
      state: { ...(await import("#server/state/state-dir.ts")).stateDirAt(sessions.stateDir) },
      siteFolder: null,
      tcpPort: 0,
    });
    try {
      const store = { folder: `${sessions.stateDir}/credentials`, clock: systemClock };
      const { token } = createToken(store, { role: "owner", name: "test" });
      const cotty = connect({ url: web.url, token });
      const heard: string[] = [];
      const events = cotty.events();
      events.onEvent(({ type }) => heard.push(type));
      events.start();
      await until("the stream", () => events.state.kind === "open");
      const session = await cotty.api.createSession({
        body: { command: ["/bin/sh", "-c", "echo hello; exec cat"] },
      });
      let printed = "";
      const take = (bytes: Uint8Array) => {
        printed += Buffer.from(bytes).toString();
      };
      const viewer = cotty.attach(session.id, {
        showScreen: () => {},
        showSnapshot: (_size, history, screen, drawn) => {
          for (const piece of [...history, screen]) take(piece);
          drawn();
        },
        write: (bytes, drawn) => {
          take(bytes);
          drawn();
        },
        resize: () => {},
      });
      viewer.start();
      await until("the output", () => printed.includes("hello"));
      await until("the event", () => heard.includes("session_created"));
      await expect(cotty.api.getSession({ params: { id: "a".repeat(26) } })).rejects.toMatchObject({
        code: "SESSION_NOT_FOUND",
      });
      viewer.dispose();
      events.dispose();
    } finally {
      await web.close();
    }
  });
});
