import { describe, expect, it } from "vitest";
import type { Actor } from "#lib/protocol/actor.ts";
import type { AuditAct } from "#lib/protocol/audit.ts";
import { TermError } from "#lib/protocol/errors.ts";
import { limits } from "#lib/protocol/limits.ts";
import { MemorySink } from "#server/testing/memory-sink.ts";
import { agent, sessionRig } from "#server/testing/session-rig.ts";

const other: Actor = { ...agent, id: "bot2", name: "Bot 2" };

function tracedRig() {
  const acts: AuditAct[] = [];
  const rig = sessionRig({ parts: { audit: { record: (act) => void acts.push(act) } } });
  /** As one line each: who, what, how it ended. */
  const told = () =>
    acts.map(({ act, actor, outcome, what }) =>
      [actor?.name ?? "-", act, ...(what ? [what] : []), outcome].join(" "),
    );
  return { ...rig, acts, told };
}

async function codeOf(run: () => unknown): Promise<string> {
  try {
    await run();
    return "done";
  } catch (error) {
    return error instanceof TermError ? error.code : String(error);
  }
}

describe("the record of acts", () => {
  it("[AU1] what an agent types is one entry with its bytes, its text, its note and its request", async () => {
    const rig = tracedRig();
    const { id, port } = await rig.create();
    await port(agent).write([{ text: "ls" }, { key: "Enter" }, { key: "Up" }], {
      note: "see what\nis there",
      request: "r7",
    });
    expect(rig.acts).toEqual([
      {
        act: "write",
        actor: { kind: "agent", id: "bot", name: "Bot" },
        session: id,
        outcome: "done",
        bytes: 6,
        summary: "ls␍␛[A",
        note: "see what is there",
        request: "r7",
      },
    ]);
  });

  it("[AU1] [LS1] a refused write is an entry with its code, also when it was lost in the queue", async () => {
    const rig = tracedRig();
    const { port, view, pty } = await rig.create();
    const { attachment } = view();
    pty.stick();
    // Fills the terminal, so that what is typed next waits.
    const cut = codeOf(() => port(agent).write([{ text: "x\r".repeat(50_000) }], { gapMs: 0 }));
    const waiting = codeOf(() => port(agent).write([{ text: "lost" }]));
    attachment.typed(Buffer.from("p"));
    pty.stick(false);
    await rig.settle();
    expect([
      await cut,
      await waiting,
      await codeOf(() => port(agent).write([{ text: "no" }])),
    ]).toEqual(["LEASE_LOST", "LEASE_LOST", "DRAFT_PENDING"]);
    const refused = rig.acts.filter(({ outcome }) => outcome !== "done");
    // Of the one that had begun, what was not typed of it.
    expect(refused.map(({ outcome, bytes, summary }) => [outcome, bytes, summary])).toEqual([
      ["LEASE_LOST", 4, "lost"],
      ["LEASE_LOST", 100_000 - 4_096, expect.stringMatching(/^x␍x␍/)],
      ["DRAFT_PENDING", undefined, undefined],
    ]);
  });

  it("[AU1] what people type is counted by the second, and its text is kept nowhere", async () => {
    const rig = tracedRig();
    const { port, view } = await rig.create();
    const { attachment } = view();
    for (const key of "hunter2\r") {
      attachment.typed(Buffer.from(key));
      rig.clock.advance(20);
    }
    rig.clock.advance(limits.typingEntryMs);
    const typed = rig.acts.filter(({ act }) => act === "write");
    expect(typed).toHaveLength(1);
    expect(typed[0]).toMatchObject({ actor: { name: "Ada" }, bytes: 8, redacted: true });
    expect(typed[0]?.summary).toBeUndefined();
    const { writes } = port().listWrites({});
    expect(writes).toMatchObject([{ actor: { name: "Ada" }, bytes: 8, text: null }]);
    expect(JSON.stringify([rig.acts, writes])).not.toMatch(/hunter|unter2/);
  });

  it("[AU1] [CR3] at a password prompt not even the number of bytes is kept, nor what an agent tried", async () => {
    const rig = tracedRig();
    const { port, view } = await rig.create();
    const { attachment } = view();
    port().keyboard("treat_as_secret");
    attachment.typed(Buffer.from("hunter2\r"));
    await codeOf(() => port(agent).write([{ text: "hunter3" }]));
    rig.clock.advance(limits.typingEntryMs);
    const entries = rig.acts.filter(({ act }) => act === "write");
    expect(entries.map(({ outcome, redacted, bytes }) => [outcome, redacted, bytes])).toEqual(
      expect.arrayContaining([["done", true, undefined]]),
    );
    expect(port().listWrites({}).writes).toMatchObject([{ bytes: null, text: null }]);
    expect(JSON.stringify([rig.acts, port().listWrites({})])).not.toContain("hunter");
  });

  it("[AU1] [AT5] keys of a viewer that may only look are counted, not kept", async () => {
    const rig = tracedRig();
    const { view } = await rig.create();
    const { attachment } = view(undefined, { readonly: true });
    for (const key of "let me") attachment.typed(Buffer.from(key));
    rig.clock.advance(limits.typingEntryMs);
    const refused = rig.acts.filter(({ act }) => act === "write");
    expect(refused).toMatchObject([{ outcome: "READ_ONLY", bytes: 6, redacted: true }]);
    expect(rig.acts[0]).toMatchObject({ act: "attach", what: "to look" });
  });

  it("[AU1] every other act is one entry, refused ones too", async () => {
    const rig = tracedRig();
    const { id, port, view } = await rig.create();
    port(agent).resize({ cols: 100, rows: 30 });
    port(agent).signal("USR1");
    port(agent).change({ name: "mine", tags: ["a"] });
    port(agent).requestHuman("look at this");
    port().keyboard("take_over");
    port().setAccess("observe");
    const isRefused = async (run: () => unknown) => expect(await codeOf(run)).not.toBe("done");
    await isRefused(() => port(agent).resize({ cols: 90, rows: 30 }));
    await isRefused(() => port(agent).signal("INT"));
    await isRefused(() => port(agent).mouse({ type: "click", x: 0, y: 0 }));
    await isRefused(() => port(agent).close("HUP"));
    await isRefused(() => port(agent).setAccess("collaborate"));
    await isRefused(() => port(agent).keyboard("take_over"));
    view(agent);
    port().setAccess("sealed");
    await isRefused(() => rig.registry.port(agent, id, { act: "write", request: "r" }));
    await isRefused(() => rig.registry.port(agent, id));
    await port().close("KILL");
    expect(rig.told()).toEqual([
      "Bot resize 100x30 done",
      "Bot signal USR1 done",
      "Bot change name mine, tags done",
      "Bot request_human look at this done",
      "Ada lease take_over done",
      "Ada access observe done",
      "Bot resize 90x30 READ_ONLY",
      "Bot signal INT READ_ONLY",
      "Bot mouse READ_ONLY",
      "Bot close HUP READ_ONLY",
      "Bot access collaborate FORBIDDEN",
      "Bot lease take_over FORBIDDEN",
      "Bot attach to type done",
      "Ada access sealed done",
      "Bot write SEALED",
      "Bot look SEALED",
      "Ada close KILL done",
    ]);
  });

  it("[AU1] [LS4] the keyboard that changes hands by typing and by silence is told", async () => {
    const rig = tracedRig();
    const { view } = await rig.create();
    const { attachment } = view();
    attachment.typed(Buffer.from("\r"));
    rig.clock.advance(limits.leaseIdleMs.default + 1);
    await rig.settle();
    expect(rig.told()).toEqual([
      "Ada attach to type done",
      "Ada lease taken by typing done",
      "Ada write done",
      "- lease back to the agents done",
    ]);
  });

  it("[AU1] looks that are refused again and again are told once and then counted", async () => {
    const rig = tracedRig();
    const { id, port } = await rig.create();
    port().setAccess("sealed");
    for (let n = 0; n < 500; n++) await codeOf(() => rig.registry.port(agent, id));
    rig.clock.advance(limits.auditRepeatMs);
    const looks = rig.acts.filter(({ act }) => act === "look");
    expect(looks.map(({ outcome, times }) => [outcome, times])).toEqual([
      ["SEALED", undefined],
      ["SEALED", 499],
    ]);
  });
});

