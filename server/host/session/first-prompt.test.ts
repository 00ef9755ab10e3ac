// What becomes of batches that wait for the first prompt of a shell (IN8): a played shell, and a clock that is set by hand.
import { afterEach, describe, expect, it } from "vitest";
import type { InputItem } from "#lib/protocol/input.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { TerminalLook } from "#server/host/activity/tty-read.ts";
import { notReading, reading, shell } from "#server/testing/observations.ts";
import { agent, person, sessionRig } from "#server/testing/session-rig.ts";

const owned: { dispose(): void }[] = [];
afterEach(() => {
  for (const item of owned.splice(0)) item.dispose();
});

const mark = (letter: string) => `\x1b]633;${letter}\x07`;
const prompt = `${mark("A")}\x1b[?2004h$ ${mark("B")}`;
const aPaste: InputItem = { text: "a\nb", paste: true };

async function opened(isOurs = true) {
  const look: TerminalLook = { foreground: shell("bash"), read: notReading };
  const seen = { look };
  const rig = sessionRig({
    integration: isOurs ? { kind: "hooked", nonce: "n1" } : { kind: "none" },
    parts: { lookAtTerminal: () => seen.look },
  });
  owned.push(rig.registry);
  const session = await rig.create();
  const { pty, port } = session;
  pty.print("motd\r\n");
  await rig.settle();
  const send = (...items: InputItem[]) => port(agent).write(items);
  return { ...rig, ...session, send, seen };
}

