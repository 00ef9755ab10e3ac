// The command line inside of a Cotty terminal, where an agent may be the one who types: what only people decide is refused there, and what
// gives agents less is not (AC1).
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { CommandLine } from "../fixtures/command-line.ts";
import { Server } from "../server.ts";

// Each call of the command is a process of its own, and takes seconds on a machine that is busy.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });

const server = new Server();
let cotty: CommandLine;
let id: string;
beforeAll(async () => {
  await server.start();
  cotty = new CommandLine(server);
  id = await cotty.get("new", "--name", "kept", "--", "cat");
});
afterAll(() => server.stop());

/** A line of a shell in a Cotty terminal, with what every program there has; its output and status. */
function inside(line: string) {
  const env = ["--env", `PATH=${cotty.env.PATH}`, "--env", `HOME=${cotty.home}`];
  return cotty.run("run", "--wait", "60", "--rm", ...env, "--", "sh", "-c", line);
}
const here = (words: string) => inside(`cotty ${words} --state-dir ${server.stateDir}`);
const access = () => cotty.get("access", id);

describe("[AC1] the command line inside of a Cotty terminal", () => {
  it("gives agents less when asked, and never more", async () => {
    for (const level of ["observe", "sealed"]) {
      expect(await here(`access ${id} ${level}`), level).toMatchObject({ code: 0 });
      expect(await access()).toBe(level);
    }
    // The same again is not more.
    expect((await here(`access ${id} sealed`)).code).toBe(0);
    for (const level of ["observe", "collaborate"]) {
      const refused = await here(`access ${id} ${level}`);
      expect(refused.code, level).toBe(4);
      expect(refused.stdout).toContain("is for people");
      expect(refused.stdout).toContain("in a terminal that is not Cotty's");
      expect(await access()).toBe("sealed");
    }
    expect((await here(`access ${id}`)).stdout).toBe("sealed\n");
    // A person's own terminal may.
    await cotty.get("access", id, "collaborate");
    expect(await access()).toBe("collaborate");
  });

  it("neither takes the keyboard nor gives it back, nor calls a password none", async () => {
    await cotty.get("lease", id, "take");
    const before = await cotty.get("lease", id, "--json");
    for (const action of ["take", "hold", "back", "clear", "not-secret"]) {
      const refused = await here(`lease ${id} ${action}`);
      expect(refused.code, action).toBe(4);
      expect(refused.stdout, action).toContain(`\`lease ${action}\` is for people`);
    }
    expect(JSON.parse(await cotty.get("lease", id, "--json"))).toEqual(JSON.parse(before));
    // Looking, and calling something a password, are not refused.
    expect((await here(`lease ${id}`)).stdout).toContain("has the keyboard");
    expect((await here(`lease ${id} secret`)).code).toBe(0);
    await cotty.get("lease", id, "not-secret");
    await cotty.get("lease", id, "back");
  });

  it("does what a token may that is given", async () => {
    const as = async (role: "owner" | "agent") =>
      `COTTY_URL=${server.url} COTTY_TOKEN=${await server.token(role)}`;
    await cotty.get("access", id, "observe");
    const agent = await inside(`${await as("agent")} cotty access ${id} collaborate`);
    expect(agent.code).toBe(4);
    expect(agent.stdout).toContain("(FORBIDDEN)");
    expect((await inside(`${await as("owner")} cotty access ${id} collaborate`)).code).toBe(0);
    expect(await access()).toBe("collaborate");
  });
});