describe("a viewer that would lead the size", () => {
  it("[AU1] [AC1] is recorded with what became of it: only a person's is taken", async () => {
    const rig = tracedRig();
    const { port, view } = await rig.create();
    const size = { cols: 101, rows: 33 };
    const take = (actor: Actor | undefined, options: { readonly?: boolean } = {}) => {
      const sink = new MemorySink();
      const attachment = port(actor).attach(sink, { readonly: false, ...options });
      const from = rig.acts.length;
      attachment.useMySize(size);
      attachment.dispose();
      const codes = sink.messages("error").map(({ code }) => code);
      const resizes = rig.acts.slice(from).filter(({ act }) => act === "resize");
      return [...codes, ...resizes.map(({ what, outcome }) => `${what} ${outcome}`)];
    };
    const said = (code: string) => [code, `101x33 of this viewer ${code}`];
    expect(take(agent)).toEqual(said("FORBIDDEN"));
    expect(take(undefined, { readonly: true })).toEqual(said("READ_ONLY"));
    const { attachment } = view();
    attachment.keyboard("hold");
    expect(take(agent)).toEqual(said("LEASE_DENIED"));
    attachment.keyboard("hand_back");
    port().setAccess("observe");
    expect(take(agent)).toEqual(said("READ_ONLY"));
    expect(port().info()).toMatchObject({ cols: 80, rows: 24 });
    expect(take(undefined)).toEqual(["101x33 of this viewer done"]);
    expect(port().info()).toMatchObject({ cols: 101, rows: 33 });
  });
});

