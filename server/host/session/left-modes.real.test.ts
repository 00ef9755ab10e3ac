// What a killed program leaves on in its terminal, with a real shell, its real marks and a real kill.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { fishHome } from "#server/testing/fish-home.ts";
import { realRig } from "#server/testing/real-rig.ts";
import { agent } from "#server/testing/session-rig.ts";

const home = mkdtempSync(join(tmpdir(), "cotty-left-"));
fishHome(home, home);
writeFileSync(join(home, ".zshrc"), "");
afterAll(() => rmSync(home, { recursive: true, force: true }));

const setsEverything =
  "bash -c \"printf '\\e[?2004h\\e[?1h\\e[?1003h\\e[?1006h\\e[?1004h\\e[>1uREADY'; kill -9 \\$\\$\"";

async function started(shell: string) {
  const rig = await realRig();
  const session = await rig.create({
    command: [shell],
    env: { HOME: home, PS1: "$ ", LANG: "C.UTF-8", XDG_CONFIG_HOME: home, XDG_DATA_HOME: home },
  });
  const { viewer, attachment } = session.mirror();
  const { sink } = session.dump();
  const port = session.port(agent);
  const run = async (line: string, index: number, hand = port) => {
    await hand.write([{ text: line }, { key: "Enter" }]);
    await sink.until(() =>
      sink.messages("command").some(({ record }) => record.index === index && record.ended_at),
    );
  };
  // fish throws away what is typed ahead of its first prompt.
  await expect.poll(() => session.port().info().phase, { timeout: 10_000 }).toBe("idle");
  const modes = async () => (await port.screen()).modes;
  const end = async () => {
    await session.port().close("KILL");
    rig.registry.dispose();
  };
  return { session, viewer, attachment, sink, port, run, modes, end };
}

describe("modes that a killed program leaves", () => {
  it.each(["bash", "zsh", "fish"])(
    "[SI3] [B075] end at the next prompt of %s for the screen and every viewer; the mouse and focus type nothing",
    async (shell) => {
      const { session, viewer, attachment, sink, port, run, modes, end } = await started(shell);
      await run(setsEverything, 1);
      await expect.poll(modes).toMatchObject({ mouse: "off", mouse_encoding: "default" });
      expect((await modes()).focus_reporting).toBe(false);
      // Other shells set it for themselves.
      if (shell === "bash") expect((await modes()).app_cursor_keys).toBe(true);
      const printed = () => Buffer.from(sink.liveBytes).toString("latin1");
      await sink.until(() => printed().includes("\x1b[<1u"));
      const at = sink.liveBytes.length;
      await viewer.drawnTo(at);
      expect(viewer.terminal.modes).toMatchObject({
        mouseTrackingMode: "none",
        sendFocusMode: false,
      });
      // Who comes now, from a snapshot, has the same.
      const late = session.mirror();
      await late.viewer.drawnTo(at);
      expect(late.viewer.terminal.modes).toMatchObject({ mouseTrackingMode: "none" });

      attachment.typed(Uint8Array.of(0x15));
      attachment.report("\x1b[<35;10;10M");
      attachment.report("\x1b[O");
      attachment.report("\x1b[I");
      await run("printf %d-clean 42", 2, session.port());
      const { commands } = await port.listCommands({});
      expect(commands.map(({ command }) => command)).toEqual([
        setsEverything,
        "printf %d-clean 42",
      ]);
      expect((await port.readCommandOutput(2)).output.text.trim()).toBe("42-clean");
      await end();
    },
  );
});
