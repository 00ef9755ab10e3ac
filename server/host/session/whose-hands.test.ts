// The keyboard in a whole session with a played program and a clock that is set by hand: what each door answers, what reaches the program,
// and what viewers are told.
import { afterEach, describe, expect, it } from "vitest";
import type { Actor } from "#lib/protocol/actor.ts";
import { limits } from "#lib/protocol/limits.ts";
import { MemorySink } from "#server/testing/memory-sink.ts";
import { agent, person, sessionRig } from "#server/testing/session-rig.ts";

const bob: Actor = { kind: "human", id: "bob", name: "Bob", role: "owner" };
const owned: { dispose(): void }[] = [];
afterEach(() => {
  for (const item of owned.splice(0)) item.dispose();
});
const keys = (text: string) => Buffer.from(text);
/** More than a program that does not read leaves room for, in lines of two bytes; and what it does take. */
const much = "x\r".repeat(2_500);
const begun = much.slice(0, 4_096);
const cutAt = (bytes: number) => ({ members: { delivered: { items: 0, bytes } } });

async function rig(options: Parameters<typeof sessionRig>[0] = {}) {
  const sessions = sessionRig(options);
  owned.push(sessions.registry);
  const session = await sessions.create();
  const look = (actor: Actor = person, options = {}) => {
    const sink = new MemorySink();
    const attachment = session.port(actor).attach(sink, { readonly: false, ...options });
    const errors = () => sink.messages("error").map(({ code }) => code);
    const last = <T extends Parameters<typeof sink.messages>[0]>(type: T) =>
      sink.messages(type).at(-1);
    return { sink, attachment, errors, last, type: (text: string) => attachment.typed(keys(text)) };
  };
  const text = (value: string) => session.port(agent).write([{ text: value }]);
  const raw = (value: string) => session.port(agent).write([{ raw: value }]);
  return { ...sessions, ...session, look, text, raw };
}

