// IN7 at the port: when the terminal is asked, and what may change while it is (B112).
import { describe, expect, it } from "vitest";
import { limits } from "#lib/protocol/limits.ts";
import type { TtySettings } from "#server/host/pty/tty-settings.ts";
import { agent, onlooker, sessionRig } from "#server/testing/session-rig.ts";

const raw: TtySettings = { kind: "known", canonical: false, echo: false };
const cooked: TtySettings = { kind: "known", canonical: true, echo: true };
const long = "x".repeat(limits.canonicalLineBytes + 1);

/** A rig whose terminal answers when the test says so. */
async function rig() {
  const asked: ((settings: TtySettings) => void)[] = [];
  const made = sessionRig({
    parts: { readTty: () => new Promise((answer) => asked.push(answer)) },
  });
  return { ...made, asked, ...(await made.create()) };
}

describe("a line longer than the kernel keeps", () => {
  it("[IN7] is refused in canonical mode with nothing typed", async () => {
    const { asked, pty, port } = await rig();
    const writing = port(agent).write([{ text: long }]);
    asked[0]?.(cooked);
    await expect(writing).rejects.toMatchObject({ code: "LINE_TOO_LONG" });
    expect(pty.taken.length).toBe(0);
  });

  it("[IN7] is typed where the program reads bytes, or nobody knows", async () => {
    const { asked, pty, port } = await rig();
    for (const [index, settings] of [raw, { kind: "unknown", reason: "x" } as const].entries()) {
      const writing = port(agent).write([{ text: long }]);
      asked[index]?.(settings);
      expect(await writing).toEqual({ written: 1 });
      expect(pty.taken.length).toBe((index + 1) * long.length);
    }
  });

  it("[IN7] shorter ones ask nothing and are typed at once, whatever the program reads", async () => {
    const { asked, pty, port } = await rig();
    for (let i = 0; i < 20; i++)
      void port(agent).write([{ text: `${long.slice(1)}\n` }], { gapMs: 0 });
    expect(asked).toHaveLength(0);
    expect(pty.taken.length).toBe(20 * long.length);
  });

  it("[IN7] a program that never gets a line end is asked about once in 4,095 bytes", async () => {
    const { asked, port } = await rig();
    for (let i = 0; i < 30; i++) {
      const before = asked.length;
      const writing = port(agent).write([{ raw: "x".repeat(1_000) }]);
      if (asked.length > before) asked.at(-1)?.(raw);
      await writing;
    }
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.length).toBeLessThanOrEqual(30_000 / limits.canonicalLineBytes);
  });

  it("[B112] [PT9] a program that ended while its terminal was asked is typed nothing", async () => {
    const { asked, pty, port, settle } = await rig();
    const writing = port(agent).write([{ text: long }]);
    pty.exit();
    await settle();
    asked[0]?.(raw);
    await expect(writing).rejects.toMatchObject({ code: "SESSION_EXITED" });
    expect(pty.taken.length).toBe(0);
  });

  it("[B112] what is typed fits the modes of the moment at which it is typed", async () => {
    const { asked, pty, port, settle } = await rig();
    const writing = port(agent).write([{ text: long, paste: true }, { key: "Up" }]);
    pty.print("\x1b[?2004h\x1b[?1h");
    await settle();
    asked[0]?.(raw);
    await writing;
    expect(pty.takenText).toBe(`\x1b[200~${long}\x1b[201~\x1bOA`);
  });

  it("[AT5] who may not type asks nothing either", async () => {
    const { asked, port } = await rig();
    await expect(port(onlooker).write([{ text: long }])).rejects.toMatchObject({
      code: "READ_ONLY",
    });
    expect(asked).toHaveLength(0);
  });
});