describe("a shell of ours without a prompt", () => {
  it("[IN8] [IN3] gets what was sent to it when the prompt is up, as its modes are then, and the answer says so", async () => {
    const { send, pty, settle } = await opened();
    const sent = send(aPaste);
    await settle(500);
    expect(pty.takenText).toBe("");
    pty.print(prompt);
    expect(await sent).toEqual({ written: 1, held: { waited_ms: 500, ended_by: "prompt" } });
    expect(pty.takenText).toBe("\x1b[200~a\rb\x1b[201~");
    expect(await send({ text: "c" })).toEqual({ written: 1 });
  });

  it("[IN8] is waited for three seconds, once; then everything is typed all the same", async () => {
    const { send, pty, clock, settle } = await opened();
    const first = send({ text: "1" });
    await settle(2_000);
    const second = send({ text: "2" });
    clock.advance(999);
    await settle(0);
    expect(pty.takenText).toBe("");
    clock.advance(1);
    expect(await first).toMatchObject({
      held: { waited_ms: limits.firstPromptMs, ended_by: "time" },
    });
    expect(await second).toMatchObject({ held: { ended_by: "time" } });
    expect(await send({ text: "3" })).toEqual({ written: 1 });
    expect(pty.takenText).toBe("123");
  });

  it("[IN8] [IN5] an act that waits keeps its place, and what was printed before it is typed is not its output", async () => {
    const { send, port, pty, settle } = await opened();
    const acted = port(agent).act({
      input: [{ text: "1" }],
      wait: { for: [{ text: "motd" }, { quiet_ms: 100 }] },
    });
    const sent = send({ text: "2" });
    pty.print(`motd again\r\n${prompt}`);
    await settle();
    expect(await sent).toMatchObject({ held: { ended_by: "prompt" } });
    expect(pty.takenText).toBe("12");
    await settle(200);
    expect(await acted).toMatchObject({
      written: 1,
      held: { ended_by: "prompt" },
      wait: { outcome: "settled", condition: 1 },
      delta: { text: "" },
    });
  });

  it("[IN8] a program that a start-up file runs gets it as soon as it reads", async () => {
    const { send, pty, seen, settle } = await opened();
    const sent = send({ text: "y\n" });
    await settle(500);
    seen.look = { foreground: shell("bash"), read: reading("ssh-keygen") };
    pty.print("Overwrite (y/n)? ");
    await settle(limits.waitUnmarkedPromptMs + 200);
    expect(await sent).toMatchObject({ held: { ended_by: "reading" } });
    expect(pty.takenText).toBe("y\r");
  });

  it("[IN8] a Ctrl-C waits for nothing, and lets those in front of it go in their order", async () => {
    const { send, pty, settle } = await opened();
    const sent = send({ text: "make" });
    const stopped = send({ key: "C-c" });
    await settle(0);
    expect(await sent).toMatchObject({ held: { ended_by: "interrupt" } });
    expect(await stopped).toEqual({ written: 1 });
    expect(pty.takenText).toBe("make\x03");
    const later = send({ text: "ls" });
    await settle(0);
    expect(pty.takenText).toBe("make\x03");
    pty.print(prompt);
    expect(await later).toMatchObject({ held: { ended_by: "prompt" } });
  });

  it("[IN8] what comes behind a Ctrl-C waits for what is left of the three seconds", async () => {
    const { send, pty, clock, settle } = await opened();
    const sent = send({ text: "make" });
    await settle(2_000);
    await send({ key: "C-c" });
    expect(await sent).toMatchObject({ held: { waited_ms: 2_000, ended_by: "interrupt" } });
    const later = send({ text: "ls" });
    await settle(0);
    clock.advance(limits.firstPromptMs - 2_000);
    expect(await later).toEqual({ written: 1, held: { waited_ms: 1_000, ended_by: "time" } });
    expect(pty.takenText).toBe("make\x03ls");
  });

  it("[IN8] [LS3] people's keys are never kept waiting, and what an agent sent before them is refused", async () => {
    const { send, port, pty, view } = await opened();
    const { attachment } = view(person);
    const sent = expect(send({ text: "ls\n" })).rejects.toMatchObject({ code: "DRAFT_PENDING" });
    attachment.typed(Buffer.from("v"));
    expect(pty.takenText).toBe("v");
    await sent;
    // A person's batch is a script's: it waits as well, and is not refused.
    const theirs = port(person).write([{ text: "i" }]);
    pty.print(prompt);
    expect(await theirs).toMatchObject({ held: { ended_by: "prompt" } });
    expect(pty.takenText).toBe("vi");
  });

  it("[IN8] [AC1] [AC2] is not typed into by agents who may not any more", async () => {
    const { send, port, pty, settle } = await opened();
    const observed = expect(send({ text: "1" })).rejects.toMatchObject({ code: "READ_ONLY" });
    port().setAccess("observe");
    await observed;
    port().setAccess("collaborate");
    const sealed = expect(send({ text: "2" })).rejects.toMatchObject({ code: "SEALED" });
    port().setAccess("sealed");
    await sealed;
    pty.print(prompt);
    await settle();
    expect(pty.takenText).toBe("");
  });

  it("[IN8] [SE4] is not typed into by who is revoked meanwhile; what others sent is", async () => {
    const { send, port, pty, registry } = await opened();
    const theirs = expect(send({ text: "1" })).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    const others = port(person).write([{ text: "2" }]);
    registry.forget(agent.id);
    pty.print(prompt);
    await theirs;
    expect(await others).toMatchObject({ held: { ended_by: "prompt" } });
    expect(pty.takenText).toBe("2");
  });

  it("[IN8] [PT9] that ends meanwhile is told to have ended; one that was closed is not there", async () => {
    const exited = await opened();
    const late = expect(exited.send({ text: "1" })).rejects.toMatchObject({
      code: "SESSION_EXITED",
    });
    exited.pty.exit({ exit_code: 1 });
    await late;
    const closed = await opened();
    const lost = expect(closed.send({ text: "1" })).rejects.toMatchObject({
      code: "SESSION_NOT_FOUND",
    });
    await closed.port().close("KILL");
    await lost;
  });

  it("[IN8] [IN1] what is wrong with a batch, or too much, is said at once", async () => {
    const { send, pty, settle } = await opened();
    await expect(send({ key: "Nope" })).rejects.toMatchObject({ code: "UNKNOWN_KEY" });
    const most = send({ text: "y".repeat(limits.inputBacklogBytes) });
    await expect(send({ text: "y" })).rejects.toMatchObject({ code: "INPUT_BACKLOG" });
    pty.print(prompt);
    await settle(limits.inputAnswerMs * 2);
    expect(await most).toMatchObject({ written: 1 });
  });

  it("[IN8] any other program is typed into at once", async () => {
    const { send, pty } = await opened(false);
    expect(await send(aPaste)).toEqual({ written: 1 });
    expect(pty.takenText).toBe("a\rb");
  });
});
