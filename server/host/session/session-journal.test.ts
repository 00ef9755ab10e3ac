import { describe, expect, it } from "vitest";
import { utf8 } from "#lib/base/bytes.ts";
import type { CommandRecord } from "#lib/protocol/journal.ts";
import { code, commandRun, mark, osc } from "#server/testing/journal-rig.ts";
import { MemorySink } from "#server/testing/memory-sink.ts";
import { agent, person, sessionRig } from "#server/testing/session-rig.ts";

const said = (records: CommandRecord[]) =>
  records.map(({ index, flags, command }) => `${index} ${command} ${flags.join()}`);

describe("a session's commands", () => {
  it("[JR2] [AT2] viewers are told when a command begins and ends, and who typed it", async () => {
    const rig = sessionRig();
    const { pty, port } = await rig.create();
    const sink = new MemorySink();
    port().attach(sink, { readonly: false });
    pty.print(`${mark("A")}$ ${mark("B")}`);
    await rig.settle();
    void port(agent).write([{ text: "make" }, { key: "Enter" }]);
    await rig.settle();
    pty.print(`make\r\n${mark("C")}`);
    await rig.settle();
    pty.print(`done\r\n${mark("D;2")}`);
    await rig.settle();
    const records = sink.messages("command").map(({ record }) => record);
    expect(said(records)).toEqual(["1 make running", "1 make has_exit"]);
    expect(records.at(-1)).toMatchObject({ exit_code: 2, by: ["Bot"], integration: "osc133" });
    rig.registry.dispose();
  });

  it("[OP1] [EV1] the newest command and the dialect are in the session's info, and each change is news", async () => {
    const rig = sessionRig();
    const { id, pty, port } = await rig.create();
    expect(port().info()).toMatchObject({ integration: "none", last_command: null });
    const changes = () => rig.events.filter(({ kind }) => kind === "changed").length;
    const step = async (output: string) => {
      const before = changes();
      pty.print(output);
      await rig.settle();
      return changes() - before;
    };
    await step("hello");
    expect(await step(mark("A"))).toBeGreaterThan(0);
    expect(port().info().integration).toBe("osc133");
    expect(await step(`$ ${mark("B")}ls\r\n${mark("C")}`)).toBeGreaterThan(0);
    const running = port().info().last_command;
    expect(running).toMatchObject({ command: "ls", running: true, duration_ms: null });
    rig.clock.advance(60_000);
    expect(port().info().last_command).toEqual(running);
    expect(await step(mark("D;1"))).toBeGreaterThan(0);
    expect(port().info().last_command).toMatchObject({ running: false, exit_code: 1 });
    expect(port().info().id).toBe(id);
    rig.registry.dispose();
  });

  it("[JR1] the end of the process closes what runs, after everything that was printed before it", async () => {
    const rig = sessionRig();
    const { pty, port } = await rig.create();
    pty.print(`${mark("A")}$ ${mark("B")}exec top\r\n`);
    pty.print("x".repeat(200_000));
    pty.print(mark("C"));
    pty.exit({ exit_code: 0 });
    for (let i = 0; i < 50 && port().info().last_command?.running !== false; i++)
      await rig.settle();
    const list = await port().listCommands({});
    expect(said(list.commands)).toEqual([
      expect.stringMatching(/^1 exec top.* incomplete,pty_exited$/s),
    ]);
    rig.registry.dispose();
  });

  it("[JR1] a session that is removed in the middle of all that leaves nothing behind that fails", async () => {
    const rig = sessionRig();
    const { pty, port } = await rig.create();
    pty.print(mark("C"));
    await rig.settle();
    pty.print(`${"x".repeat(500_000)}${mark("D")}`);
    pty.exit({ exit_code: 0 });
    const closing = port().close("HUP");
    rig.registry.dispose();
    await rig.settle(5_000);
    await closing;
    expect(rig.events.at(-1)).toMatchObject({
      kind: "closed",
      session: { last_command: { index: 1 } },
    });
  });

  it("[SI1] only the nonce that the session's shell was started with makes a command the shell's own", async () => {
    const rig = sessionRig({ integration: { kind: "hooked", nonce: "n1" } });
    const { pty, port } = await rig.create();
    for (const [nonce, from] of [
      ["guess", "program"],
      ["n1", "shell"],
    ]) {
      pty.print(`${code(`E;ls;${nonce}`)}${mark("C")}${mark("D")}`);
      await rig.settle();
      expect((await read(rig, port().getCommand("latest"))).command_from).toBe(from);
    }
    rig.registry.dispose();
  });

  it("[JR2] a directory that another machine's shell tells is never shown as the session's", async () => {
    const rig = sessionRig();
    const { pty, port } = await rig.create({ cwd: "/home/ada" });
    pty.print(`${osc("7;file://far.example/etc")}${mark("C")}${mark("D")}`);
    await rig.settle();
    expect(port().info().cwd).toBe("/home/ada");
    expect((await read(rig, port().getCommand("latest"))).cwd).toBe("far.example:/etc");
    rig.registry.dispose();
  });

  it("[OP1] where the system tells no directory, the shell's own word is taken", async () => {
    const seen = { pgid: 7, name: "bash", isSessionLeader: true };
    const told = async (foreground: { cwd: string | null } | null) => {
      const readForeground = () => foreground && { ...seen, ...foreground };
      const rig = sessionRig({ parts: { readForeground } });
      const { pty, port } = await rig.create({ cwd: "/home/ada" });
      pty.print(osc("7;file:///srv/x"));
      await rig.settle(3_000);
      const { cwd } = port().info();
      rig.registry.dispose();
      return cwd;
    };
    expect(await told({ cwd: "/proc/says" })).toBe("/proc/says");
    expect(await told({ cwd: null })).toBe("/srv/x");
    expect(await told(null)).toBe("/srv/x");
  });

  it("[T56] a flood of markers costs viewers a few frames, and the newest command is among them", async () => {
    const rig = sessionRig();
    const { pty, port } = await rig.create();
    const sink = new MemorySink();
    port(person).attach(sink, { readonly: true });
    await rig.settle();
    for (let i = 0; i < 40; i++) pty.print(utf8(commandRun("x", "", "D;0").repeat(50)));
    for (let i = 0; i < 50 && port().info().last_command?.index !== 2_000; i++) await rig.settle();
    await rig.settle(500);
    const records = sink.messages("command").map(({ record }) => record);
    expect(records.length).toBeLessThan(1_000);
    expect(records.at(-1)).toMatchObject({ index: 2_000, exit_code: 0 });
    const indices = records.map(({ index }) => index);
    expect(indices).toEqual([...indices].sort((a, b) => a - b));
    rig.registry.dispose();
  });
});

/** Readings wait for the pump, which waits for the clock. */
async function read<T>(rig: ReturnType<typeof sessionRig>, reading: Promise<T>): Promise<T> {
  await rig.settle();
  return reading;
}