describe("who typed what", () => {
  it("[AU2] keeps each write of an agent with the place of the cursor, in a bounded ring", async () => {
    const rig = tracedRig();
    const { port, pty } = await rig.create();
    pty.print("one\r\ntwo\r\n> ");
    await rig.settle();
    for (let n = 0; n < limits.writes.kept + 20; n++) {
      await port(agent).write([{ text: `${n}\x03` }], { request: `r${n}` });
    }
    const { writes, oldest_n, next_n } = port().listWrites({});
    expect([oldest_n, next_n, writes.length]).toEqual([20, 520, limits.writes.listed]);
    expect(writes.at(-1)).toMatchObject({ n: 519, text: "519␃", cursor: "2:2", request: "r519" });
    expect(
      port()
        .listWrites({ from: 0, limit: 2 })
        .writes.map(({ n }) => n),
    ).toEqual([20, 21]);
    expect(await codeOf(() => port(agent).listWrites({}))).toBe("FORBIDDEN");
  });

  it("keeps no more text than its bound, whatever agents type", async () => {
    const rig = tracedRig();
    const { port } = await rig.create();
    for (let n = 0; n < 200; n++) {
      await port(agent).write([{ text: "y".repeat(50_000) }]);
    }
    const { writes, oldest_n: oldest } = port().listWrites({ from: 0, limit: limits.writes.kept });
    const chars = writes.reduce((sum, { text }) => sum + (text?.length ?? 0), 0);
    expect(oldest).toBeGreaterThan(0);
    expect(chars).toBeLessThanOrEqual(limits.writes.chars);
  });

  it("[AU2] tells viewers whose line it is, without the text, and an agent's note with it", async () => {
    const rig = tracedRig();
    const { port, view, dump } = await rig.create();
    const sink = dump();
    const { attachment } = view();
    await port(agent).write([{ text: "secret-thing\r" }], { note: "build\u202e it" });
    await rig.settle(200);
    attachment.typed(Buffer.from("k"));
    await rig.settle(200);
    // The top row, counted from the lowest of 24.
    const line = { nth: 0, row: -23 };
    expect(sink.messages("written")).toEqual([
      { type: "written", kind: "agent", id: "bot", name: "Bot", at: "0:0", line, note: "build it" },
      { type: "written", kind: "human", id: "ada", name: "Ada", at: "0:0", line },
    ]);
    expect(JSON.stringify(sink.messages("agent"))).not.toContain("secret-thing");
  });
});

