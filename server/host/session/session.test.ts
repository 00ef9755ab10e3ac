import { setImmediate as nextLoop } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { utf8 } from "#lib/base/bytes.ts";
import type { ServerMessage } from "#lib/protocol/attach.ts";
import { TermError } from "#lib/protocol/errors.ts";
import { limits } from "#lib/protocol/limits.ts";
import { sessionInfoSchema } from "#lib/protocol/session.ts";
import { MemorySink } from "#server/testing/memory-sink.ts";
import { agent, onlooker, person, sessionRig } from "#server/testing/session-rig.ts";

/** The code of the refusal that `act` ends in. */
async function refused(act: () => unknown): Promise<string> {
  try {
    await act();
  } catch (error) {
    if (error instanceof TermError) return error.code;
    throw error;
  }
  return "not refused";
}

const only = <T extends ServerMessage["type"]>(messages: ServerMessage[], type: T) =>
  messages.filter((message) => message.type === type) as Extract<ServerMessage, { type: T }>[];

describe("a session", () => {
  it("[OP1] its info is what the wire promises, and goes starting, running, exited", async () => {
    const { create, settle, clock } = sessionRig();
    const { info, pty, port } = await create({ command: ["/bin/cat", "-u"], tags: ["a", "a"] });
    expect(sessionInfoSchema.parse(info)).toMatchObject({
      name: "cat",
      command: ["/bin/cat", "-u"],
      phase: "starting",
      exited: false,
      tags: ["a"],
      cols: 80,
      rows: 24,
    });
    pty.print("\x1b]2;hello\x07x");
    await settle();
    expect(port().info()).toMatchObject({ phase: "running", title: "hello" });
    clock.advance(1_000);
    pty.exit({ exit_code: null, signal: "SIGSEGV" });
    const after = sessionInfoSchema.parse(port().info());
    expect(after).toMatchObject({ phase: "exited", exited: true, exit_code: null });
    expect(after.signal).toBe("SIGSEGV");
    expect(Date.parse(after.exited_at ?? "")).toBe(clock.now());
  });

  it("[SC2] [B021] the screen read right after output, exit included, shows all of it", async () => {
    const { create } = sessionRig();
    const { pty, port } = await create();
    for (let i = 0; i < 2_000; i++) pty.print(`line ${i}\r\n`);
    pty.print("the end");
    const reading = port().screen();
    pty.print("\r\nlater");
    expect((await reading).lines.slice(-2)).toContain("the end");
    pty.exit({ exit_code: 3, signal: null });
    const screen = await port().screen();
    expect(screen.lines.at(-1)).toBe("later");
    expect(screen).toMatchObject({ exited: true, exit_code: 3 });
  });

  it("[IN1] a batch is one unit, and a bad element refuses all of it by index", async () => {
    const { create } = sessionRig();
    const { pty, port } = await create();
    const batch = [{ text: "ls" }, { key: "Enter" }, { raw: "\x1b[A" }];
    expect(await port(agent).write(batch, { gapMs: 0 })).toEqual({ written: 3 });
    expect(pty.takenText).toBe("ls\r\x1b[A");
    const bad = () => port(agent).write([{ text: "x" }, { key: "C-Enter" }]);
    expect(await refused(bad)).toBe("UNKNOWN_KEY");
    await expect(bad()).rejects.toMatchObject({
      extra: { errors: [{ path: "body.input.1.key" }] },
    });
    expect(pty.takenText).toBe("ls\r\x1b[A");
  });

  it("[PT5] a full backlog is refused with INPUT_BACKLOG and nothing is typed", async () => {
    const { create } = sessionRig();
    const { pty, port } = await create();
    pty.stick();
    await port().write([{ raw: "x".repeat(limits.inputBacklogBytes) }]);
    const { backlogBytes } = pty;
    const rest = limits.inputBacklogBytes - backlogBytes + 1;
    expect(await refused(() => port().write([{ text: "y".repeat(rest) }]))).toBe("INPUT_BACKLOG");
    expect(pty.backlogBytes).toBe(backlogBytes);
  });

  it("[PT9] [B004] after exit write, resize and signal are refused; on an attach they are ignored", async () => {
    const { create, settle } = sessionRig();
    const { pty, port, view } = await create();
    const { viewer, attachment } = view();
    pty.exit();
    for (const act of [
      () => port().write([{ text: "x" }]),
      () => port().resize({ cols: 100, rows: 30 }),
      () => port().signal("INT"),
    ]) {
      expect(await refused(act)).toBe("SESSION_EXITED");
    }
    attachment.typed(utf8("x"));
    attachment.report("\x1b[I");
    attachment.propose({ cols: 100, rows: 30 });
    attachment.useMySize({ cols: 100, rows: 30 });
    await settle(2_000);
    expect(only(viewer.messages, "error")).toEqual([]);
    expect(pty.sizes).toEqual([{ cols: 80, rows: 24 }]);
    expect(port().info()).toMatchObject({ cols: 80, rows: 24 });
  });

  it("[AT5] a reader's bytes are refused each time, the socket stays, nothing is typed", async () => {
    const { create } = sessionRig();
    const { pty, port, view } = await create();
    const readers = [view(person, { readonly: true }), view(onlooker)];
    for (const { viewer, attachment } of readers) {
      for (let i = 0; i < 5; i++) attachment.typed(utf8("x"));
      attachment.report("\x1b[I");
      const wanted = { cols: 50, rows: 20 };
      // biome-ignore lint/correctness/useHookAtTopLevel: no hook, though it begins with "use".
      attachment.useMySize(wanted);
      expect(only(viewer.messages, "error").map((error) => error.code)).toEqual(
        Array(7).fill("READ_ONLY"),
      );
      expect(viewer.closed).toBeNull();
      expect(only(viewer.messages, "hello")[0]?.you.readonly).toBe(true);
    }
    expect(pty.takenText).toBe("");
    for (const act of [
      () => port(onlooker).write([{ text: "x" }]),
      () => port(onlooker).resize({ cols: 50, rows: 20 }),
      () => port(onlooker).signal("KILL"),
      () => port(onlooker).close("KILL"),
      () => port(onlooker).change({ name: "mine" }),
    ]) {
      expect(await refused(act)).toBe("READ_ONLY");
    }
    expect([...pty.foregroundSignals, ...pty.endSignals]).toEqual([]);
  });

  it("[SC3] queries are answered with nobody attached, once with three attached, and not after exit", async () => {
    const { create, settle } = sessionRig();
    const { pty, view } = await create();
    pty.print("\x1b[5n");
    await settle();
    expect(pty.takenText).toBe("\x1b[0n");
    for (let i = 0; i < 3; i++) view();
    pty.print("\x1b[6n");
    await settle();
    expect(pty.takenText).toBe("\x1b[0n\x1b[1;1R");
    pty.print("\x1b[5n");
    pty.exit();
    await settle();
    expect(pty.takenText).toBe("\x1b[0n\x1b[1;1R");
  });

  it("[AT3] reports reach the program when it asked for them, and nothing else does", async () => {
    const { create, settle } = sessionRig();
    const { pty, view } = await create();
    const { attachment } = view();
    attachment.report("\x1b[I");
    pty.print("\x1b[?1004h");
    await settle();
    attachment.report("\x1b[I");
    attachment.report("rm -rf /\r");
    attachment.report("\x1b[0n");
    expect(pty.takenText).toBe("\x1b[I");
  });

  it("[SZ1] [SZ2] [T6B] viewers are told whose size it is; readers and agents never change it", async () => {
    const { create, settle } = sessionRig();
    const { pty, port, view } = await create();
    const reader = view(person, { readonly: true });
    const bot = view(agent);
    const ada = view();
    for (const { attachment } of [reader, bot]) attachment.propose({ cols: 40, rows: 10 });
    bot.attachment.typed(utf8("x"));
    await settle(200);
    expect(pty.sizes).toEqual([{ cols: 80, rows: 24 }]);
    ada.attachment.propose({ cols: 100, rows: 30 });
    await settle(200);
    expect(pty.sizes.slice(1)).toEqual([{ cols: 100, rows: 30 }]);
    expect(port().info()).toMatchObject({ cols: 100, rows: 30 });
    expect(only(reader.viewer.messages, "size_owner").at(-1)?.attachment).toBe(ada.attachment.id);
    expect(only(reader.viewer.messages, "resized").at(-1)?.size).toEqual({ cols: 100, rows: 30 });
    port(agent).resize({ cols: 90, rows: 20 });
    await settle(200);
    expect(only(reader.viewer.messages, "size_owner").at(-1)?.attachment).toBeNull();
    expect(view().viewer.messages[0]).toMatchObject({ type: "hello", size_owner: null });
  });

  it("[SC8] the guard clamps to the size the session has now", async () => {
    const { create } = sessionRig();
    const { pty, port, dump } = await create();
    const sink = dump();
    pty.print("\x1b[50L");
    port().resize({ cols: 80, rows: 60 });
    pty.print("\x1b[50L");
    await nextLoop();
    expect(new TextDecoder().decode(sink.liveBytes)).toBe("\x1b[24L\x1b[50L");
  });

  it("[SZ4] [B063] after a storm of 200 proposals in 2 s PTY, screen, info and viewers have the last size", async () => {
    const { create, settle, clock } = sessionRig();
    const { pty, port, view } = await create();
    const { viewer, attachment } = view();
    for (let i = 1; i <= 200; i++) {
      attachment.propose({ cols: 20 + i, rows: 10 + (i % 50) });
      pty.print(`${i} `);
      clock.advance(10);
      if (i % 20 === 0) await nextLoop();
    }
    await settle(400);
    const last = { cols: 220, rows: 10 };
    expect(pty.sizes.at(-1)).toEqual(last);
    expect(pty.sizes.length).toBeLessThanOrEqual(40);
    expect(await port().screen()).toMatchObject(last);
    expect(port().info()).toMatchObject(last);
    await viewer.drawnTo(only(viewer.messages, "resized").at(-1)?.at ?? -1);
    expect({ cols: viewer.terminal.cols, rows: viewer.terminal.rows }).toEqual(last);
  });

  it("[AT2] title, bell, viewers and phase are told; ten thousand titles are a few frames, the last one right", async () => {
    const { create, settle } = sessionRig();
    const { pty, port, view } = await create();
    const { viewer } = view();
    await settle();
    for (let i = 0; i < 10_000; i++) pty.print(`\x1b]2;title ${i}\x07\x07`);
    await port().screen();
    await settle(200);
    const titles = only(viewer.messages, "title");
    expect(titles.length).toBeLessThan(20);
    expect(titles.at(-1)?.title).toBe("title 9999");
    const bells = only(viewer.messages, "bell").length;
    expect(bells).toBeGreaterThan(0);
    expect(bells).toBeLessThan(20);
    const second = view();
    await settle();
    expect(only(viewer.messages, "viewers").at(-1)?.viewers).toBe(2);
    second.attachment.dispose();
    pty.exit();
    await settle();
    expect(only(viewer.messages, "viewers").at(-1)?.viewers).toBe(1);
    expect(only(viewer.messages, "phase").at(-1)?.phase).toBe("exited");
  });

  it("[AT10] disposing an old attachment late leaves its successor attached, and twice counts once", async () => {
    const { create, settle } = sessionRig();
    const { pty, port, view } = await create();
    const old = view();
    await settle();
    const next = view(person, { since: 0 });
    old.attachment.dispose();
    old.attachment.dispose();
    old.attachment.typed(utf8("ghost"));
    old.attachment.acknowledge(10 ** 9);
    expect(port().info().viewers).toBe(1);
    pty.print("still here");
    await settle();
    await next.viewer.drawnTo(10);
    expect(next.viewer.rows()[0]).toBe("still here");
    expect(pty.takenText).toBe("");
  });

  it("[LM] viewers per session are bounded and a place is free again at once", async () => {
    const { create } = sessionRig();
    const { port } = await create();
    const attach = () => port().attach(new MemorySink(), { readonly: true });
    const all = Array.from({ length: limits.viewersPerSession }, attach);
    expect(await refused(attach)).toBe("TOO_MANY_VIEWERS");
    all[0]?.dispose();
    attach();
  });

  it("[AT7] closing ends the process tree, tells viewers 4404 and forgets the session, however often it is asked", async () => {
    const { registry, create, events, settle, clock } = sessionRig();
    const { id, pty, port, view } = await create();
    const { viewer } = view();
    await settle();
    await Promise.all([port().close("TERM"), port().close("KILL")]);
    expect(pty.endSignals).toEqual(["TERM"]);
    expect(pty.isDisposed).toBe(true);
    expect(viewer.closed?.code).toBe(4404);
    expect(await refused(() => registry.port(person, id))).toBe("SESSION_NOT_FOUND");
    expect(events.map((event) => event.kind).filter((kind) => kind !== "changed")).toEqual([
      "created",
      "exited",
      "closed",
    ]);
    await settle(5_000);
    expect(clock.pending).toBe(0);
  });

  it("a screen asked for while the session is closed is refused, not left hanging", async () => {
    const { create } = sessionRig();
    const { pty, port } = await create();
    pty.print(new Uint8Array(100_000).fill(97));
    const reading = refused(() => port().screen());
    await port().close("HUP");
    expect(["not refused", "SESSION_NOT_FOUND"]).toContain(await reading);
  });

  it("[LG2] the log replayed into a fresh screen gives the same screen", async () => {
    const { create, settle } = sessionRig();
    const { pty, port, view } = await create();
    const dump = new MemorySink();
    const attachment = port().attach(dump, { since: 0, readonly: true });
    dump.onFrame(() => queueMicrotask(() => attachment.acknowledge(dump.liveBytes.length)));
    const original = view();
    for (let i = 0; i < 300; i++) {
      pty.print(`\x1b[3${i % 8}m${"word ".repeat(i % 40)}\x1b[0m é—😀 \x1b[${1 + (i % 5)}A\r\n\n`);
      if (i % 60 === 0) port().resize({ cols: 60 + i / 10, rows: 20 + (i % 7) });
      if (i % 10 === 0) await settle(50);
    }
    pty.print("\x1b[?1049h\x1b[5;5Hfull screen\x1b[?1049l$ ");
    await settle(200);

    const replay = await create();
    for (const frame of dump.frames) {
      if (frame.kind === "bytes") replay.pty.print(frame.bytes);
      else if (frame.kind === "message" && frame.message.type === "resized") {
        replay.port().resize(frame.message.size);
        await settle(50);
      }
    }
    const [first, second] = [await port().screen(), await replay.port().screen()];
    expect(second.hash).toBe(first.hash);
    expect(second.lines).toEqual(first.lines);
    const mirror = replay.view();
    await settle();
    await mirror.viewer.drawnTo(dump.liveBytes.length);
    await original.viewer.drawnTo(dump.liveBytes.length);
    expect(mirror.viewer.rows()).toEqual(original.viewer.rows());
  });
});
