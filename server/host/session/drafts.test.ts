// Whose text stands on the line, in a whole session with a played shell and a clock that is set by hand (DR1-DR3); real shells are in
// e2e/api/half-lines.test.ts.
import { afterEach, describe, expect, it } from "vitest";
import { limits } from "#lib/protocol/limits.ts";
import { MemorySink } from "#server/testing/memory-sink.ts";
import { agent, person, sessionRig } from "#server/testing/session-rig.ts";

const owned: { dispose(): void }[] = [];
afterEach(() => {
  for (const item of owned.splice(0)) item.dispose();
});
const [A, B, C, D] = ["\x1b]133;A\x07", "\x1b]133;B\x07", "\x1b]133;C\x07", "\x1b]133;D;0\x07"];
const prompt = `${D}${A}$ ${B}`;

/** `types` one after another: what a person types, and behind `>` what the shell prints. */
async function shell(start = prompt) {
  const sessions = sessionRig();
  owned.push(sessions.registry);
  const session = await sessions.create();
  const { pty, port } = session;
  const ada = port(person).attach(new MemorySink(), { readonly: false });
  const play = async (...steps: string[]) => {
    for (const step of steps) {
      if (step.startsWith(">")) pty.print(step.slice(1));
      else ada.typed(Buffer.from(step));
      await sessions.settle(20);
    }
  };
  await play(`>${start}`);
  /** What an agent is told when the person has been silent long enough. */
  const told = async (ifDraft?: "clear" | "keep") => {
    sessions.clock.advance(5_000);
    await sessions.settle();
    const write = port(agent).write([{ text: "ls\r" }], { ifDraft });
    return write.then(
      () => "typed",
      ({ code }) => code,
    );
  };
  return { ...sessions, ...session, play, told, ada };
}

describe("a shell that announces its commands", () => {
  it.each([
    ["an Enter that it did not take", ["rm -rf \\\r", ">rm -rf \\\r\n> "]],
    ["the rest that C-u left", ["echo foo bar\x1b[D\x15", ">bar"]],
    ["C-u in the second row", ["rm \\\r", ">rm \\\r\n> ", "x\x15"]],
    ["a line of the history", ["\x1b[A", ">rm x"]],
    ["what was typed ahead of it", ["a\rrm \\\r", `>a\r\n${C}${prompt}rm \\\r\n> `]],
    ["the rest of a line, typed ahead", ["a\rrm", `>a\r\n${C}${prompt}rm`]],
    ["a search below", ["\x12", ">\r\nsearch: \x1b[A\x1b[2G"]],
  ])("[DR1] [DR3] %s is a draft", async (_what, steps) => {
    const { play, told, port, pty } = await shell();
    await play(...steps);
    expect(await told()).toBe("DRAFT_PENDING");
    port(person).keyboard("hand_back");
    const before = pty.takenText;
    expect(await told()).toBe("DRAFT_PENDING");
    expect(pty.takenText).toBe(before);
  });

  it.each([
    ["a command", ["ls\r", `>ls\r\n${C}kept\r\n`]],
    ["a command that has ended", ["ls\r", `>ls\r\n${C}kept\r\n${prompt}`]],
    ["one of two rows", ["a \\\r", ">a \\\r\n> ", "b\r", `>b\r\n${C}b\r\n${prompt}`]],
    ["C-c in the second row", ["a \\\r", ">a \\\r\n> ", "\x03", `>^C\r\n${prompt}`]],
    ["C-u", ["abc", ">abc", "\x15", ">\r$ \x1b[K"]],
    ["backspaces", ["ab", ">ab", "\x7f\x7f", ">\b\b\x1b[K"]],
    ["an Enter on nothing", ["\r", `>\r\n${prompt}`]],
    ["a line that a key sent", ["rm x", ">rm x", "\x1b#", `>\r$ #rm x\r\n${prompt}`]],
    ["keys of a program", ["vi\r", `>vi\r\n${C}\x1b[?1049h`, "jjj:", `>\x1b[?1049l${prompt}`]],
    ["an answer to a program", ["x\r", `>x\r\n${C}Name: `, "it's\r", `>it's\r\n${prompt}`]],
  ])("[DR1] [LS5] %s is none", async (_what, steps) => {
    const { play, told } = await shell();
    await play(...steps);
    expect(await told()).toBe("typed");
  });

  it("[DR2] [DR3] a line of several rows is dropped whole: C-c, a moment, then the agent's", async () => {
    const { play, told, port, pty, clock, ada } = await shell();
    await play("rm -rf \\\r", ">rm -rf \\\r\n> ");
    port(person).keyboard("hand_back");
    expect(await told("clear")).toBe("typed");
    expect(pty.takenText).toBe("rm -rf \\\r\x03");
    clock.advance(200);
    expect(pty.takenText).toBe("rm -rf \\\r\x03ls\r");
    await play(`>^C\r\n${prompt}`, `>ls\r\n${C}${prompt}`, "a \\\r", ">a \\\r\n> ");
    ada.keyboard("clear_line");
    expect(pty.takenText).toBe("rm -rf \\\r\x03ls\ra \\\r\x03");
  });

  it("[DR1] the screen is believed to show nothing when an echo had its time", async () => {
    const { play, port, clock } = await shell();
    await play("rm");
    port(person).keyboard("hand_back");
    const write = () => port(agent).write([{ text: "ls\r" }]);
    await expect(write()).rejects.toMatchObject({ code: "DRAFT_PENDING" });
    clock.advance(1_000);
    await write();
  });
});

describe("whose text it is", () => {
  it("[DR2] who takes over is told of the rows that an agent left, until they are gone", async () => {
    const { play, port } = await shell();
    await port(agent).write([{ text: "rm \\\r" }]);
    await play(">rm \\\r\n> ");
    port(person).keyboard("take_over");
    expect(port().lease()).toMatchObject({ left_by: "Bot" });
    await play("\x03", `>^C\r\n${prompt}`);
    expect(port().lease()).toMatchObject({ left_by: null });
  });
});

describe("what a person keeps from agents besides drafts", () => {
  it("[CR2] what waits when a password is asked for is refused for that reason", async () => {
    const { port, pty } = await shell("");
    pty.stick();
    void port(agent)
      .write([{ raw: "x\r".repeat(2_500) }])
      .catch(() => {});
    const lost = expect(port(agent).write([{ text: "one" }])).rejects.toMatchObject({
      code: "HUMAN_REQUIRED",
      message: expect.stringContaining("nothing of this input was typed"),
    });
    port(person).keyboard("treat_as_secret");
    await lost;
  });

  it("[LS2] a person's mouse is the program's while that person has the keyboard, by the API too", async () => {
    const { port, pty, play, clock } = await shell("\x1b[?1003h\x1b[?1006h");
    const click = (who = person) => port(who).mouse({ type: "press", button: "left", x: 0, y: 0 });
    const refused = expect.objectContaining({
      code: "MOUSE_NOT_REPORTED",
      extra: { members: expect.objectContaining({ reason: "keyboard_not_held" }) },
    });
    expect(() => click()).toThrow(refused);
    await play("\r");
    expect(click()).toBe(1);
    expect(() => click({ ...person, id: "bob", name: "Bob" })).toThrow(refused);
    expect(port().lease()).toMatchObject({ actor: "Ada" });
    clock.advance(limits.leaseIdleMs.default);
    expect(() => click()).toThrow(refused);
    expect(click(agent)).toBe(1);
    expect(pty.takenText).toBe("\r\x1b[<0;1;1M\x1b[<0;1;1M");
  });
});
