// [SI2] A shell at the other end of a real ssh: without marks it is one command until it exits, with the documented lines its commands are told.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CommandList } from "#lib/protocol/journal.ts";
import { missing } from "#server/testing/situations/stage.ts";
import { SshServer, sshServerNeeds } from "../fixtures/ssh-server.ts";
import { Server } from "../server.ts";
import { Caller, until } from "./caller.ts";

const canServe = missing({ needs: sshServerNeeds }).length === 0;

describe.runIf(canServe)("ssh to a machine", { timeout: 60_000 }, () => {
  let server: Server;
  let owner: Caller;
  const folder = mkdtempSync(join(tmpdir(), "cotty-ssh-"));
  const far: SshServer[] = [];

  beforeAll(async () => {
    server = new Server();
    await server.start();
    owner = await Caller.owner(server);
  });
  afterAll(async () => {
    owner?.dispose();
    for (const one of far) one.stop();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A bash of ours from which ssh goes to a bash with this start-up file. */
  async function gone(bashrc: string) {
    const machine = await SshServer.start(mkdtempSync(join(folder, "at-")), {
      ".bashrc": bashrc,
      ".bash_profile": ". ~/.bashrc\n",
      ".hushlogin": "",
    });
    far.push(machine);
    const home = mkdtempSync(join(folder, "home-"));
    const { id } = await owner.create({
      command: ["/bin/bash"],
      env: { HOME: home },
      cwd: home,
      cols: 200,
    });
    await until("the near prompt", async () => (await owner.info(id)).phase === "idle");
    await owner.line(id, machine.command);
    await owner.untilText(id, "far$");
    return { id, machine };
  }
  const commands = async (id: string) =>
    (await owner.call<CommandList>("GET", `/sessions/${id}/commands`)).commands.map(
      ({ command, exit_code, flags }) =>
        [command, exit_code ?? null, flags.includes("incomplete")] as const,
    );

  it.concurrent("[SI2] [PH1] [WT8] is one command until it exits, and no wait takes the far prompt for its end", async () => {
    const { id, machine } = await gone("PS1='far$ '");
    expect((await owner.info(id)).last_command).toMatchObject({
      command: machine.command,
      running: true,
    });
    await owner.line(id, "cd /tmp; false; echo far-$((1+1))");
    await owner.untilText(id, "far-2");
    const wait = { for: [{ command_done: true }, { prompt: true }], timeout_ms: 1_500 };
    const early = await owner.call<{ outcome: string }>("POST", `/sessions/${id}/wait`, wait);
    expect(early.outcome).not.toBe("command_done");
    expect((await owner.info(id)).last_command).toMatchObject({ running: true });
    await owner.line(id, "exit 5");
    await until("the near prompt", async () => {
      const { phase, last_command } = await owner.info(id);
      return phase === "idle" && last_command?.running === false;
    });
    expect(await commands(id)).toEqual([[machine.command, 5, false]]);
  });

  it.concurrent("[SI2] with the documented lines there, its commands are told with their exit codes, and ours again afterwards", async () => {
    const page = readFileSync(join(import.meta.dirname, "../../docs/shell-integration.md"), "utf8");
    const lines = /```bash\n([\s\S]*?)```/.exec(page)?.[1];
    const { id, machine } = await gone(`PS1='far$ '\n${lines}`);
    const ran = async (line: string, count: number) => {
      await owner.line(id, line);
      await until(line, async () => {
        const { last_command, phase } = await owner.info(id);
        return last_command?.index === count && !last_command.running && phase !== "running";
      });
    };
    await ran("true", 2);
    await ran("(exit 3)", 3);
    await owner.line(id, "exit");
    await until("the near shell", async () => {
      const { phase, last_command } = await owner.info(id);
      return phase === "idle" && last_command?.index === 4 && !last_command.running;
    });
    await owner.line(id, "(exit 4)");
    await until("the last command", async () => (await commands(id)).at(-1)?.[1] === 4);
    const all = await commands(id);
    expect(all[0]).toEqual([machine.command, null, true]);
    expect(all.slice(1, 3)).toEqual([
      ["true", 0, false],
      ["(exit 3)", 3, false],
    ]);
    expect(all.at(-1)).toEqual(["(exit 4)", 4, false]);
  });
});