describe("whose line it is, while somebody types on", () => {
  it("is told once a second, and at once when another one writes on it or a note comes", async () => {
    const rig = tracedRig();
    const { port, view, dump } = await rig.create();
    const sink = dump();
    const { attachment } = view();
    const told = () => sink.messages("written").map(({ name, note }) => note ?? name);
    for (let n = 0; n < 9; n++) {
      attachment.typed(Buffer.from("k"));
      await rig.settle(100);
    }
    expect(told()).toEqual(["Ada"]);
    await rig.settle(200);
    attachment.typed(Buffer.from("k"));
    await rig.settle(100);
    expect(told()).toEqual(["Ada", "Ada"]);

    port().keyboard("hand_back");
    await port(agent).write([{ text: "x" }], { ifDraft: "keep" });
    await rig.settle(100);
    attachment.typed(Buffer.from("k"));
    await rig.settle(100);
    expect(told()).toEqual(["Ada", "Ada", "Bot", "Ada"]);
  });
});

describe("whose lines are which, for a viewer that comes later", () => {
  it("[AU2] [SN3] a snapshot and a resume name the lines that are still there, each as its last writer's, also after a change of width", async () => {
    const rig = tracedRig();
    const { port, view, pty } = await rig.create({ cols: 40, rows: 10 });
    const { attachment } = view();
    const prints = async (text: string) => {
      pty.print(text);
      await rig.settle();
    };
    await port(agent).write([{ text: "one\r" }], { note: "first" });
    await prints(`$ one\r\n${"a line that wraps where it is narrow\r\n".repeat(30)}$ `);
    attachment.typed(Buffer.from("two"));
    await prints("two\r\n");
    // Nobody's line any more, but the agent's.
    attachment.typed(Buffer.from("k"));
    attachment.keyboard("hand_back");
    await port(agent).write([{ text: "three" }], { ifDraft: "keep" });
    await rig.settle();
    const named = (since?: number) => {
      const sink = new MemorySink();
      port().attach(sink, { readonly: true, ...(since === undefined ? {} : { since }) });
      return rig.settle().then(() => sink);
    };
    // The snapshot is the first viewer's, from before it all; the lines are of now.
    const [first] = (await named()).messages("snapshot");
    expect(first).toMatchObject({ at: 0, lowest: { nth: 0, row: 0 } });
    expect(first?.written).toEqual([
      { nth: 0, row: -9, kind: "agent", id: "bot", name: "Bot", note: "first" },
      { nth: 0, row: 22, kind: "human", id: "ada", name: "Ada" },
      { nth: 0, row: 23, kind: "agent", id: "bot", name: "Bot" },
    ]);
    await port().resize({ cols: 20, rows: 10 });
    await rig.settle();
    const [narrow] = (await named()).messages("snapshot");
    expect(narrow?.lowest).toEqual({ nth: 1, row: 0 });
    expect(narrow?.written?.map(({ nth, row }) => [nth, row])).toEqual([
      [1, -62],
      [1, -1],
      [1, 0],
    ]);
    const resumed = await named(0);
    expect(resumed.messages("resume")[0]?.written).toEqual(narrow?.written);
    expect(resumed.messages("resized")).toMatchObject([{ nth: 1, size: { cols: 20 } }]);
  });

  it("[AU2] what was cleared away is nobody's", async () => {
    const rig = tracedRig();
    const { port, pty, dump } = await rig.create();
    await port(agent).write([{ text: "clear\r" }]);
    pty.print("$ clear\r\n\x1b[H\x1b[2J\x1b[3J$ ");
    await rig.settle();
    const sink = dump();
    await rig.settle();
    expect(sink.messages("resume")).toEqual([{ type: "resume", at: 0 }]);
  });
});