describe("the keyboard", () => {
  it("[LS4] [LS5] a keystroke stops the agent at once, with when to come back, and silence lets it go on", async () => {
    const { look, text, clock, pty, settle } = await rig();
    const ada = look();
    await text("a");
    ada.type("\r");
    await expect(text("b")).rejects.toMatchObject({
      code: "LEASE_DENIED",
      extra: { retryAfterMs: 4_000, members: { holder: "human", epoch: 1 } },
    });
    clock.advance(1_000);
    await expect(text("b")).rejects.toMatchObject({ extra: { retryAfterMs: 3_000 } });
    await settle();
    expect(ada.last("lease")).toMatchObject({
      lease: { holder: "human", cause: "typing", actor: "Ada" },
    });
    clock.advance(3_000);
    await text("c");
    expect(pty.takenText).toBe("a\rc");
    await settle();
    expect(ada.last("lease")).toMatchObject({ lease: { holder: "agent", epoch: 2 } });
  });

  it("[LS9] who asks for the keyboard is told to everybody who looks, and takes nothing", async () => {
    const { look, settle } = await rig();
    const ada = look();
    ada.type("x");
    const other = look(bob);
    other.attachment.keyboard("ask");
    await settle();
    expect(ada.last("asked")).toEqual({ type: "asked", id: "bob", name: "Bob" });
    expect(ada.last("lease")).toMatchObject({ lease: { holder: "human", actor: "Ada" } });
  });

  it("[EV1] a session tells which agent acts in it, and when that has typed no more", async () => {
    const { look, text, clock, port } = await rig();
    const info = () => port().info();
    look();
    expect(info().agent).toBeNull();
    await text("a");
    expect(info().agent).toEqual({ name: agent.name, typing: true });
    clock.advance(limits.agentTypingMs);
    expect(info().agent).toEqual({ name: agent.name, typing: false });
  });

  it("[LS2] looking, sizes, reports and the program's own doing take nothing; the mouse is the holder's", async () => {
    const { look, text, pty, settle } = await rig();
    const ada = look();
    pty.print("\x1b[?1003h\x1b[?1006h\x1b[?1004h\x1b[c");
    await settle();
    ada.attachment.propose({ cols: 90, rows: 30 });
    ada.attachment.useMySize({ cols: 91, rows: 30 });
    ada.attachment.report("\x1b[I");
    ada.attachment.report("\x1b[<35;1;1M");
    await settle();
    await text("x");
    expect(pty.takenText).toMatch(/^\x1b\[\?[\d;]+c\x1b\[Ix$/);
    ada.type("\r");
    ada.attachment.report("\x1b[<35;2;2M");
    expect(pty.takenText).toMatch(/\r\x1b\[<35;2;2M$/);
    // Another person's mouse is not the holder's.
    const other = look(bob);
    other.attachment.report("\x1b[<35;3;3M");
    expect(pty.takenText).not.toContain("35;3;3");
  });

  it("[LS5] as the connection says, or never; a hand-back is at once", async () => {
    const { look, text, clock } = await rig();
    const ada = look(person, { idleMs: 60_000 });
    ada.type("\r");
    clock.advance(59_999);
    await expect(text("a")).rejects.toMatchObject({ code: "LEASE_DENIED" });
    clock.advance(1);
    await text("a");
    const never = look(bob, { idleMs: null });
    never.type("\r");
    clock.advance(3_600_000);
    await expect(text("b")).rejects.toMatchObject({ code: "LEASE_DENIED" });
    never.attachment.keyboard("hand_back");
    await text("b");
  });

  it("[LS5] [LS8] [T65] 2 s after the last socket of the holder is gone; a reload in between keeps it", async () => {
    const { look, text, clock } = await rig();
    const [one, two] = [look(), look()];
    one.attachment.keyboard("take_over");
    one.attachment.dispose();
    clock.advance(10_000);
    await expect(text("a")).rejects.toMatchObject({ code: "LEASE_DENIED" });
    two.attachment.dispose();
    clock.advance(1_500);
    const three = look();
    clock.advance(10_000);
    await expect(text("a")).rejects.toMatchObject({ code: "LEASE_DENIED" });
    three.attachment.dispose();
    clock.advance(limits.leaseGoneMs);
    await text("a");
  });

  it("[LS8] nobody holds the keyboard of a program that has ended", async () => {
    const { look, port, pty, settle } = await rig();
    look().attachment.keyboard("hold");
    expect(port().lease()).toMatchObject({ cause: "hold" });
    pty.exit();
    await settle();
    expect(port().lease()).toMatchObject({ holder: "agent", cause: null, until: null });
    await expect(port(agent).write([{ text: "x" }])).rejects.toMatchObject({
      code: "SESSION_EXITED",
    });
  });

  it("[LS9] between two people the first key is swallowed with a notice, the second takes over, and who was there before is told", async () => {
    const { look, pty, clock, settle, port } = await rig();
    const [ada, other] = [look(), look(bob)];
    ada.type("ls");
    other.type("1");
    expect(other.errors()).toEqual(["HUMAN_BUSY"]);
    expect(other.last("error")?.detail).toContain("Ada");
    expect(pty.takenText).toBe("ls");
    await expect(port({ ...bob, id: "carl" }).write([{ text: "x" }])).rejects.toMatchObject({
      code: "HUMAN_BUSY",
    });
    clock.advance(1_000);
    other.type("2");
    other.type("3");
    await settle();
    // Carl, who knocked in between, takes nothing from that.
    expect(pty.takenText).toBe("ls23");
    expect(ada.last("lease")).toMatchObject({ lease: { actor: "Bob", actor_id: "bob" } });
  });

  it("[LS9] who has it says at once how others take it, for every door that they come by", async () => {
    const { look, pty, port, settle } = await rig();
    const [ada, other] = [look(), look(bob)];
    expect(ada.last("hello")).toMatchObject({ politeness: "polite" });
    ada.type("a");
    other.type("1");
    ada.attachment.prefers("ask");
    other.type("2");
    await expect(port(bob).write([{ text: "3" }])).rejects.toMatchObject({
      code: "HUMAN_BUSY",
      message: expect.stringContaining("Ada is typing and wants to be asked"),
    });
    // The API's own calls of the same person say nothing of it, and change nothing.
    await port().write([{ text: "b" }]);
    port().keyboard("hold");
    other.type("4");
    expect(other.errors()).toEqual(["HUMAN_BUSY", "HUMAN_BUSY", "HUMAN_BUSY"]);
    expect(other.last("error")?.detail).toContain("Ada holds the keyboard");
    await settle();
    expect(other.last("lease")).toMatchObject({ lease: { actor: "Ada", politeness: "ask" } });
    // Nobody but who has it, and no reader.
    other.attachment.prefers("immediate");
    look(person, { readonly: true }).attachment.prefers("immediate");
    other.type("5");
    expect(pty.takenText).toBe("ab");
    ada.attachment.prefers("immediate");
    other.type("6");
    expect(pty.takenText).toBe("ab6");
    // Bob said how Bob is treated before he had it.
    ada.type("7");
    expect(pty.takenText).toBe("ab67");
    ada.attachment.prefers("server");
    other.type("8");
    expect(pty.takenText).toBe("ab67");
    other.attachment.keyboard("take_over");
    expect(port().lease()).toMatchObject({ actor: "Bob", politeness: "immediate" });
  });

  it("[LS9] as the server is set, where nobody says anything", async () => {
    const { look, pty } = await rig({ politeness: "immediate" });
    const [ada, other] = [look(), look(bob)];
    ada.type("a");
    other.type("b");
    ada.type("c");
    expect(pty.takenText).toBe("abc");
  });

  it("[LS3] in every access level a person types", async () => {
    const { look, pty, port } = await rig();
    const ada = look();
    for (const access of ["observe", "sealed", "collaborate"] as const) {
      port().setAccess(access);
      ada.type(access[0] ?? "");
    }
    expect([pty.takenText, ada.errors()]).toEqual(["osc", []]);
  });

  it("[LS4] what acts on the program waits as well: mouse, size and signals; names do not", async () => {
    const { look, port } = await rig();
    look().type("\r");
    const bot = port(agent);
    const denied = expect.objectContaining({ code: "LEASE_DENIED" });
    expect(() => bot.mouse({ type: "click", button: "left", x: 0, y: 0 })).toThrow(denied);
    expect(() => bot.resize({ cols: 90, rows: 30 })).toThrow(denied);
    expect(() => bot.signal("INT")).toThrow(denied);
    await expect(bot.close("HUP")).rejects.toEqual(denied);
    expect(bot.change({ name: "n" }).name).toBe("n");
  });
});

describe("the check at the moment of the write", () => {
  it("[LS7] [T62] a takeover drops the agent's queued units, which are answered LEASE_LOST, and keeps people's", async () => {
    const { look, text, raw, pty, settle } = await rig();
    const ada = look();
    pty.stick();
    const cut = expect(raw(much)).rejects.toMatchObject({
      code: "LEASE_LOST",
      extra: cutAt(begun.length),
    });
    const lost = [text("one"), text("two")].map((write) =>
      expect(write).rejects.toMatchObject({
        code: "LEASE_LOST",
        extra: { members: { epoch: 1, delivered: { items: 0, bytes: 0 } } },
      }),
    );
    ada.type("\r");
    await Promise.all([cut, ...lost]);
    pty.stick(false);
    ada.type("\r");
    await settle();
    expect(pty.takenText).toBe(`${begun}\r\r`);
  });

  it("[LS7] a unit in its pause ends there: the Enter behind it is not typed any more", async () => {
    const { look, port, pty, clock } = await rig();
    const ada = look();
    await port(agent).write([{ text: "rm -rf x" }, { key: "Enter" }]);
    expect(pty.takenText).toBe("rm -rf x");
    ada.type("y");
    clock.advance(1_000);
    expect(pty.takenText).toBe("rm -rf xy");
    expect(port().lease()).toMatchObject({ left_by: "Bot" });
    ada.attachment.keyboard("clear_line");
    expect(pty.takenText).toBe("rm -rf xy\x15");
    expect(port().lease()).toMatchObject({ left_by: null });
  });

  it("[LS7] [PT6] an agent's Ctrl-C to a stuck program is void when a person takes the keyboard: no signal, and the person's keys stay", async () => {
    const { look, raw, pty, clock, settle } = await rig();
    const ada = look();
    pty.stick();
    void raw(much).catch(() => {});
    const interrupt = raw("\x03").catch((error) => error.code);
    ada.type("y\r");
    expect(await interrupt).toBe("LEASE_LOST");
    clock.advance(2_000);
    expect(pty.foregroundSignals).toEqual([]);
    pty.stick(false);
    await settle();
    expect(pty.takenText).toBe(`${begun}y\r`);
  });

  it("[LS7] [PT6] a person's own Ctrl-C is watched to its end, whoever has the keyboard then", async () => {
    const { look, raw, pty, clock } = await rig();
    const ada = look();
    pty.stick();
    look().type(much);
    ada.type("\x03");
    ada.attachment.keyboard("hand_back");
    void raw("\x03").catch(() => {});
    ada.attachment.keyboard("take_over");
    clock.advance(2_000);
    expect(pty.foregroundSignals).toEqual(["INT"]);
  });

  it("[LS7] access that ends drops what is queued, with its own answer", async () => {
    const { text, raw, pty, port, settle } = await rig();
    pty.stick();
    const observed = [
      expect(raw(much)).rejects.toMatchObject({ code: "READ_ONLY", extra: cutAt(begun.length) }),
      expect(text("a")).rejects.toMatchObject({ code: "READ_ONLY", extra: cutAt(0) }),
    ];
    port().setAccess("observe");
    await Promise.all(observed);
    port().setAccess("collaborate");
    const sealed = expect(text("b")).rejects.toMatchObject({ code: "SEALED" });
    port().setAccess("sealed");
    await sealed;
    pty.stick(false);
    await settle();
    expect(pty.takenText).toBe(begun);
  });

  it("[LS7] [PT5] an agent's write to a program that does not read is answered as queued after a second", async () => {
    const { text, raw, pty, clock } = await rig();
    pty.stick();
    const writes = [raw(much), text("a")];
    clock.advance(limits.inputAnswerMs);
    expect(await Promise.all(writes)).toEqual([{ written: 1 }, { written: 1 }]);
  });

  it("[LS7] [CR2] [T121] [B112] when a password is asked for, the rest of an agent's unit is not typed, and it is told how much was", async () => {
    const { port, pty, settle } = await rig();
    pty.print("\x1b[?2004h");
    await settle();
    pty.stick();
    const items = [
      { text: "sudo true\n", paste: false },
      { raw: "y\r".repeat(30_000) },
      { key: "F1" },
    ];
    const lost = expect(port(agent).write(items, { gapMs: 0 })).rejects.toMatchObject({
      code: "HUMAN_REQUIRED",
      message: expect.stringContaining("4096 of the 60013 bytes"),
      extra: { members: { delivered: { items: 1, bytes: 4_096 } } },
    });
    port().keyboard("treat_as_secret");
    await lost;
    expect(pty.backlogBytes).toBe(0);
    pty.stick(false);
    await settle(2_000);
    expect(pty.takenText).toBe(`sudo true\r${"y\r".repeat(30_000)}`.slice(0, 4_096));
    expect(port().listWrites({}).writes).toHaveLength(1);
  });

  it("[LS7] [T63] [B112] a paste that a takeover cuts is ended for the program, before the person's key; none is where the program takes no pastes any more", async () => {
    const { look, port, pty, settle } = await rig();
    const ada = look();
    for (const isOn of [true, false]) {
      pty.print("\x1b[?2004h");
      await settle();
      const before = pty.takenText.length;
      pty.stick();
      const lost = expect(
        port(agent).write([{ text: "é".repeat(30_000), paste: true }], { ifDraft: "keep" }),
      ).rejects.toMatchObject({
        code: "LEASE_LOST",
        extra: { members: { delivered: { items: 0, bytes: 4_096 } } },
      });
      if (!isOn) pty.print("\x1b[?2004l");
      await settle(50);
      ada.type("\r");
      await lost;
      pty.stick(false);
      await settle();
      const end = isOn ? "\x1b[201~" : "";
      expect(pty.takenText.slice(before)).toBe(`\x1b[200~${"é".repeat(2_045)}${end}\r`);
      ada.attachment.keyboard("hand_back");
    }
  });
});

describe("drafts without markers", () => {
  it("[DR1] [DR2] half a line stops the countdown; after a minute the agent says clear or keep", async () => {
    const { look, text, port, pty, clock } = await rig();
    const ada = look();
    ada.type("rm -rf ");
    clock.advance(5_000);
    const refused = await text("ls").catch((error) => error);
    expect(refused).toMatchObject({
      code: "DRAFT_PENDING",
      extra: { members: { draft_age_ms: 5_000 } },
    });
    expect(JSON.stringify(refused)).not.toContain("rm -rf");
    expect(port().lease()).toMatchObject({
      holder: "human",
      until: null,
      draft: { age_ms: 5_000 },
    });
    clock.advance(55_000);
    await expect(text("ls")).rejects.toMatchObject({ code: "DRAFT_PENDING" });
    await port(agent).write([{ text: "ls" }], { ifDraft: "clear" });
    expect(pty.takenText).toBe("rm -rf \x15ls");
    expect(port().lease()).toMatchObject({ draft: null });
    await text("x");
  });

  it.each(["\r", "\n", "\x03", "\x15"])("[DR1] %j ends a draft", async (end) => {
    const { look, text, clock } = await rig();
    const ada = look();
    ada.type(`half${end}`);
    clock.advance(4_000);
    await text("ls");
  });

  it("[DR1] a paste is text, whatever lines are in it, and split as it may be", async () => {
    const { look, text, port, pty, clock } = await rig();
    const ada = look();
    for (const part of ["\x1b[20", "0~a\rb\r\x1b[2", "01~"]) ada.type(part);
    clock.advance(4_000);
    await expect(text("ls")).rejects.toMatchObject({ code: "DRAFT_PENDING" });
    ada.attachment.keyboard("hand_back");
    await port(agent).write([{ text: "ls" }], { ifDraft: "keep" });
    expect(pty.takenText.endsWith("\x1b[201~ls")).toBe(true);
  });

  it("[DR1] a full-screen program has no line", async () => {
    const { look, text, pty, clock, settle } = await rig();
    const ada = look();
    pty.print("\x1b[?1049h");
    await settle();
    ada.type("jjj");
    clock.advance(4_000);
    await text("x");
  });
});

describe("an answer to a password prompt", () => {
  it("[CR2] is typed while one stands, and dropped and told where none does any more: nothing is typed, kept or counted", async () => {
    const { look, port, pty, settle } = await rig();
    const ada = look();
    await ada.attachment.answer("hunter2-late");
    expect([pty.takenText, ada.errors()]).toEqual(["", ["NO_PASSWORD_ASKED"]]);
    expect(port().lease()).toMatchObject({ holder: "agent", epoch: 0 });
    expect(port().listWrites({}).writes).toEqual([]);
    ada.attachment.keyboard("treat_as_secret");
    await ada.attachment.answer("hunter2");
    expect(pty.takenText).toBe("hunter2\r");
    expect(ada.errors()).toHaveLength(1);
    const bot = look(agent);
    await bot.attachment.answer("guess");
    const eve = look(bob, { readonly: true });
    await eve.attachment.answer("guess");
    await settle();
    expect([bot.errors(), eve.errors(), pty.takenText]).toEqual([
      ["FORBIDDEN"],
      ["READ_ONLY"],
      "hunter2\r",
    ]);
  });
});

describe("access", () => {
  it("[AC1] [AC2] sealing ends agents' viewers with 4403, and people see it at once", async () => {
    const { look, port, registry, id } = await rig();
    const [ada, bot] = [look(), look(agent)];
    expect(port().setAccess("sealed")).toMatchObject({ access: "sealed" });
    expect(bot.sink.closed).toMatchObject({ code: 4403 });
    expect(ada.sink.closed).toBeNull();
    expect(ada.last("access")).toEqual({ type: "access", access: "sealed" });
    expect(registry.list(agent)).toEqual([{ id, sealed: true }]);
    expect(registry.list(agent, "x")).toEqual([]);
    expect(() => port(agent)).toThrow(expect.objectContaining({ code: "SEALED" }));
    expect(registry.list(person)).toMatchObject([{ id, access: "sealed" }]);
  });

  it("[AC2] a read that was under way when it was sealed is not answered", async () => {
    const { port, pty } = await rig();
    const reading = port(agent).readScreen({});
    port().setAccess("sealed");
    pty.print("secret");
    await expect(reading).rejects.toMatchObject({ code: "SEALED" });
  });

  it("[AC1] under observe an agent's socket looks and is told that it may not type", async () => {
    const { look, port, pty, settle } = await rig();
    const bot = look(agent);
    bot.type("a");
    port().setAccess("observe");
    bot.type("b");
    bot.attachment.keyboard("take_over");
    await settle();
    expect(pty.takenText).toBe("a");
    expect(bot.errors()).toEqual(["READ_ONLY", "FORBIDDEN"]);
  });

  it("[AC1] access is given by people, at the making too", async () => {
    const { registry, port } = await rig();
    expect(() => port(agent).setAccess("collaborate")).toThrow(
      expect.objectContaining({ code: "FORBIDDEN" }),
    );
    expect(() => port(agent).keyboard("take_over")).toThrow(
      expect.objectContaining({ code: "FORBIDDEN" }),
    );
    expect((await registry.create(person, { access: "observe" })).access).toBe("observe");
    await expect(registry.create(agent, { access: "sealed" })).rejects.toMatchObject({
      code: "SEALED",
    });
  });
});

describe("calling a person", () => {
  it("[OP5] a call is shown until somebody types or dismisses it; a look is not enough", async () => {
    const { look, port, settle } = await rig();
    const ada = look();
    expect(port(agent).requestHuman("which region?").need).toMatchObject({
      reason: "question",
      detail: "which region?",
      by: "Bot",
    });
    await settle();
    expect(ada.last("need")).toMatchObject({ need: { detail: "which region?" } });
    ada.attachment.keyboard("dismiss");
    expect(port().info().need).toBeNull();
    port(agent).requestHuman("again?");
    ada.type("\r");
    await settle();
    expect(ada.last("need")).toEqual({ type: "need", need: null });
  });

  it("[LS1] viewers are told what agents do, at a pace", async () => {
    const { look, port, settle } = await rig();
    const ada = look();
    for (let n = 0; n < 100; n++) await port(agent).write([{ text: "x" }], { note: `step ${n}` });
    await port(agent).readScreen({});
    await settle(1_000);
    const told = ada.sink.messages("agent");
    expect(told.length).toBeLessThan(6);
    expect(told).toContainEqual({ type: "agent", did: "typed", name: "Bot", detail: "step 99" });
    expect(told).toContainEqual({ type: "agent", did: "looked", name: "Bot" });
  });

  it("[LS1] viewers are told which words an agent waits for", async () => {
    const { look, port, settle, pty } = await rig();
    const ada = look();
    const wait = port(agent).wait({ for: [{ quiet_ms: 60_000 }, { text: "ready in" }] });
    await settle(1_000);
    const waits = { type: "agent", did: "waits", name: "Bot", detail: "ready in" };
    expect(ada.sink.messages("agent")).toContainEqual(waits);
    pty.print("ready in 3 s\r\n");
    await settle(1_000);
    expect((await wait).outcome).toBe("matched");
  });
});
