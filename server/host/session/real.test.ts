import { afterEach, describe, expect, it } from "vitest";
import { TermError } from "#lib/protocol/errors.ts";
import { realRig } from "#server/testing/real-rig.ts";
import { person } from "#server/testing/session-rig.ts";

const rigs: Awaited<ReturnType<typeof realRig>>[] = [];

async function rig() {
  const made = await realRig();
  rigs.push(made);
  return made;
}

afterEach(() => {
  for (const each of rigs.splice(0)) each.registry.dispose();
});

const bash = { command: ["/bin/bash", "--norc", "--noprofile"], cols: 80, rows: 24 };
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe("a session with a real process", () => {
  it("[PT3] everything printed before the exit comes before the exit, at viewers and on the screen", async () => {
    const { create, exited } = await rig();
    const { id, port, dump } = await create({
      command: ["/bin/sh", "-c", "seq 1 20000; printf THE-END; exit 3"],
    });
    const { sink } = dump();
    await exited(id);
    await sink.until(() => sink.messages("exited").length > 0);
    const expected = `${Array.from({ length: 20_000 }, (_, i) => `${i + 1}\r\n`).join("")}THE-END`;
    expect(text(sink.liveBytes)).toBe(expected);
    expect(sink.messages("exited")[0]).toMatchObject({ at: expected.length, exit_code: 3 });
    expect((await port().screen()).lines.at(-1)).toBe("THE-END");
    expect(port().info()).toMatchObject({ exited: true, exit_code: 3, signal: null });
  });

  it("[B015] C-c stops a flood and the prompt is back within 1 s, every time of 5", async () => {
    const { create } = await rig();
    const { port, mirror, dump } = await create({
      ...bash,
      env: { PS1: "READY> " },
      integration: "off",
    });
    mirror();
    const { sink } = dump();
    const prompts = () => text(sink.liveBytes.subarray(-40)).endsWith("READY> ");
    await sink.until(prompts);
    for (let i = 0; i < 5; i++) {
      const from = sink.liveBytes.length;
      port().write([{ text: "yes" }, { key: "Enter" }]);
      await sink.until(() => sink.liveBytes.length > from + 200_000);
      const began = performance.now();
      port().write([{ key: "C-c" }]);
      await sink.until(prompts);
      expect(performance.now() - began).toBeLessThan(1_000);
    }
  });

  it("[PT6] [B015] C-c reaches a program that reads nothing, although the queue is full", async () => {
    const { create, exited } = await rig();
    const { id, port, dump } = await create({
      command: ["/bin/bash", "-c", "trap 'exit 42' INT; stty raw -echo; echo ready; sleep 30"],
    });
    const { sink, attachment } = dump();
    await sink.until(() => text(sink.liveBytes).includes("ready"));
    attachment.typed(new Uint8Array(1024 * 1024 - 10).fill(97));
    attachment.typed(new Uint8Array(1024 * 1024 - 10).fill(97));
    expect(sink.messages("error")[0]?.code).toBe("INPUT_BACKLOG");
    const began = performance.now();
    attachment.typed(Uint8Array.of(3));
    await exited(id);
    expect(performance.now() - began).toBeLessThan(1_500);
    expect(port().info().exit_code).toBe(42);
  });

  it("[B004] [PT9] resizes across the moment of exit throw nothing and harm no other session", async () => {
    const { create, exited } = await rig();
    const other = await create(bash);
    for (let i = 0; i < 5; i++) {
      const { id, port } = await create({ command: ["/bin/sh", "-c", "exit 0"] });
      let cols = 80;
      let refusals = 0;
      const resizing = setInterval(() => {
        try {
          port().resize({ cols: ++cols, rows: 30 });
        } catch (error) {
          expect((error as TermError).code).toBe("SESSION_EXITED");
          refusals += 1;
        }
      }, 1);
      await exited(id);
      await new Promise<void>((resolve) => {
        const watch = setInterval(() => {
          if (refusals < 5) return;
          clearInterval(watch);
          resolve();
        }, 1);
      });
      clearInterval(resizing);
    }
    other.port().write([{ text: "echo ALIVE-$((1+1))" }, { key: "Enter" }]);
    const { sink } = other.dump();
    await sink.until(() => text(sink.liveBytes).includes("ALIVE-2"));
  });

  it("[B063] [SZ4] API answer, info, screen, viewer and stty agree on the size", async () => {
    const { create } = await rig();
    const { port, mirror, dump } = await create(bash);
    const { viewer } = mirror();
    port().resize({ cols: 132, rows: 43 });
    expect(port().info()).toMatchObject({ cols: 132, rows: 43 });
    port().write([{ text: "echo SIZE $(stty size)" }, { key: "Enter" }]);
    const { sink } = dump();
    await sink.until(() => text(sink.liveBytes).includes("SIZE 43 132"));
    expect(await port().screen()).toMatchObject({ cols: 132, rows: 43 });
    await viewer.drawnTo(sink.liveBytes.length);
    expect([viewer.terminal.cols, viewer.terminal.rows]).toEqual([132, 43]);
  });

  it("[B057] passive viewers cause no SIGWINCH", async () => {
    const { create } = await rig();
    const { port, mirror, dump } = await create(bash);
    port().write([
      { text: "trap 'echo WINCH-$((1+1))' WINCH; echo SET-$((1+1))" },
      { key: "Enter" },
    ]);
    const { sink } = dump();
    await sink.until(() => text(sink.liveBytes).includes("SET-2"));
    for (const cols of [40, 120, 60]) {
      const { viewer, attachment } = mirror();
      attachment.propose({ cols, rows: 20 });
      await viewer.drawnTo(0);
      attachment.dispose();
    }
    const { attachment } = mirror();
    attachment.propose({ cols: 50, rows: 20 });
    // Longer than the debounce, inside the program: the shell would have been told by then.
    port().write([{ text: "sleep 0.3; echo WAITED-$((1+1))" }, { key: "Enter" }]);
    await sink.until(() => text(sink.liveBytes).includes("WAITED-2"));
    expect(text(sink.liveBytes)).not.toContain("WINCH-2");
  });

  it("[OP1] info names the program in front and its directory", async () => {
    const { create } = await rig();
    const { port, dump } = await create(bash);
    port().write([{ text: "cd /usr && exec 3< <(:); sleep 30" }, { key: "Enter" }]);
    const { sink } = dump();
    await sink.until(() => text(sink.liveBytes).includes("sleep 30"));
    for (let info = port().info(); info.foreground !== "sleep"; info = port().info())
      await new Promise((resolve) => setTimeout(resolve, 100));
    expect(port().info()).toMatchObject({ foreground: "sleep", cwd: "/usr" });
  });

  it("closing ends the tree and frees the descriptors", async () => {
    const { registry, create } = await rig();
    const { id, port } = await create({ command: ["/bin/bash", "-c", "sleep 300 & sleep 300"] });
    const { pid } = port().info();
    await port().close("HUP");
    expect(() => registry.port(person, id)).toThrow(TermError);
    expect(() => process.kill(pid, 0)).toThrow();
  });
});