describe("what an agent was shown", () => {
  it("[AU3] is the exact text of its last read, with its request", async () => {
    const rig = tracedRig();
    const { id, port, pty } = await rig.create();
    pty.print("hello\r\n");
    await rig.settle();
    expect(port().agentView()).toBeNull();
    await port().readScreen({});
    expect(port().agentView()).toBeNull();
    const asked = rig.registry.port(agent, id, { request: "r9" });
    const reply = await asked.readScreen({ view: "compact" });
    expect(port().agentView()).toMatchObject({
      agent: { id: "bot", name: "Bot" },
      request: "r9",
      from: "screen",
      text: "text" in reply ? reply.text : "",
      truncated: false,
    });
    await port(other).readOutput({});
    expect(port().agentView()).toMatchObject({ from: "output", text: "hello\n", request: null });
    pty.print("z".repeat(limits.agentViewChars * 2));
    await rig.settle();
    await port(other).readOutput({ max_bytes: limits.outputBytes.max });
    expect(port().agentView()).toMatchObject({ truncated: true });
    expect(port().agentView()?.text).toHaveLength(limits.agentViewChars);
    expect(await codeOf(() => port(agent).agentView())).toBe("FORBIDDEN");
  });
});

describe("the hand-over", () => {
  it("[AU4] [LS6] an agent's first read after a person had the keyboard tells it what happened, once", async () => {
    const rig = tracedRig();
    const { port, view, pty } = await rig.create();
    const { attachment } = view();
    await port(agent).readScreen({});
    attachment.typed(Buffer.from("make\r"));
    pty.print("one\r\ntwo\r\n");
    await rig.settle();
    expect(await port(agent).readScreen({})).not.toHaveProperty("handover");
    port().keyboard("hand_back");
    const first = await port(agent).readScreen({ view: "compact" });
    expect(first).toMatchObject({
      handover: {
        by: ["Ada"],
        commands: null,
        cwd_from: "/home/ada",
        cwd_to: "/home/ada",
        lines_of_output: 2,
        open_program: null,
      },
    });
    expect(await port(agent).readOutput({})).not.toHaveProperty("handover");
    // Each agent by itself; people are told nothing.
    expect(await port(other).readOutput({})).toHaveProperty("handover");
    expect(await port().readScreen({})).not.toHaveProperty("handover");
  });

  it("[AU4] [JR2] with marks it names the commands, their ends and where they led, the newest ten", async () => {
    const rig = tracedRig();
    const { port, view, pty } = await rig.create();
    const { attachment } = view();
    const prompt = "\x1b]133;A\x07$ \x1b]133;B\x07";
    const run = async (line: string, code: number | null) => {
      attachment.typed(Buffer.from(`${line}\r`));
      pty.print(`${line}\r\n\x1b]133;C\x07out\r\n`);
      if (code !== null) pty.print(`\x1b]133;D;${code}\x07${prompt}`);
      await rig.settle();
    };
    pty.print(`\x1b]133;D\x07${prompt}`);
    await rig.settle();
    for (let n = 0; n < 12; n++) await run(`step ${n}`, n % 2);
    await run("sleep 99", null);
    port().keyboard("hand_back");
    const verdict = await port(agent).wait({ for: [{ keyboard: true }], timeout_ms: 0 });
    expect(verdict.handover?.commands).toHaveLength(10);
    expect(verdict.handover?.commands?.slice(-2)).toEqual([
      { command: "step 11", exit_code: 1 },
      { command: "sleep 99", exit_code: null },
    ]);
  });
});
