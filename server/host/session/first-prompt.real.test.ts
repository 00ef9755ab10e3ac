// Shells that are typed into the moment they were opened, eight at a time: by agents, as scripts and models do it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { fishHome } from "#server/testing/fish-home.ts";
import { realRig } from "#server/testing/real-rig.ts";
import { agent } from "#server/testing/session-rig.ts";

const rigs: Awaited<ReturnType<typeof realRig>>[] = [];
let home: string;

beforeAll(() => {
  home = fishHome(mkdtempSync(join(tmpdir(), "cotty-first-")));
});
afterEach(() => {
  for (const each of rigs.splice(0)) each.registry.dispose();
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

type Session = Awaited<ReturnType<Awaited<ReturnType<typeof realRig>>["create"]>>;

/** As many at once, each typed into by `first` as soon as it is there. */
async function openShells<T>(
  count: number,
  command: string[],
  first: (session: Session) => Promise<T>,
): Promise<{ session: Session; reply: T }[]> {
  const rig = await realRig();
  rigs.push(rig);
  const env = { HOME: home, ZDOTDIR: home, LANG: "C.UTF-8", PS1: "$ " };
  const open = async () => {
    const session = await rig.create({ command, env, cols: 80, rows: 24 });
    return { session, reply: await first(session) };
  };
  return Promise.all(Array.from({ length: count }, open));
}

const patience = { timeout: 20_000, interval: 50 };
const count = (text: string, word: string) => text.split(word).length - 1;

const shells = [["bash"], ["zsh", "-o", "no_global_rcs"], ["fish"]].map((command) => ({
  name: command[0] as string,
  command,
}));

describe.each(shells)("$name", ({ command }) => {
  it("[IN8] what is sent to a shell that was just opened is echoed once", async () => {
    const opened = await openShells(8, command, ({ port }) =>
      port(agent).act({ input: [{ text: 'echo on""ce\n' }], wait: {} }),
    );
    for (const { session, reply } of opened) {
      expect(reply).toMatchObject({
        wait: { outcome: "command_done", exit_code: 0 },
        delta: { text: expect.stringContaining("once") },
      });
      const { text } = await session.port(agent).readOutput({});
      expect(count(text, 'on""ce')).toBe(1);
      expect(count(text, "once")).toBe(1);
    }
    // A machine may keep this process from its turn for longer than a shell takes, though not each time.
    expect(opened.map(({ reply }) => reply.held?.ended_by)).toContain("prompt");
  });

  it("[IN8] [IN3] a paste into one is a paste: nothing of it runs before its Enter, and no tab completes", async () => {
    const text = 'echo /et\tc""\necho sec""ond';
    const opened = await openShells(8, command, ({ port }) =>
      port(agent).write([{ text, paste: true }]),
    );
    for (const { session } of opened) {
      const port = session.port(agent);
      const screen = async () => (await port.screen()).lines.join("\n");
      await expect.poll(screen, patience).toContain('sec""ond');
      expect((await port.listCommands({})).commands).toEqual([]);
      const input = [{ key: "Enter" }];
      const { delta } = await port.act({ input, wait: { for: [{ text: "second" }] } });
      // fish leaves the tab out; a completion would be /etc/c.
      expect(delta?.text).toMatch(/^\/et\s*c$/m);
    }
  });

  it("[IN8] [IN5] several batches keep their order, an act among them", async () => {
    const [opened] = await openShells(1, command, ({ port }) =>
      Promise.all([
        port(agent).act({ input: [{ text: "echo on" }], wait: { for: [{ quiet_ms: 1 }] } }),
        port(agent).write([{ text: '""' }]),
        port(agent).act({ input: [{ text: "ce\n" }], wait: {} }),
      ]),
    );
    expect(opened?.reply[2].delta?.text).toContain("once");
  });
});
