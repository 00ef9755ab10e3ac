import { describe, expect, it, vi } from "vitest";
import type { Foreground } from "#server/host/pty/foreground.ts";
import { mark } from "#server/testing/journal-rig.ts";
import { sessionRig } from "#server/testing/session-rig.ts";

const everything = "\x1b[?1003h\x1b[?1006h\x1b[?1004h\x1b[>1u\x1b[>1u";
const ended = { mouse: "off", mouse_encoding: "default", focus_reporting: false };
const left = { mouse: "any_event", mouse_encoding: "sgr", focus_reporting: true };
const prompt = `${mark("A")}$ ${mark("B")}`;

async function shell(options: { nonce?: boolean; front?: "shell" | "program" | "unknown" } = {}) {
  const place = { front: options.front ?? "shell" };
  const inFront = (): Foreground | null =>
    place.front === "unknown"
      ? null
      : { pgid: 7, name: "x", cwd: "/", isSessionLeader: place.front === "shell" };
  const rig = sessionRig({
    parts: { readForeground: inFront },
    integration: options.nonce === false ? { kind: "none" } : { kind: "hooked", nonce: "n1" },
  });
  const { pty, port, dump, view } = await rig.create();
  const print = async (...parts: string[]) => {
    for (const part of parts) {
      pty.print(part);
      await rig.settle();
    }
  };
  const modes = async () => (await port().screen()).modes;
  const bytes = async () => {
    const sink = dump();
    await rig.settle();
    return Buffer.from(sink.liveBytes).toString("latin1");
  };
  await print(`${prompt}tui\r\n${mark("C")}`);
  return { rig, pty, place, print, modes, bytes, view };
}

describe("modes that a killed program leaves", () => {
  it("[SI3] [B075] are in the log where they ended, once, behind the prompt mark", async () => {
    const { rig, print, modes, bytes, view } = await shell();
    const early = view();
    await print(everything, `Killed\r\n${mark("D;137")}`);
    expect(await modes()).toMatchObject(left);
    await print(prompt);
    expect(await modes()).toMatchObject(ended);
    const whole = await bytes();
    const at = whole.indexOf("\x1b[?1003l");
    expect(at).toBeGreaterThan(whole.lastIndexOf(mark("A")));
    expect(whole.slice(at)).toContain("\x1b[?1004l\x1b[<2u");
    await print("x", prompt);
    expect((await bytes()).split("\x1b[?1003l")).toHaveLength(2);
    const { length } = await bytes();
    await vi.waitFor(() => expect(early.viewer.drawn).toBe(length), { timeout: 10_000 });
    expect(early.viewer.terminal.modes.mouseTrackingMode).toBe("none");
    rig.registry.dispose();
  });

  it("[SI3] [B075] stay while a program has the terminal, whatever marks it prints; its end ends them", async () => {
    const { rig, place, print, modes, bytes } = await shell({ front: "program" });
    await print(`\x1b[?1049h${everything}`, `${mark("D;0")}${prompt}`, "drawing");
    expect(await modes()).toMatchObject(left);
    expect(await bytes()).not.toContain("\x1b[?1003l");
    place.front = "shell";
    await print("Killed\r\n");
    expect(await modes()).toMatchObject(ended);
    rig.registry.dispose();
  });

  it.each([
    ["whose shell has no nonce", { nonce: false }],
    ["of a machine that does not say who is in front", { front: "unknown" as const }],
  ])(
    "[SI3] [B075] stay on the alternate screen of a session %s, and end on the normal one",
    async (_name, options) => {
      const { rig, print, modes } = await shell(options);
      await print(`\x1b[?1049h${everything}`, `${mark("D;0")}${prompt}`);
      expect(await modes()).toMatchObject(left);
      await print("\x1b[?1049l");
      expect(await modes()).toMatchObject(ended);
      rig.registry.dispose();
    },
  );

  it("[SI3] [B075] the shell's own stay: from before the command, and from between its end and the prompt", async () => {
    const { rig, print, modes } = await shell();
    await print(`${mark("D;0")}\x1b[?1004h${prompt}true\r\n${mark("C")}`);
    await print(`${mark("D;0")}\x1b[?1000h${prompt}`, "ls");
    expect(await modes()).toMatchObject({ mouse: "normal", focus_reporting: true });
    rig.registry.dispose();
  });

  it("[SI3] [B075] the next program's stay when it began before anything could be ended, until it leaves them too", async () => {
    const { rig, print, modes } = await shell();
    const next = `${prompt}vim\r\n${mark("C")}\x1b[?1003h`;
    await print(`${everything}${mark("D;137")}${next}`);
    expect(await modes()).toMatchObject(left);
    await print(`${mark("D;137")}${prompt}`);
    expect(await modes()).toMatchObject(ended);
    rig.registry.dispose();
  });

  it("[SI3] [B075] what a program switched off itself adds nothing", async () => {
    const { rig, print, bytes } = await shell();
    const off = "\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[<2u";
    await print(`${everything}${off}`, `${mark("D;0")}${prompt}`);
    expect((await bytes()).split("\x1b[?1003l")).toHaveLength(2);
    rig.registry.dispose();
  });
});
